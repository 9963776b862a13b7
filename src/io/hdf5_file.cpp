// SPDX-License-Identifier: Apache-2.0
#include "io/hdf5_file.h"

#include <hdf5.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>

#include "base/isolated.h"

namespace stiction::io {

namespace {

// An HDF5 handle that closes itself.
class Handle {
 public:
  Handle(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {}
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  Handle& operator=(Handle&&) = delete;
  ~Handle() {
    if (id_ >= 0) close_(id_);
  }
  hid_t get() const { return id_; }
  bool ok() const { return id_ >= 0; }

 private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

void be_quiet() { H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr); }

class Reader {
 public:
  explicit Reader(std::string_view bytes)
      : bytes_(bytes),
        // Packed data can be larger than the file, but not without bound.
        budget_(16.0 * static_cast<double>(bytes.size())),
        access_(H5Pcreate(H5P_FILE_ACCESS), H5Pclose),
        file_(open(), H5Fclose) {
    if (!file_.ok()) throw InvalidInput("is not an HDF5 file, or is damaged");
  }

  void read(const Wanted& wanted, Arrays& arrays) {
    if (!has(wanted.path)) return;
    switch (wanted.want) {
      case Want::group: {
        const Handle group(H5Gopen2(file_.get(), wanted.path.c_str(), H5P_DEFAULT), H5Gclose);
        if (!group.ok()) throw InvalidInput(wanted.path + " cannot be opened, expected a group");
        arrays[wanted.path] = std::monostate();
        break;
      }
      case Want::integers:
        arrays[wanted.path] = numbers<int>(wanted.path);
        break;
      case Want::numbers:
        arrays[wanted.path] = numbers<double>(wanted.path);
        break;
      case Want::text:
        arrays[wanted.path] = text(wanted.path);
        break;
      case Want::attributes:
        integer_attributes(wanted.path, arrays);
        break;
    }
  }

 private:
  hid_t open() {
    be_quiet();
    if (bytes_.empty() || !access_.ok()) return -1;
    if (H5Pset_fapl_core(access_.get(), 1 << 16, 0) < 0) return -1;
    // HDF5 copies the image; the const_cast is its interface's.
    if (H5Pset_file_image(access_.get(), const_cast<char*>(bytes_.data()), bytes_.size()) < 0)
      return -1;
    return H5Fopen("image", H5F_ACC_RDONLY, access_.get());
  }

  // Whether every link of the way is there; HDF5 looks only at the last one.
  bool has(const std::string& path) const {
    for (std::size_t end = path.find('/', 1);; end = path.find('/', end + 1)) {
      if (H5Lexists(file_.get(), path.substr(0, end).c_str(), H5P_DEFAULT) <= 0) return false;
      if (end == std::string::npos) return true;
    }
  }

  void spend(double entries, const std::string& path) {
    budget_ -= entries;
    if (!(entries >= 0 && budget_ >= 0))
      throw InvalidInput(path + " has more entries than the file can hold");
  }

  struct Dataset {
    Handle set, type, space;
    H5T_class_t kind;
    hssize_t count;
  };
  Dataset dataset(const std::string& path) const {
    Handle set(H5Dopen2(file_.get(), path.c_str(), H5P_DEFAULT), H5Dclose);
    if (!set.ok()) throw InvalidInput(path + " cannot be opened, expected a dataset");
    Handle type(H5Dget_type(set.get()), H5Tclose), space(H5Dget_space(set.get()), H5Sclose);
    const H5T_class_t kind = type.ok() ? H5Tget_class(type.get()) : H5T_NO_CLASS;
    const hssize_t count = space.ok() ? H5Sget_simple_extent_npoints(space.get()) : -1;
    return {std::move(set), std::move(type), std::move(space), kind, count};
  }

  template <class Number>
  std::vector<Number> numbers(const std::string& path) {
    constexpr bool real = std::is_same_v<Number, double>;
    const Dataset data = dataset(path);
    if (data.kind != H5T_INTEGER && !(real && data.kind == H5T_FLOAT))
      throw InvalidInput(path + " has another type, expected " +
                         (real ? "numbers" : "whole numbers"));
    spend(static_cast<double>(data.count), path);
    std::vector<Number> values(static_cast<std::size_t>(data.count));
    const hid_t memory = real ? H5T_NATIVE_DOUBLE : H5T_NATIVE_INT;
    if (data.count > 0 &&
        H5Dread(data.set.get(), memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0)
      throw InvalidInput(path + " cannot be read, the file is damaged");
    return values;
  }

  std::string text(const std::string& path) {
    const Dataset data = dataset(path);
    if (data.kind != H5T_STRING || data.count != 1)
      throw InvalidInput(path + " has another type, expected a text");
    if (H5Tis_variable_str(data.type.get()) > 0) {
      char* found = nullptr;
      if (H5Dread(data.set.get(), data.type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT,
                  static_cast<void*>(&found)) < 0)
        throw InvalidInput(path + " cannot be read, the file is damaged");
      std::string result = found != nullptr ? found : "";
      H5free_memory(found);
      spend(static_cast<double>(result.size()), path);
      return result;
    }
    const std::size_t size = H5Tget_size(data.type.get());
    spend(static_cast<double>(size), path);
    std::string result(size, '\0');
    if (size > 0 &&
        H5Dread(data.set.get(), data.type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, result.data()) < 0)
      throw InvalidInput(path + " cannot be read, the file is damaged");
    result.resize(std::min(result.find('\0'), size));
    return result;
  }

  void integer_attributes(const std::string& path, Arrays& arrays) {
    const Handle object(H5Oopen(file_.get(), path.c_str(), H5P_DEFAULT), H5Oclose);
    const int count = object.ok() ? H5Aget_num_attrs(object.get()) : 0;
    for (int i = 0; i < count; ++i) {
      const Handle attribute(H5Aopen_by_idx(object.get(), ".", H5_INDEX_NAME, H5_ITER_INC,
                                            static_cast<hsize_t>(i), H5P_DEFAULT, H5P_DEFAULT),
                             H5Aclose);
      if (!attribute.ok()) continue;
      const Handle type(H5Aget_type(attribute.get()), H5Tclose);
      const Handle space(H5Aget_space(attribute.get()), H5Sclose);
      if (!type.ok() || H5Tget_class(type.get()) != H5T_INTEGER || !space.ok() ||
          H5Sget_simple_extent_npoints(space.get()) != 1)
        continue;
      const ssize_t length = H5Aget_name(attribute.get(), 0, nullptr);
      if (length <= 0) continue;
      spend(static_cast<double>(length), path);
      std::string name(static_cast<std::size_t>(length) + 1, '\0');
      int value = 0;
      if (H5Aget_name(attribute.get(), name.size(), name.data()) != length ||
          H5Aread(attribute.get(), H5T_NATIVE_INT, &value) < 0)
        continue;
      name.pop_back();
      arrays[path + "@" + name] = std::vector<int>{value};
    }
  }

  std::string_view bytes_;
  double budget_;  // entries that may still be read
  Handle access_, file_;
};

template <class Number>
void write_numbers(hid_t file, hid_t links, const std::string& path,
                   const std::vector<Number>& values) {
  constexpr bool real = std::is_same_v<Number, double>;
  const hsize_t size = values.size();
  const Handle space(H5Screate_simple(1, &size, nullptr), H5Sclose);
  const std::size_t at = path.find('@');
  if (at != std::string::npos) {
    const Handle object(H5Oopen(file, path.substr(0, at).c_str(), H5P_DEFAULT), H5Oclose);
    const Handle attribute(H5Acreate2(object.get(), path.substr(at + 1).c_str(), H5T_STD_I32LE,
                                      space.get(), H5P_DEFAULT, H5P_DEFAULT),
                           H5Aclose);
    if (!attribute.ok() || H5Awrite(attribute.get(), H5T_NATIVE_INT, values.data()) < 0)
      throw InvalidInput("HDF5 cannot write " + path);
    return;
  }
  const Handle set(H5Dcreate2(file, path.c_str(), real ? H5T_IEEE_F64LE : H5T_STD_I32LE,
                              space.get(), links, H5P_DEFAULT, H5P_DEFAULT),
                   H5Dclose);
  if (!set.ok() || (size > 0 && H5Dwrite(set.get(), real ? H5T_NATIVE_DOUBLE : H5T_NATIVE_INT,
                                         H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0))
    throw InvalidInput("HDF5 cannot write " + path);
}

void write_text(hid_t file, hid_t links, const std::string& path, const std::string& text) {
  const Handle type(H5Tcopy(H5T_C_S1), H5Tclose), space(H5Screate(H5S_SCALAR), H5Sclose);
  H5Tset_size(type.get(), text.size() + 1);
  const Handle set(
      H5Dcreate2(file, path.c_str(), type.get(), space.get(), links, H5P_DEFAULT, H5P_DEFAULT),
      H5Dclose);
  if (!set.ok() || H5Dwrite(set.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, text.c_str()) < 0)
    throw InvalidInput("HDF5 cannot write " + path);
}

}  // namespace

Arrays read_hdf5(std::string_view bytes,
                 const std::function<std::vector<Wanted>(const Arrays&)>& next,
                 const Progress& progress) {
  // Files that are not hostile take a hundredth of this time and a tenth of this memory.
  const auto size = static_cast<double>(bytes.size());
  const Limits limits{.cpu_seconds = 0.5 + size / 20e6, .bytes = (64U << 20) + 160 * bytes.size()};
  return unpack(isolated(
      limits, "is a damaged HDF5 file: HDF5 fails on it",
      [&] {
        Reader reader(bytes);
        Arrays arrays;
        for (auto wanted = next(arrays); !wanted.empty(); wanted = next(arrays))
          for (const Wanted& each : wanted) reader.read(each, arrays);
        return pack(arrays);
      },
      progress));
}

std::string write_hdf5(const Arrays& arrays) {
  be_quiet();
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5Pset_fapl_core(access.get(), 1 << 16, 0);
  const Handle file(H5Fcreate("image", H5F_ACC_TRUNC, H5P_DEFAULT, access.get()), H5Fclose);
  if (!file.ok()) throw InvalidInput("HDF5 cannot make a file in memory");
  const Handle links(H5Pcreate(H5P_LINK_CREATE), H5Pclose);  // groups on the way are made
  H5Pset_create_intermediate_group(links.get(), 1);
  for (const auto& [path, array] : arrays) {
    if (std::holds_alternative<std::monostate>(array)) {
      const Handle group(
          H5Gcreate2(file.get(), path.c_str(), links.get(), H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
      if (!group.ok()) throw InvalidInput("HDF5 cannot write " + path);
    }
    if (const auto* integers = std::get_if<std::vector<int>>(&array))
      write_numbers(file.get(), links.get(), path, *integers);
    if (const auto* reals = std::get_if<std::vector<double>>(&array))
      write_numbers(file.get(), links.get(), path, *reals);
    if (const auto* text = std::get_if<std::string>(&array))
      write_text(file.get(), links.get(), path, *text);
  }
  H5Fflush(file.get(), H5F_SCOPE_GLOBAL);
  const ssize_t size = H5Fget_file_image(file.get(), nullptr, 0);
  std::string result(static_cast<std::size_t>(std::max<ssize_t>(size, 0)), '\0');
  if (size <= 0 || H5Fget_file_image(file.get(), result.data(), result.size()) != size)
    throw InvalidInput("HDF5 cannot give its file back");
  return result;
}

// An array is its path, its kind and its entries, each text and list after its length.
std::string pack(const Arrays& arrays) {
  std::string out;
  const auto add = [&](const void* data, std::size_t count, std::size_t size) {
    const std::uint64_t length = count;
    out.append(reinterpret_cast<const char*>(&length), sizeof length);
    if (count > 0) out.append(static_cast<const char*>(data), count * size);
  };
  for (const auto& [path, array] : arrays) {
    add(path.data(), path.size(), 1);
    out += static_cast<char>(array.index());
    if (const auto* integers = std::get_if<std::vector<int>>(&array))
      add(integers->data(), integers->size(), sizeof(int));
    if (const auto* reals = std::get_if<std::vector<double>>(&array))
      add(reals->data(), reals->size(), sizeof(double));
    if (const auto* text = std::get_if<std::string>(&array)) add(text->data(), text->size(), 1);
  }
  return out;
}

Arrays unpack(std::string_view bytes) {
  const auto take = [&](auto list) {
    std::uint64_t length = 0;
    constexpr std::size_t size = sizeof(list[0]);
    if (bytes.size() < sizeof length) throw InvalidInput("is cut short");
    std::memcpy(&length, bytes.data(), sizeof length);
    bytes.remove_prefix(sizeof length);
    if (length > bytes.size() / size) throw InvalidInput("is cut short");
    list.resize(length);
    if (length > 0) std::memcpy(list.data(), bytes.data(), length * size);
    bytes.remove_prefix(length * size);
    return list;
  };
  Arrays arrays;
  while (!bytes.empty()) {
    const std::string path = take(std::string());
    if (bytes.empty()) throw InvalidInput("is cut short");
    const char kind = bytes.front();
    bytes.remove_prefix(1);
    if (kind == 0) arrays[path] = std::monostate();
    if (kind == 1) arrays[path] = take(std::vector<int>());
    if (kind == 2) arrays[path] = take(std::vector<double>());
    if (kind == 3) arrays[path] = take(std::string());
  }
  return arrays;
}

}  // namespace stiction::io
