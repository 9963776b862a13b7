// SPDX-License-Identifier: Apache-2.0
#include "io/quick_json.h"

#include <charconv>
#include <cmath>

namespace stiction::io {

namespace {

class Quick {
 public:
  Quick(std::string_view text, Depth most, const Progress& progress)
      : begin_(text.data()),
        at_(begin_),
        end_(begin_ + text.size()),
        next_(begin_),
        most_(most),
        progress_(progress) {}

  bool all(Json& json) {
    tell();
    if (!value(json, 0)) return false;
    skip_space();
    return at_ == end_;
  }

 private:
  static constexpr std::ptrdiff_t look = 1 << 20;  // bytes between two looks at the progress

  char here() const { return at_ != end_ ? *at_ : '\0'; }
  void skip_space() {
    while (at_ != end_ && (*at_ == ' ' || *at_ == '\n' || *at_ == '\t' || *at_ == '\r')) ++at_;
  }
  bool take(char c) {
    skip_space();
    if (here() != c) return false;
    ++at_;
    return true;
  }
  void tell() {
    if (progress_ &&
        !progress_(static_cast<double>(at_ - begin_) / static_cast<double>(end_ - begin_ + 1)))
      throw Stopped("stopped before all was read");
  }

  bool value(Json& json, std::size_t level) {
    if (at_ - next_ > 0) {
      next_ = at_ + look;
      tell();
    }
    skip_space();
    const char c = here();
    if (c == '[') return level < most_.levels && array(json, level + 1);
    if (c == '{') return level < most_.levels && object(json, level + 1);
    if (c == '"') {
      std::string text;
      if (!string(text)) return false;
      json = std::move(text);
      return true;
    }
    if (c == '-' || is_digit(c)) return number(json);
    if (word("null")) return true;  // a Json is null
    if (word("true")) return json = true, true;
    if (word("false")) return json = false, true;
    return false;
  }
  bool array(Json& json, std::size_t level) {
    ++at_;
    json = Json::array();
    auto& list = json.get_ref<Json::array_t&>();
    if (take(']')) return true;
    do {
      list.emplace_back();
      if (!value(list.back(), level)) return false;
    } while (take(','));
    return take(']');
  }
  bool object(Json& json, std::size_t level) {
    ++at_;
    json = Json::object();
    auto& fields = json.get_ref<Json::object_t&>();
    if (take('}')) return true;
    do {
      std::string key;
      skip_space();
      if (!string(key) || !take(':')) return false;
      // A key given twice is left to the other reader, which refuses it by name.
      if (fields.size() >= most_.keys || fields.find(key) != fields.end()) return false;
      if (!value(fields[key], level)) return false;
    } while (take(','));
    return take('}');
  }
  // Of printable ASCII without escapes.
  bool string(std::string& text) {
    if (here() != '"') return false;
    const char* first = ++at_;
    while (at_ != end_ && *at_ != '"') {
      const auto c = static_cast<unsigned char>(*at_++);
      if (c < 32 || c > 126 || c == '\\') return false;
    }
    if (at_ == end_) return false;
    text.assign(first, at_++);
    return true;
  }
  static bool is_digit(char c) { return c >= '0' && c <= '9'; }
  bool digits() {
    if (!is_digit(here())) return false;
    while (is_digit(here())) ++at_;
    return true;
  }
  bool number(Json& json) {
    const char* first = at_;
    if (here() == '-') ++at_;
    const char* lead = at_;
    if (!digits() || (*lead == '0' && at_ - lead > 1)) return false;
    if (here() != '.' && here() != 'e' && here() != 'E') {
      if (at_ - lead > 18) return false;  // may be too long for 64 bits
      std::int64_t found = 0;
      std::from_chars(first, at_, found);
      if (*first == '-')
        json = found;
      else
        json = static_cast<std::uint64_t>(found);
      return true;
    }
    if (here() == '.' && (++at_, !digits())) return false;
    if (here() == 'e' || here() == 'E') {
      ++at_;
      if (here() == '+' || here() == '-') ++at_;
      if (!digits()) return false;
    }
    double found = 0;
    const auto [end, failure] = std::from_chars(first, at_, found);
    if (failure != std::errc() || end != at_ || !std::isfinite(found)) return false;
    json = found;
    return true;
  }
  bool word(std::string_view expected) {
    if (static_cast<std::size_t>(end_ - at_) < expected.size() ||
        std::string_view(at_, expected.size()) != expected)
      return false;
    at_ += expected.size();
    return true;
  }

  const char *begin_, *at_, *end_, *next_;
  Depth most_;
  const Progress& progress_;
};

}  // namespace

std::optional<Json> quick_json(std::string_view text, Depth most, const Progress& progress) {
  Json json;
  if (Quick(text, most, progress).all(json)) return json;
  return std::nullopt;
}

}  // namespace stiction::io
