// SPDX-License-Identifier: Apache-2.0
//
// Pictures by --figure: what they show, and that their PDF is one that readers accept.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <regex>
#include <stdexcept>

#include "report/pdf.h"
#include "report/pdf_text.h"
#include "support/answers.h"

namespace stiction::testing {
namespace {

using Json = nlohmann::json;

std::string scene(const std::string& name) { return STICTION_SOURCE "/scenes/" + name + ".json"; }

const std::vector<std::vector<std::string>>& pictures() {
  static const std::vector<std::vector<std::string>> list{
      {"slider", scene("cart"), "load", "--motion", "1,0.3,2"},
      {"slider", scene("tripod"), "motion", "--load", "0.3,0.1,0.02"},
      {"slider", scene("fingertip"), "points"},
      {"slider", scene("tripod"), "moment", "--at", "0.5,0"},
      {"slider", scene("cart"), "slide", "--velocity", "1,0.5,4"},
      {"slider", scene("square"), "push", "--contact=-0.5,0.2", "--normal", "1,0", "--mu", "0.3",
       "--velocity", "0.1,0"},
      {"slider", scene("dumbbell"), "surface", "--resolution", "12"}};
  return list;
}

std::vector<std::string> with_figure(std::vector<std::string> call, const std::string& path) {
  call.insert(call.end(), {"--figure", path});
  return call;
}

// A PDF's objects are where its table says, its streams as long as they say.
void expect_sound(const std::string& pdf, const std::string& what) {
  EXPECT_EQ(pdf.rfind("%PDF-1.4\n", 0), 0U) << what;
  EXPECT_EQ(pdf.substr(pdf.size() - 6), "%%EOF\n") << what;
  const std::size_t table = std::stoul(pdf.substr(pdf.rfind("startxref\n") + 10));
  ASSERT_EQ(pdf.substr(table, 5), "xref\n") << what;
  const std::size_t first = pdf.find("0000000000 65535 f \n", table) + 20;
  const std::regex entry(R"((\d{10}) 00000 n )");
  const std::string entries = pdf.substr(first, pdf.find("trailer") - first);
  int number = 0;
  for (std::sregex_iterator it(entries.begin(), entries.end(), entry), end; it != end; ++it) {
    const std::string object = std::to_string(++number) + " 0 obj\n";
    EXPECT_EQ(pdf.substr(std::stoul((*it)[1]), object.size()), object) << what;
  }
  EXPECT_EQ(number, 7) << what;
  const std::size_t length = pdf.find("/Length ") + 8, stream = pdf.find("stream\n") + 7;
  EXPECT_EQ(pdf.substr(stream + std::stoul(pdf.substr(length)), 9), "endstream") << what;
  // What is saved is restored.
  const std::string content = pdf.substr(stream, std::stoul(pdf.substr(length)));
  const auto count = [&](const char* command) {
    const std::regex line(std::string("(^|\\n)") + command);
    return std::distance(std::sregex_iterator(content.begin(), content.end(), line),
                         std::sregex_iterator());
  };
  EXPECT_EQ(count("q "), count("Q\n")) << what;
}

TEST(Figures, AreWrittenAsSvgAndAsPdf) {
  for (const auto& call : pictures()) {
    const Json svg = json_answer(with_figure(call, "picture.svg"));
    EXPECT_EQ(svg["figure"], "picture.svg") << call[2];
    const std::string text = slurp(scratch() / "picture.svg");
    EXPECT_EQ(text.rfind("<svg xmlns=", 0), 0U) << call[2];
    EXPECT_EQ(text.find("nan"), std::string::npos) << call[2];
    json_answer(with_figure(call, "picture.pdf"));
    const std::string pdf = slurp(scratch() / "picture.pdf");
    expect_sound(pdf, call[2]);
    EXPECT_EQ(pdf, report::pdf_of(text)) << call[2];  // the same picture, and the same bits
  }
}

// The answer is what it is without a picture.
TEST(Figures, ChangeNothingElse) {
  for (const auto& call : pictures()) {
    if (call[2] == "surface") continue;  // has no answer without a file
    Json with = json_answer(with_figure(call, "same.svg"));
    with.erase("figure");
    EXPECT_EQ(with, json_answer(call)) << call[2];
  }
}

// A wrong name is found before anything is done; a figure of nothing is refused.
TEST(Figures, RefuseWhatTheyCannotDraw) {
  const auto refused = [](const std::vector<std::string>& call, const std::string& name) {
    expect_refused(with_figure(call, name),
                   "--figure is '" + name + "', expected a name that ends in .svg or .pdf");
    EXPECT_FALSE(std::filesystem::exists(scratch() / "picture.png"));
  };
  for (const auto& call : pictures()) refused(call, "picture.png");
  refused(pictures()[0], "picture");
  refused(pictures()[0], "");
  expect_refused({"slider", scene("tripod"), "load", "--motion", "0,0,0", "--figure", "x.svg"},
                 "expected --motion to be one");
  expect_refused({"slider", scene("tripod"), "motion", "--load", "0,0,0", "--figure", "x.svg"},
                 "expected --load to be one");
  expect_refused({"slider", scene("square"), "push", "--edge=-0.5,-0.5,-0.5,0.5", "--mu", "0.3",
                  "--rotation-centre", "0,5", "--figure", "x.svg"},
                 "expected none with --edge");
  expect_refused({"slider", scene("tripod"), "surface"}, "--out is missing");
  EXPECT_FALSE(std::filesystem::exists(scratch() / "x.svg"));
}

// v²/2 = 4.5 m at μN/m = 1 m/s² takes 3 s.  The dumbbell's places at x = 0, y = ±1, begin at
// y = 0 ± 1 and end at 4.5 ± 1: the picture reaches from −1 to 5.5 m, and a little beyond.
TEST(Figures, OfAThrowTellWhereItEnds) {
  json_answer({"slider", scene("dumbbell"), "slide", "--velocity", "0,3,0", "--figure", "far.svg"});
  const std::string svg = slurp(scratch() / "far.svg");
  EXPECT_NE(svg.find(">at rest after 3 s<"), std::string::npos);
  const std::string upright = svg.substr(0, svg.find(">y [m]<"));
  for (const char* tick : {">0<", ">2<", ">4<"})
    EXPECT_NE(upright.find(std::string("text-anchor='end'") + tick), std::string::npos) << tick;
  for (const char* tick : {">-2<", ">6<"})
    EXPECT_EQ(upright.find(std::string("text-anchor='end'") + tick), std::string::npos) << tick;
}

TEST(Figures, OfTheReportAreChosenByName) {
  const Json answer = json_answer({"report", "--figure", "limit-curves.pdf"});
  EXPECT_EQ(answer["figure"], "limit-curves.pdf");
  const std::string pdf = slurp(scratch() / "limit-curves.pdf");
  expect_sound(pdf, "report");
  EXPECT_NE(pdf.find("(Coulomb disc) Tj"), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(scratch() / "out"));
  expect_refused({"report", "--figure", "nothing.pdf"},
                 "no figure is called 'nothing', expected one of ");
  expect_refused({"report", "--figure", "limit-curves.eps"}, "expected a name that ends in");
  expect_refused({"report", "--figures", "x", "--figure", "limit-curves.svg"}, "expected no");
}

// Every figure of the documentation, in all that they draw.
TEST(Figures, OfTheDocumentationAllBecomePdf) {
  int figures = 0;
  for (const auto& entry : std::filesystem::directory_iterator(STICTION_SOURCE "/docs/figures")) {
    if (entry.path().extension() != ".svg") continue;
    expect_sound(report::pdf_of(slurp(entry.path())), entry.path().string());
    ++figures;
  }
  EXPECT_GE(figures, 20);
}

std::string drawn(const std::string& inside) {
  return report::pdf_of(
      "<svg width='200' height='100'><style>.a{stroke:#f00}.a.b{stroke-width:3}"
      ".b{stroke-width:2}svg{--c:#00f}</style>" +
      inside + "</svg>");
}

// 200 × 100 px are 150 × 75 points, y downwards.
TEST(Pdf, DrawsWhereTheFigureDoes) {
  const std::string pdf = drawn("<rect x='10' y='20' width='30' height='40' fill='#0f0'/>");
  EXPECT_NE(pdf.find("/MediaBox [0 0 150.00 75.00]"), std::string::npos);
  EXPECT_NE(pdf.find("0.75 0 0 -0.75 0 75.00 cm\n"), std::string::npos);
  EXPECT_NE(pdf.find("0.000 1.000 0.000 rg\n"), std::string::npos);
  EXPECT_NE(pdf.find("10.00 20.00 30.00 40.00 re f\n"), std::string::npos);
}

TEST(Pdf, TakesTheRuleOfMostClasses) {
  EXPECT_NE(drawn("<path class='a b' d='M1 2L3 4' style='fill:none'/>").find("3.00 w"),
            std::string::npos);
  EXPECT_NE(drawn("<path class='b' d='M1 2L3 4'/>").find("2.00 w"), std::string::npos);
  const std::string mixed =
      drawn("<path d='M0 0L1 0L1 1Z' style='fill:color-mix(in srgb,var(--c) 25%,#fff)'/>");
  EXPECT_NE(mixed.find("0.750 0.750 1.000 rg\n"), std::string::npos);
}

// "mu" is 0.833 + 0.556 of its size wide, in Adobe's metrics of Helvetica.
TEST(Pdf, PlacesTextByItsMiddleAndItsEnd) {
  const double wide = 10 * (0.833 + 0.556);
  const auto start = [&](const char* anchor) {
    const std::string pdf = drawn("<text x='100' y='50' font-size='10' text-anchor='" +
                                  std::string(anchor) + "'>mu</text>");
    const std::size_t at = pdf.find(" Tr 1 0 0 -1 ");
    return std::stod(pdf.substr(at + 13));
  };
  EXPECT_NEAR(start("start"), 100, 0.01);
  EXPECT_NEAR(start("middle"), 100 - wide / 2, 0.01);
  EXPECT_NEAR(start("end"), 100 - wide, 0.01);
}

TEST(Pdf, WritesGreekAndSmallLetters) {
  const auto runs = report::pdf_runs("μ₁ ≤ r²·√2, ‖v‖", false);
  std::string helvetica, symbol;
  for (const report::PdfRun& run : runs)
    (run.font == report::PdfFont::symbol ? symbol : helvetica) += run.bytes;
  EXPECT_EQ(symbol, "m\xA3\xD6");
  EXPECT_EQ(helvetica,
            "1  r\xB2\xB7"
            "2, ||v||");
  EXPECT_LT(runs[1].rise, 0);
  EXPECT_LT(runs[1].size, 1);
  EXPECT_EQ(report::pdf_runs("日\xFF", false)[0].bytes, "??");
}

// What PDF is not told of is refused, not left out.
TEST(Pdf, RefusesWhatItDoesNotKnow) {
  for (const char* unknown :
       {"<ellipse rx='1' ry='2'/>", "<path d='M0 0C1 1 2 2 3 3'/>", "<path d='M0 0L1 x'/>",
        "<path fill='red' d='M0 0L1 1'/>", "<g transform='scale(2 2)'></g>", "</g></g></g>"})
    EXPECT_THROW(drawn(unknown), std::logic_error) << unknown;
}

}  // namespace
}  // namespace stiction::testing
