// SPDX-License-Identifier: Apache-2.0
#include "report/pdf.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>
#include <stdexcept>
#include <vector>

#include "report/pdf_text.h"

namespace stiction::report {

namespace {

using Properties = std::map<std::string, std::string, std::less<>>;

[[noreturn]] void refuse(std::string_view what) {
  throw std::logic_error("a figure has " + std::string(what) + ", which PDF is not told of");
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == ',')) text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

// What stands before `mark`, which is taken off `text` with it; all of it where there is none.
std::string_view cut(std::string_view& text, char mark) {
  const std::size_t at = text.find(mark);
  const std::string_view first = text.substr(0, at);
  text.remove_prefix(at == std::string_view::npos ? text.size() : at + 1);
  return trimmed(first);
}

// The number at the start of `text`, which moves past it and its unit px.
double take_number(std::string_view& text) {
  text = trimmed(text);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc()) refuse(fmt::format("'{}' in place of a number", text));
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return value;
}
double number(std::string_view text) { return take_number(text); }

// name:value;name:value
Properties declarations(std::string_view text) {
  Properties list;
  while (!text.empty()) {
    std::string_view one = cut(text, ';');
    const std::string_view name = cut(one, ':');
    if (!name.empty()) list[std::string(name)] = trimmed(one);
  }
  return list;
}

// The rules of a <style>: a selector is a tag, or classes that an element must all have.
class Rules {
 public:
  explicit Rules(std::string_view text) {
    while (!trimmed(text).empty()) {
      std::string_view selectors = cut(text, '{');
      const Properties what = declarations(cut(text, '}'));
      while (!selectors.empty()) {
        std::string_view selector = cut(selectors, ',');
        Rule rule{.tag = std::string(cut(selector, '.')), .classes = {}, .properties = what};
        while (!selector.empty()) rule.classes.emplace_back(cut(selector, '.'));
        rules_.push_back(std::move(rule));
      }
    }
    // The more classes the stronger; of equals the later.
    std::ranges::stable_sort(rules_, {}, [](const Rule& rule) { return rule.classes.size(); });
  }

  Properties of(std::string_view tag, std::string_view classes) const {
    std::vector<std::string_view> own;
    while (!classes.empty()) own.push_back(cut(classes, ' '));
    Properties list;
    for (const Rule& rule : rules_) {
      if (!rule.tag.empty() && rule.tag != tag) continue;
      const auto has = [&](const std::string& name) { return std::ranges::count(own, name) > 0; };
      if (!std::ranges::all_of(rule.classes, has)) continue;
      for (const auto& [name, value] : rule.properties) list[name] = value;
    }
    return list;
  }

 private:
  struct Rule {
    std::string tag;
    std::vector<std::string> classes;
    Properties properties;
  };
  std::vector<Rule> rules_;
};

using Colour = std::array<double, 3>;
using Paint = std::optional<Colour>;  // nothing: not painted

struct Look {
  Paint fill = Colour{0, 0, 0}, stroke;
  double fill_opacity = 1, stroke_opacity = 1, width = 1, size = 12;
  std::string dashes, anchor = "start";
  bool bold = false, halo = false;
};

// #rgb, #rrggbb, none, var(--name), color-mix(in srgb, A p%, B), or the parent's.
Paint paint(std::string_view text, const Properties& variables, const Paint& parent) {
  text = trimmed(text);
  if (text == "none") return {};
  if (text == "inherit") return parent;
  if (text.starts_with("var(--")) {
    const auto at = variables.find(text.substr(4, text.size() - 5));
    if (at == variables.end()) refuse(text);
    return paint(at->second, variables, parent);
  }
  if (text.starts_with("color-mix(in srgb,")) {
    std::string_view rest = text.substr(18, text.size() - 19);
    std::string_view first = cut(rest, ',');
    const std::size_t space = first.rfind(' ');
    const Paint a = paint(first.substr(0, space), variables, parent);
    const Paint b = paint(rest, variables, parent);
    const double share = 0.01 * number(first.substr(space));
    Colour mixed{};
    for (std::size_t c = 0; c < 3; ++c) mixed[c] = share * (*a)[c] + (1 - share) * (*b)[c];
    return mixed;
  }
  if (!text.starts_with('#') || (text.size() != 4 && text.size() != 7)) refuse(text);
  Colour colour{};
  const std::size_t digits = (text.size() - 1) / 3;
  for (std::size_t c = 0; c < 3; ++c) {
    const std::string_view part = text.substr(1 + c * digits, digits);
    int value = 0;
    std::from_chars(part.data(), part.data() + part.size(), value, 16);
    colour[c] = value / (digits == 1 ? 15.0 : 255.0);
  }
  return colour;
}

void apply(const Properties& properties, const Properties& variables, const Look& parent,
           Look& look) {
  const auto size = [&](std::string_view text) {
    const double value = take_number(text);
    look.size = text.starts_with("em") ? value * parent.size : value;
  };
  for (const auto& [name, value] : properties) {
    if (name == "fill") look.fill = paint(value, variables, parent.fill);
    if (name == "stroke") look.stroke = paint(value, variables, parent.stroke);
    if (name == "fill-opacity") look.fill_opacity = number(value);
    if (name == "stroke-opacity") look.stroke_opacity = number(value);
    if (name == "stroke-width") look.width = number(value);
    if (name == "stroke-dasharray") look.dashes = value;
    if (name == "font-weight") look.bold = number(value) >= 600;
    if (name == "font" || name == "font-size") size(value);
    if (name == "text-anchor") look.anchor = value;
    if (name == "paint-order") look.halo = value == "stroke";
  }
  // `font` sets all at once; what says the size alone has the last word.
  if (const auto at = properties.find("font-size"); at != properties.end()) size(at->second);
}

struct Tag {
  std::string name;
  Properties attributes;
  bool closes = false, alone = false;  // </name>, <name/>

  std::string_view text(std::string_view key) const {
    const auto at = attributes.find(key);
    return at == attributes.end() ? std::string_view() : std::string_view(at->second);
  }
  double value(std::string_view key) const { return text(key).empty() ? 0 : number(text(key)); }
};

std::string plain(std::string_view text) {
  static constexpr std::array<std::pair<std::string_view, char>, 5> names{
      {{"&lt;", '<'}, {"&gt;", '>'}, {"&amp;", '&'}, {"&quot;", '"'}, {"&#39;", '\''}}};
  std::string out;
  while (!text.empty()) {
    const auto* const name =
        std::ranges::find_if(names, [&](const auto& one) { return text.starts_with(one.first); });
    out += name == names.end() ? text.front() : name->second;
    text.remove_prefix(name == names.end() ? 1 : name->first.size());
  }
  return out;
}

// `text` begins behind the <; it moves past the >.
Tag take_tag(std::string_view& text) {
  Tag tag;
  std::string_view inside = text.substr(0, text.find('>'));
  text.remove_prefix(std::min(text.size(), inside.size() + 1));
  tag.closes = inside.starts_with('/');
  if (tag.closes) inside.remove_prefix(1);
  tag.alone = inside.ends_with('/');
  if (tag.alone) inside.remove_suffix(1);
  tag.name = cut(inside, ' ');
  while (!trimmed(inside).empty()) {
    const std::string_view key = cut(inside, '=');
    if (inside.empty()) refuse("an attribute without a value");
    const char quote = inside.front();
    inside.remove_prefix(1);
    tag.attributes[std::string(key)] = plain(cut(inside, quote));
  }
  return tag;
}

std::string escaped(std::string_view bytes) {
  std::string out;
  for (const char c : bytes) {
    if (c == '(' || c == ')' || c == '\\') out += '\\';
    const auto code = static_cast<unsigned char>(c);
    out += code < 128 ? std::string(1, c) : fmt::format("\\{:03o}", code);
  }
  return out;
}

std::string rgb(const Colour& colour, const char* command) {
  return fmt::format("{:.3f} {:.3f} {:.3f} {}\n", colour[0], colour[1], colour[2], command);
}

// The page's content while the figure is read.
class Page {
 public:
  double width = 0, height = 0;  // [px]
  std::string content;
  std::vector<std::pair<double, double>> opacities;  // of fill and stroke, each set once

  void read(std::string_view svg) {
    while (!svg.empty()) {
      take_text(svg.substr(0, svg.find('<')));
      if (svg.find('<') == std::string_view::npos) break;
      svg.remove_prefix(svg.find('<') + 1);
      const Tag tag = take_tag(svg);
      if (tag.name == "style" && !tag.closes) {
        const std::string_view style = svg.substr(0, svg.find("</style>"));
        svg.remove_prefix(style.size() + 8);
        rules_ = Rules(style);
        for (const auto& [name, value] : rules_.of("svg", ""))
          if (name.starts_with("--")) variables_[name] = value;
        continue;
      }
      tag.closes ? close(tag) : open(tag);
      if (tag.alone) close(tag);
    }
  }

 private:
  struct Level {
    Look look;
    bool moved = false;  // by a transform that ends with it
  };
  struct Piece {
    std::vector<PdfRun> runs;
    Look look;
    double down = 0;  // below the line of the text [px]
  };

  Rules rules_{""};
  Properties variables_;
  std::vector<Level> levels_{{}};
  bool in_text_ = false;
  double x_ = 0, y_ = 0, down_ = 0;
  Look text_look_;
  std::vector<Piece> pieces_;

  void open(const Tag& tag) {
    const Look& parent = levels_.back().look;
    Look look = parent;
    apply(tag.attributes, variables_, parent, look);
    apply(rules_.of(tag.name, tag.text("class")), variables_, parent, look);
    apply(declarations(tag.text("style")), variables_, parent, look);
    const bool moved = !tag.text("transform").empty();
    if (moved) move(tag.text("transform"));
    levels_.push_back({look, moved});
    if (tag.name == "svg") {
      width = tag.value("width");
      height = tag.value("height");
    } else if (tag.name == "path") {
      path(tag.text("d"), look);
    } else if (tag.name == "circle") {
      circle(tag.value("cx"), tag.value("cy"), tag.value("r"), look);
    } else if (tag.name == "rect") {
      rectangle(tag, look);
    } else if (tag.name == "text") {
      in_text_ = true;
      x_ = tag.value("x");
      y_ = tag.value("y");
      down_ = 0;
      text_look_ = look;
      pieces_.clear();
    } else if (tag.name == "tspan") {
      down_ += tag.value("dy");
    } else if (tag.name != "g") {
      refuse("<" + tag.name + ">");
    }
  }

  void close(const Tag& tag) {
    if (levels_.size() < 2) refuse("a </" + tag.name + "> too many");
    if (tag.name == "text") {
      write();
      in_text_ = false;
    }
    if (levels_.back().moved) content += "Q\n";
    levels_.pop_back();
  }

  // translate(X Y) or rotate(DEGREES X Y)
  void move(std::string_view text) {
    const std::string_view kind = cut(text, '(');
    std::string_view inside = cut(text, ')');
    const double first = take_number(inside), second = take_number(inside);
    if (kind == "translate") {
      content += fmt::format("q 1 0 0 1 {:.2f} {:.2f} cm\n", first, second);
      return;
    }
    if (kind != "rotate") refuse(kind);
    const double y = take_number(inside), angle = first * std::acos(-1.0) / 180;
    const double c = std::cos(angle), s = std::sin(angle);
    content += fmt::format("q {:.5f} {:.5f} {:.5f} {:.5f} {:.3f} {:.3f} cm\n", c, s, -s, c,
                           second - c * second + s * y, y - s * second - c * y);
  }

  void set(const Look& look) {
    const std::pair both(look.fill_opacity, look.stroke_opacity);
    const auto at = std::ranges::find(opacities, both);
    content += fmt::format("/G{} gs\n", at - opacities.begin());
    if (at == opacities.end()) opacities.push_back(both);
    if (look.fill) content += rgb(*look.fill, "rg");
    if (look.stroke) content += rgb(*look.stroke, "RG");
    content += fmt::format("{:.2f} w [{}] 0 d\n", look.width, look.dashes);
  }

  void paint_path(const Look& look) {
    content += look.fill && look.stroke ? "B\n" : look.fill ? "f\n" : look.stroke ? "S\n" : "n\n";
  }

  void path(std::string_view d, const Look& look) {
    if (!look.fill && !look.stroke) return;
    set(look);
    double x = 0, y = 0;
    while (!trimmed(d).empty()) {
      d = trimmed(d);
      const char command = d.front();
      d.remove_prefix(1);
      if (command == 'Z') {
        content += "h\n";
        continue;
      }
      if (command != 'M' && command != 'L' && command != 'h')
        refuse(fmt::format("a path with {}", command));
      x = command == 'h' ? x + take_number(d) : take_number(d);
      if (command != 'h') y = take_number(d);
      content += fmt::format("{:.2f} {:.2f} {}\n", x, y, command == 'M' ? 'm' : 'l');
    }
    paint_path(look);
  }

  // Four cubic curves, off the circle by 3e-4 of its radius.
  void circle(double x, double y, double r, const Look& look) {
    constexpr double k = 0.5522847498;
    set(look);
    content += fmt::format("{:.2f} {:.2f} m\n", x + r, y);
    double c = 1, s = 0;
    for (int quarter = 0; quarter < 4; ++quarter) {
      const double next_c = -s, next_s = c;
      content += fmt::format("{:.3f} {:.3f} {:.3f} {:.3f} {:.3f} {:.3f} c\n", x + r * (c - k * s),
                             y + r * (s + k * c), x + r * (next_c + k * next_s),
                             y + r * (next_s - k * next_c), x + r * next_c, y + r * next_s);
      c = next_c;
      s = next_s;
    }
    content += "h ";
    paint_path(look);
  }

  void rectangle(const Tag& tag, const Look& look) {
    const auto length = [&](const char* key, double whole) {
      return tag.text(key) == "100%" ? whole : tag.value(key);
    };
    set(look);
    content += fmt::format("{:.2f} {:.2f} {:.2f} {:.2f} re ", tag.value("x"), tag.value("y"),
                           length("width", width), length("height", height));
    paint_path(look);
  }

  void take_text(std::string_view text) {
    if (!in_text_ || text.empty()) return;
    const Look& look = levels_.back().look;
    pieces_.push_back({pdf_runs(plain(text), look.bold), look, down_});
  }

  void write() {
    double wide = 0;
    for (const Piece& piece : pieces_)
      for (const PdfRun& run : piece.runs) wide += run.width * run.size * piece.look.size;
    const std::string& anchor = text_look_.anchor;
    const double start = x_ - (anchor == "middle" ? 0.5 : anchor == "end" ? 1 : 0) * wide;
    for (const bool behind : {true, false}) {  // a halo is stroked behind all letters
      if (behind && !text_look_.halo) continue;
      double x = start;
      for (const Piece& piece : pieces_) {
        set(piece.look);
        for (const PdfRun& run : piece.runs) {
          const double size = run.size * piece.look.size;
          content += fmt::format("BT /F{} {:.2f} Tf {} Tr 1 0 0 -1 {:.2f} {:.2f} Tm ({}) Tj ET\n",
                                 static_cast<int>(run.font), size, behind ? 1 : 0, x,
                                 y_ + piece.down - run.rise * piece.look.size, escaped(run.bytes));
          x += run.width * size;
        }
      }
    }
  }
};

}  // namespace

std::string pdf_of(std::string_view svg) {
  Page page;
  page.read(svg);
  constexpr double point = 0.75;  // a CSS pixel
  const std::string content =
      fmt::format("1 J 1 j {0} 0 0 -{0} 0 {1:.2f} cm\n", point, point * page.height) + page.content;
  std::string states;
  for (std::size_t k = 0; k < page.opacities.size(); ++k)
    states += fmt::format("/G{} << /ca {:g} /CA {:g} >> ", k, page.opacities[k].first,
                          page.opacities[k].second);
  const std::vector<std::string> objects{
      "<< /Type /Catalog /Pages 2 0 R >>",
      "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
      fmt::format(
          "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {:.2f} {:.2f}] /Contents 4 0 R "
          "/Resources << /Font << /F0 5 0 R /F1 6 0 R /F2 7 0 R >> /ExtGState << {}>> >> >>",
          point * page.width, point * page.height, states),
      fmt::format("<< /Length {} >>\nstream\n{}endstream", content.size(), content),
      "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
      "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >>",
      "<< /Type /Font /Subtype /Type1 /BaseFont /Symbol >>"};
  std::string pdf = "%PDF-1.4\n%\xE2\xE3\xCF\xD3\n", table;
  for (std::size_t k = 0; k < objects.size(); ++k) {
    table += fmt::format("{:010} 00000 n \n", pdf.size());
    pdf += fmt::format("{} 0 obj\n{}\nendobj\n", k + 1, objects[k]);
  }
  const std::size_t count = objects.size() + 1;
  return pdf + fmt::format(
                   "xref\n0 {}\n0000000000 65535 f \n{}trailer\n<< /Size {} /Root 1 0 R "
                   ">>\nstartxref\n{}\n%%EOF\n",
                   count, table, count, pdf.size());
}

}  // namespace stiction::report
