// A thin, checked layer over the netCDF C library: what a run file needs and no more.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace nhot {

/// A call of the library failed. Callers turn it into an error a user understands.
class NetcdfError : public std::runtime_error {
 public:
  NetcdfError(int status, const std::string& what);
  int status() const { return status_; }

 private:
  int status_;
};

/// A dimension, a variable: numbers the library gave out.
struct NcDimension {
  int id = -1;
};
struct NcVariable {
  int group = -1;
  int id = -1;
};

/// Types of variables, by the C++ type.
enum class NcType { int8, uint8, int32, int64, float32, float64 };

/// A truth value is a byte, 0 or 1.
using NcAttribute = std::variant<std::string, bool, std::int64_t, std::uint64_t, double,
                                 std::vector<std::int64_t>, std::vector<double>>;

/// How a variable is laid out: chunk sizes per dimension (empty: contiguous), deflated or not.
struct NcStorage {
  std::vector<std::size_t> chunks = {};
  bool deflate = false;
};

/// A group of an open file; valid as long as the file is.
class NcGroup {
 public:
  explicit NcGroup(int id = -1) : id_(id) {}

  std::optional<NcGroup> find_group(const std::string& name) const;
  NcGroup define_group(const std::string& name) const;

  NcDimension define_dimension(const std::string& name, std::size_t size) const;
  NcDimension define_unlimited(const std::string& name) const;
  std::optional<std::size_t> find_dimension(const std::string& name) const;

  NcVariable define(const std::string& name, NcType type,
                    std::initializer_list<NcDimension> dimensions,
                    const NcStorage& storage = {}) const;
  std::optional<NcVariable> find(const std::string& name) const;
  NcVariable get(const std::string& name) const;  // NetcdfError when missing
  /// Names in order of definition.
  std::vector<std::string> variables() const;
  /// Sizes of a variable's dimensions.
  std::vector<std::size_t> shape(NcVariable variable) const;

  void put_attribute(const std::string& name, const NcAttribute& value) const;
  void put_attribute(NcVariable variable, const std::string& name, const NcAttribute& value) const;
  std::vector<std::string> attributes() const;
  std::optional<NcAttribute> attribute(const std::string& name) const;
  std::optional<NcAttribute> attribute(NcVariable variable, const std::string& name) const;

 private:
  int id_;
};

/// Part of a variable: where it begins and how many along each dimension.
struct NcPart {
  std::vector<std::size_t> begin;
  std::vector<std::size_t> count;
};

void write(NcVariable variable, const NcPart& part, std::span<const std::int8_t> values);
void write(NcVariable variable, const NcPart& part, std::span<const std::uint8_t> values);
void write(NcVariable variable, const NcPart& part, std::span<const std::int32_t> values);
void write(NcVariable variable, const NcPart& part, std::span<const std::int64_t> values);
void write(NcVariable variable, const NcPart& part, std::span<const float> values);
void write(NcVariable variable, const NcPart& part, std::span<const double> values);

void read(NcVariable variable, const NcPart& part, std::span<std::int8_t> values);
void read(NcVariable variable, const NcPart& part, std::span<std::uint8_t> values);
void read(NcVariable variable, const NcPart& part, std::span<std::int32_t> values);
void read(NcVariable variable, const NcPart& part, std::span<std::int64_t> values);
void read(NcVariable variable, const NcPart& part, std::span<float> values);
void read(NcVariable variable, const NcPart& part, std::span<double> values);

/// An open netCDF-4 file. The destructor closes it and swallows errors: call close() after writing.
class NcFile {
 public:
  static NcFile create(const std::filesystem::path& path);
  /// Refuses a file whose header promises much more than the file can hold.
  static NcFile open(const std::filesystem::path& path);
  static NcFile open_to_write(const std::filesystem::path& path);

  NcFile(NcFile&& other) noexcept : id_(other.id_) { other.id_ = -1; }
  NcFile& operator=(NcFile&&) = delete;
  ~NcFile();

  NcGroup root() const { return NcGroup(id_); }
  /// Writes everything out; NetcdfError when that fails, and the file is closed anyway.
  void close();

 private:
  explicit NcFile(int id) : id_(id) {}
  int id_;
};

}  // namespace nhot
