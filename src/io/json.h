// SPDX-License-Identifier: Apache-2.0
//
// Reading JSON with errors that name the field: `law[3].mu is -0.2, expected a number ≥ 0`.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "stiction/law.h"
#include "stiction/progress.h"

namespace stiction::io {

using Json = nlohmann::ordered_json;

// A value and how it is reached from the top, for messages.
class Field {
 public:
  Field(const Json& value, std::string path) : value_(&value), path_(std::move(path)) {}

  const Json& value() const { return *value_; }
  const std::string& path() const { return path_; }

  InvalidInput error(const std::string& expected) const;

  bool has(const char* key) const { return value_->is_object() && value_->contains(key); }
  Field at(const char* key) const;    // throws if it is not an object, or lacks the key
  Field at(std::size_t index) const;  // of an array, index checked by the caller
  std::size_t size() const;           // of an array; throws if it is none
  double number() const;              // finite
  double number_or(const char* key, double otherwise) const;
  int integer(int least, int greatest) const;
  std::string text() const;
  Vec2 point() const;               // [x, y]
  void numbers(double* out) const;  // of an array, each finite

 private:
  const Json* value_;
  std::string path_;
};

// Parses text; throws InvalidInput with the position where it is not JSON, with the key that an
// object has twice, and Stopped.
Json parse_json(std::string_view text, const Progress& progress = {});

// Numbers in round-trip digits, never NaN or infinite.
Json number(double value);

Law law_from_json(const Field& field);
Json to_json(const Law& law);

}  // namespace stiction::io
