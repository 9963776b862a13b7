// SPDX-License-Identifier: Apache-2.0
#include "report/report.h"

#include <fmt/core.h>

#include <filesystem>
#include <memory>
#include <optional>

#include "base/file.h"
#include "report/svg.h"
#include "report/viewer.h"

namespace stiction::report {

namespace {

constexpr const char* page_style = R"css(
:root{--ink:#1f2933;--paper:#fff;--card:#f7f9fb;--soft:#d8dee6;--muted:#5d6b7e;--curve:#2563a8;
--slip:#d9662b;--force:#218358;--c1:#2563a8;--c2:#d9662b;--c3:#218358;--c4:#a23b9a;--c5:#8a6d1d}
@media (prefers-color-scheme:dark){:root{--ink:#e6ebf1;--paper:#12171d;--card:#1a2129;--soft:#313b47;
--muted:#97a5b6;--curve:#6aa9e9;--slip:#f0935c;--force:#5cc48f;--c1:#6aa9e9;--c2:#f0935c;--c3:#5cc48f;
--c4:#d683cf;--c5:#cfb25a}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);
font:16px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif}
main,header,nav{max-width:1120px;margin:0 auto;padding:0 24px}
header{padding-top:40px}h1{font-size:2.1rem;margin:0}h2{margin:2.6em 0 .4em;font-size:1.45rem}
h3{margin:1.8em 0 .4em;font-size:1.1rem}p{max-width:76ch}.lead{font-size:1.12rem;color:var(--muted)}
nav{position:sticky;top:0;background:var(--paper);border-bottom:1px solid var(--soft);z-index:2;
padding-top:10px;padding-bottom:10px;margin-top:16px}
nav a{margin-right:22px;display:inline-block;color:var(--curve);text-decoration:none}
.equation{font:italic 1.25rem "STIX Two Text",Cambria,"DejaVu Serif",serif;margin:18px 0;
padding:14px 20px;background:var(--card);border-left:3px solid var(--curve);max-width:60ch}
.equation small{font-style:normal;color:var(--muted)}
.cards{display:grid;grid-template-columns:repeat(auto-fill,minmax(210px,1fr));gap:16px;margin:16px 0}
.card{background:var(--card);border:1px solid var(--soft);border-radius:8px;padding:10px 12px}
.card svg{width:100%;height:auto;display:block}.card b{font-weight:600}
.card code{color:var(--muted);font-size:.82rem;overflow-wrap:anywhere}.card .says{font-size:.84rem;color:var(--muted);
min-height:1.4em}
.pair{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(440px,100%),1fr));gap:20px;align-items:start}
figure{margin:14px 0}figure svg{width:100%;height:auto;display:block}
figcaption{font-size:.88rem;color:var(--muted);max-width:76ch}
@media (min-width:601px){td{white-space:nowrap}}
table{border-collapse:collapse;margin:14px 0;font-variant-numeric:tabular-nums}
th,td{padding:5px 14px;text-align:right;border-bottom:1px solid var(--soft)}
th:first-child,td:first-child{text-align:left;padding-left:0}th{font-weight:600;color:var(--muted)}
.control{display:flex;gap:14px;align-items:center;margin:14px 0;flex-wrap:wrap}
.control input{width:min(420px,60vw);accent-color:var(--slip)}
.key{display:inline-block;width:1.4em;height:3px;vertical-align:middle;margin:0 .35em 0 1em}
.entry{white-space:nowrap}td:first-child{white-space:nowrap}
.scroll{overflow-x:auto;background:linear-gradient(90deg,var(--paper) 30px,transparent) left/60px 100% local,
linear-gradient(270deg,var(--paper) 30px,transparent) right/60px 100% local,
linear-gradient(90deg,var(--soft),transparent) left/12px 100% scroll,
linear-gradient(270deg,var(--soft),transparent) right/12px 100% scroll;background-repeat:no-repeat}
@media (max-width:600px){main,header,nav{padding-left:16px;padding-right:16px}
th,td{padding:4px 6px;font-size:.8rem;line-height:1.3}.scroll td{white-space:nowrap}
figure svg text,figure svg .note{font-size:14px}figure svg .tick{font-size:12px}
figure svg .label{font-size:13px}figure svg .name{font-size:16px}}
footer{margin:60px auto 40px;max-width:1120px;padding:0 24px;color:var(--muted)}
)css";

std::string page(const std::vector<Chapter>& chapters) {
  std::string contents, body;
  for (const Chapter& chapter : chapters) {
    contents += fmt::format("<a href='#{}'>{}</a>", chapter.id, chapter.title);
    body += fmt::format("<section id='{}'><h2>{}</h2>{}</section>\n", chapter.id, chapter.title,
                        chapter.html);
  }
  return fmt::format(
      "<!doctype html><html lang='en'><head><meta charset='utf-8'>"
      "<meta name='viewport' content='width=device-width,initial-scale=1'>"
      "<title>stiction: report</title><style>{}{}{}</style></head><body>"
      "<header><h1>stiction</h1><p class='lead'>Dry friction between rigid bodies, exactly, with "
      "proof. "
      "One idea at every size: a convex set of forces and its support function.</p></header>"
      "<nav>{}</nav><main>{}</main><footer>Made by <code>stiction report</code>, "
      "version " STICTION_VERSION
      ". Every number and every figure on this page is computed.</footer>"
      "{}</body></html>\n",
      page_style, svg_style(), viewer_style(), contents, body, viewer_script());
}

}  // namespace

namespace {

struct Content {
  std::vector<Chapter> chapters;
  Figures figures, measured;  // of the documentation; of the tables in the folder `out`
};

Content content(const std::string& out, bool with_theory) {
  Content all;
  const auto add = [&](std::vector<Chapter> more) {
    std::move(more.begin(), more.end(), std::back_inserter(all.chapters));
  };
  add(law_chapters(all.figures));
  add(cone_chapters(all.figures));
  add(gcone_chapters(all.figures));
  add(slider_chapters(all.figures));
  add(slide_chapters(all.figures));
  add(model_chapters(all.figures));
  add(example_chapters(all.figures));
  if (with_theory) theory_figures(all.figures);
  add(bench_chapters(out, all.measured));
  return all;
}

}  // namespace

std::string one_figure(const std::string& name, const std::string& out) {
  Content all = content(out, true);
  all.figures.merge(all.measured);
  if (const auto at = all.figures.find(name); at != all.figures.end()) return at->second;
  std::string names;
  for (const auto& [known, svg] : all.figures) names += (names.empty() ? "" : ", ") + known;
  throw InvalidInput("no figure is called '" + name + "', expected one of " + names);
}

Written write_report(const std::string& out, const std::optional<std::string>& figures_folder) {
  const auto [chapters, figures, measured] = content(out, figures_folder.has_value());
  std::error_code error;
  for (const std::string& folder : {out, figures_folder.value_or(out)}) {
    std::filesystem::create_directories(folder, error);
    if (error)
      throw InvalidInput(folder + ": " + error.message() + ", expected a folder to write to");
  }
  const std::filesystem::path report = std::filesystem::path(out) / "report.html";
  write_file(report, page(chapters));
  for (const auto& [name, svg] : measured)
    write_file(std::filesystem::path(out) / (name + ".svg"), svg);
  if (figures_folder)
    for (const auto& [name, svg] : figures)
      write_file(std::filesystem::path(*figures_folder) / (name + ".svg"), svg);
  return {report.string(), figures.size()};
}

}  // namespace stiction::report
