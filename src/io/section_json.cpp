// SPDX-License-Identifier: Apache-2.0
#include "stiction/section_io.h"

#include "base/file.h"
#include "io/section_json.h"
#include "io/slider_json.h"
#include "stiction/patch.h"

namespace stiction {

namespace {

using io::Field;
using io::Json;

class FilePatch : public Patch {
 public:
  explicit FilePatch(const SliderFile& file) : Patch(file.slider()), file_(file) {}
  const SliderFile& file() const { return file_; }

 private:
  SliderFile file_;
};

// The library names what it refuses by the field below this one.
template <class Make>
Section below(const Field& field, const Make& make) {
  try {
    return make();
  } catch (const InvalidInput& error) {
    throw InvalidInput((field.path().empty() ? "" : field.path() + ".") + error.what());
  }
}

std::vector<double> numbers(const Field& list, std::size_t most) {
  if (list.size() > most) throw list.error("at most " + std::to_string(most) + " numbers");
  std::vector<double> result(list.size());
  list.numbers(result.data());
  return result;
}

std::vector<UpTo6> points(const Field& list) {
  std::vector<UpTo6> result;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const std::vector<double> point = numbers(list.at(i), 5);
    result.push_back(UpTo6::Map(point.data(), static_cast<Eigen::Index>(point.size())));
  }
  return result;
}

Json json_of(const UpTo6& point) {
  Json json = Json::array();
  for (const double x : point) json.push_back(io::number(x));
  return json;
}

Json ellipsoid_json(const Ellipsoid& e) {
  if (e.dimension == 1) return {{"section", "interval"}, {"size", io::number(e.axes[0])}};
  Json json = {{"section", "ellipsoid"}, {"mu", Json::array()}};
  for (int k = 0; k < e.dimension; ++k)
    json["mu"].push_back(io::number(e.axes[static_cast<std::size_t>(k)]));
  return json;
}

}  // namespace

namespace io {

Section section_from_json(const Field& field) {
  const Field kind = field.at("section");
  const std::string name = kind.text();
  if (name == "none") return {};
  if (name == "curve") return curve_section(law_from_json(field.at("law")));
  if (name == "interval") {
    const double size = field.at("size").number();
    return below(field, [&] { return interval_section(size); });
  }
  if (name == "ellipsoid") {
    const std::vector<double> mu = numbers(field.at("mu"), 5);
    return below(field, [&] { return ellipsoid_section(mu); });
  }
  if (name == "product") {
    const Field of = field.at("of");
    std::vector<Section> parts;
    for (std::size_t i = 0; i < of.size(); ++i) parts.push_back(section_from_json(of.at(i)));
    return below(field, [&] { return product_section(parts); });
  }
  if (name == "polytope") {
    const std::vector<UpTo6> given = points(field.at("points"));
    return below(field, [&] { return polytope_section(given); });
  }
  if (name == "patch") return patch_section(slider_from_json(field.at("slider")));
  throw kind.error("one of none, curve, interval, ellipsoid, product, polytope, patch");
}

Json to_json(const Section& section) {
  switch (section.kind()) {
    case Section::Kind::none:
      return {{"section", "none"}};
    case Section::Kind::ellipsoid:
      return ellipsoid_json(section.ellipsoid());
    case Section::Kind::curve:
      if (!section.law())
        throw InvalidInput("the section is a curve without a name, expected one made of a law");
      return {{"section", "curve"}, {"law", to_json(*section.law())}};
    case Section::Kind::product: {
      Json json = {{"section", "product"}, {"of", Json::array()}};
      for (const Section& part : section.parts()) json["of"].push_back(to_json(part));
      return json;
    }
    case Section::Kind::polytope: {
      Json json = {{"section", "polytope"}, {"points", Json::array()}};
      for (const UpTo6& point : section.polytope().vertices())
        json["points"].push_back(json_of(point));
      return json;
    }
    case Section::Kind::body:
      break;
  }
  const auto* patch = dynamic_cast<const FilePatch*>(&section.body());
  if (patch == nullptr)
    throw InvalidInput("the section is a patch whose slider has no file, expected one of a file");
  return {{"section", "patch"}, {"slider", to_json(patch->file())}};
}

}  // namespace io

Section patch_section(const SliderFile& file) {
  return body_section(std::make_shared<FilePatch>(file));
}

Section parse_section(std::string_view text, const std::string& name) {
  try {
    return io::section_from_json(Field(io::parse_json(text), ""));
  } catch (const InvalidInput& error) {
    throw InvalidInput(name + ": " + error.what());
  }
}

Section read_section(const std::filesystem::path& path) {
  return parse_section(read_file(path), path.string());
}

std::string section_json(const Section& section) {
  Json json = {{"format", "stiction/1"}};
  json.update(io::to_json(section));
  return json.dump() + "\n";
}

}  // namespace stiction
