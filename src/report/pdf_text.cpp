// SPDX-License-Identifier: Apache-2.0
#include "report/pdf_text.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace stiction::report {

namespace {

// Widths of the letters from space to ~, in thousandths of the size: Adobe's metrics of the fonts.
constexpr std::array<short, 95> plain_widths{
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333,  278, 278, 556, 556, 556,
    556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667,
    611, 778, 722, 278, 500, 667, 556, 833, 722, 778, 667, 778, 722, 667,  611, 722, 667, 944, 667,
    667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556, 556, 278,  556, 556, 222, 222, 500,
    222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500,  500, 334, 260, 334, 584};
constexpr std::array<short, 95> bold_widths{
    278, 333, 474, 556, 556, 889, 722, 238, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556,
    556, 556, 556, 556, 556, 556, 556, 333, 333, 584, 584, 584, 611, 975, 722, 722, 722, 722, 667,
    611, 778, 722, 278, 556, 722, 611, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667,
    667, 611, 333, 278, 333, 584, 556, 333, 556, 611, 556, 611, 556, 333, 611, 611, 278, 278, 556,
    278, 889, 611, 611, 611, 611, 389, 556, 333, 611, 556, 778, 556, 556, 500, 389, 280, 389, 584};

struct Sign {
  char32_t letter;
  unsigned char byte;
  short width;
};
// What Helvetica has beyond ASCII, in the encoding WinAnsi, as far as the figures use it.
constexpr std::array<Sign, 18> further{{{U'°', 0xB0, 400},
                                        {U'±', 0xB1, 584},
                                        {U'²', 0xB2, 333},
                                        {U'³', 0xB3, 333},
                                        {U'¹', 0xB9, 333},
                                        {U'·', 0xB7, 278},
                                        {U'×', 0xD7, 584},
                                        {U'½', 0xBD, 834},
                                        {U'¼', 0xBC, 834},
                                        {U'¾', 0xBE, 834},
                                        {U'é', 0xE9, 556},
                                        {U'ö', 0xF6, 556},
                                        {U'ü', 0xFC, 556},
                                        {U'ä', 0xE4, 556},
                                        {U'–', 0x96, 556},
                                        {U'—', 0x97, 1000},
                                        {U'’', 0x92, 222},
                                        {U'…', 0x85, 1000}}};
constexpr std::array<Sign, 47> symbols{
    {{U'α', 'a', 631},  {U'β', 'b', 549},  {U'γ', 'g', 411},  {U'δ', 'd', 494},  {U'ε', 'e', 439},
     {U'ζ', 'z', 494},  {U'η', 'h', 603},  {U'θ', 'q', 521},  {U'ι', 'i', 329},  {U'κ', 'k', 549},
     {U'λ', 'l', 549},  {U'μ', 'm', 576},  {U'ν', 'n', 521},  {U'ξ', 'x', 493},  {U'π', 'p', 549},
     {U'ρ', 'r', 549},  {U'σ', 's', 603},  {U'τ', 't', 439},  {U'υ', 'u', 576},  {U'φ', 'f', 521},
     {U'χ', 'c', 549},  {U'ψ', 'y', 686},  {U'ω', 'w', 686},  {U'Γ', 'G', 603},  {U'Δ', 'D', 612},
     {U'Θ', 'Q', 741},  {U'Λ', 'L', 686},  {U'Ξ', 'X', 645},  {U'Π', 'P', 768},  {U'Σ', 'S', 592},
     {U'Φ', 'F', 763},  {U'Ψ', 'Y', 795},  {U'Ω', 'W', 768},  {U'−', 0x2D, 549}, {U'∞', 0xA5, 713},
     {U'≤', 0xA3, 549}, {U'≥', 0xB3, 549}, {U'≠', 0xB9, 549}, {U'∂', 0xB6, 494}, {U'∇', 0xD1, 713},
     {U'∈', 0xCE, 713}, {U'√', 0xD6, 549}, {U'∫', 0xF2, 274}, {U'→', 0xAE, 987}, {U'≈', 0xBB, 549},
     {U'⊥', 0x5E, 658}, {U'∝', 0xB5, 713}}};

// Letters that are drawn small, above or below the line.
struct Small {
  char32_t letter;
  char as;  // - is drawn as a minus
  bool above;
};
constexpr std::array<Small, 31> small_ones{
    {{U'⁰', '0', true},  {U'⁴', '4', true},  {U'⁵', '5', true},  {U'⁶', '6', true},
     {U'⁷', '7', true},  {U'⁸', '8', true},  {U'⁹', '9', true},  {U'⁻', '-', true},
     {U'⁺', '+', true},  {U'ᵀ', 'T', true},  {U'ⁿ', 'n', true},  {U'₀', '0', false},
     {U'₁', '1', false}, {U'₂', '2', false}, {U'₃', '3', false}, {U'₄', '4', false},
     {U'₅', '5', false}, {U'₆', '6', false}, {U'₇', '7', false}, {U'₈', '8', false},
     {U'₉', '9', false}, {U'ₙ', 'n', false}, {U'ₜ', 't', false}, {U'ₓ', 'x', false},
     {U'ᵢ', 'i', false}, {U'ⱼ', 'j', false}, {U'ₖ', 'k', false}, {U'ₐ', 'a', false},
     {U'ₚ', 'p', false}, {U'ₛ', 's', false}, {U'ₘ', 'm', false}}};

// The letter that begins at `at`, which moves past it; what is not UTF-8 is a question mark.
char32_t next_letter(std::string_view text, std::size_t& at) {
  const auto byte = [&](std::size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
  };
  const unsigned first = byte(at++);
  if (first < 0x80) return first;
  const int more = first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : first >= 0xC0 ? 1 : 0;
  if (more == 0) return U'?';
  char32_t letter = first & (0x3FU >> more);
  for (int k = 0; k < more; ++k, ++at) {
    if ((byte(at) & 0xC0U) != 0x80) return U'?';
    letter = letter << 6U | (byte(at) & 0x3FU);
  }
  return letter;
}

PdfRun drawn(char32_t letter, bool bold) {
  const PdfFont own = bold ? PdfFont::bold : PdfFont::helvetica;
  const auto& widths = bold ? bold_widths : plain_widths;
  const auto ascii = [&](char as) {
    return PdfRun{own, std::string(1, as), 1e-3 * widths[static_cast<std::size_t>(as - ' ')], 1, 0};
  };
  if (letter >= U' ' && letter <= U'~') return ascii(static_cast<char>(letter));
  if (letter == U'µ') letter = U'μ';
  if (letter == U'‖') return {own, "||", 2e-3 * widths['|' - ' '], 1, 0};
  const auto of = [&](const Sign& sign, PdfFont font) {
    return PdfRun{font, std::string(1, static_cast<char>(sign.byte)), 1e-3 * sign.width, 1, 0};
  };
  for (const Sign& sign : further)
    if (sign.letter == letter) return of(sign, own);
  for (const Sign& sign : symbols)
    if (sign.letter == letter) return of(sign, PdfFont::symbol);
  for (const Small& small : small_ones)
    if (small.letter == letter) {
      PdfRun run = small.as == '-' ? drawn(U'−', bold) : ascii(small.as);
      run.size = 0.68;
      run.rise = small.above ? 0.36 : -0.16;
      return run;
    }
  return ascii('?');
}

}  // namespace

std::vector<PdfRun> pdf_runs(std::string_view text, bool bold) {
  std::vector<PdfRun> runs;
  for (std::size_t at = 0; at < text.size();) {
    PdfRun one = drawn(next_letter(text, at), bold);
    if (!runs.empty() && runs.back().font == one.font && runs.back().size == one.size &&
        runs.back().rise == one.rise) {
      runs.back().bytes += one.bytes;
      runs.back().width += one.width;
    } else {
      runs.push_back(std::move(one));
    }
  }
  return runs;
}

}  // namespace stiction::report
