#include "nhot/io/netcdf_file.hpp"

#include <netcdf.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "nhot/base/contracts.hpp"
#include "nhot/base/error.hpp"
#include "nhot/io/hdf5_exit.hpp"

namespace nhot {
namespace {

void check(int status, std::string_view what) {
  if (status != NC_NOERR) throw NetcdfError(status, std::string(what));
}

nc_type type_of(NcType type) {
  switch (type) {
    case NcType::int8:
      return NC_BYTE;
    case NcType::uint8:
      return NC_UBYTE;
    case NcType::int32:
      return NC_INT;
    case NcType::int64:
      return NC_INT64;
    case NcType::float32:
      return NC_FLOAT;
    case NcType::float64:
      return NC_DOUBLE;
  }
  return NC_NAT;
}

std::string attribute_text(int group, int variable, const std::string& name, std::size_t length) {
  std::string text(length, '\0');
  if (length > 0) check(nc_get_att_text(group, variable, name.c_str(), text.data()), name);
  return text;
}

/// An attribute of the kinds that run files have; strings as NC_CHAR or as NC_STRING.
std::optional<NcAttribute> read_attribute(int group, int variable, const std::string& name) {
  nc_type type = NC_NAT;
  std::size_t length = 0;
  const int status = nc_inq_att(group, variable, name.c_str(), &type, &length);
  if (status == NC_ENOTATT) return std::nullopt;
  check(status, name);
  if (type == NC_CHAR) return attribute_text(group, variable, name, length);
  if (type == NC_STRING) {
    std::vector<char*> texts(length, nullptr);
    if (length > 0) check(nc_get_att_string(group, variable, name.c_str(), texts.data()), name);
    std::string joined;
    for (const char* text : texts) joined += text ? text : "";
    if (length > 0) nc_free_string(length, texts.data());
    return joined;
  }
  if (type == NC_FLOAT || type == NC_DOUBLE) {
    std::vector<double> values(length);
    check(nc_get_att_double(group, variable, name.c_str(), values.data()), name);
    if (length == 1) return values.front();
    return values;
  }
  if (type == NC_UINT64 && length == 1) {
    unsigned long long value = 0;
    check(nc_get_att_ulonglong(group, variable, name.c_str(), &value), name);
    return std::uint64_t{value};
  }
  std::vector<long long> values(length);
  check(nc_get_att_longlong(group, variable, name.c_str(), values.data()), name);
  if (type == NC_BYTE && length == 1 && (values[0] == 0 || values[0] == 1)) return values[0] == 1;
  if (length == 1) return std::int64_t{values.front()};
  return std::vector<std::int64_t>(values.begin(), values.end());
}

void write_attribute(int group, int variable, const std::string& name, const NcAttribute& value) {
  const char* key = name.c_str();
  int status = NC_NOERR;
  if (const auto* text = std::get_if<std::string>(&value)) {
    status = nc_put_att_text(group, variable, key, text->size(), text->data());
  } else if (const auto* truth = std::get_if<bool>(&value)) {
    const signed char byte = *truth ? 1 : 0;
    status = nc_put_att_schar(group, variable, key, NC_BYTE, 1, &byte);
  } else if (const auto* integer = std::get_if<std::int64_t>(&value)) {
    const long long number = *integer;
    status = nc_put_att_longlong(group, variable, key, NC_INT64, 1, &number);
  } else if (const auto* natural = std::get_if<std::uint64_t>(&value)) {
    const unsigned long long number = *natural;
    status = nc_put_att_ulonglong(group, variable, key, NC_UINT64, 1, &number);
  } else if (const auto* real = std::get_if<double>(&value)) {
    status = nc_put_att_double(group, variable, key, NC_DOUBLE, 1, real);
  } else if (const auto* reals = std::get_if<std::vector<double>>(&value)) {
    status = nc_put_att_double(group, variable, key, NC_DOUBLE, reals->size(), reals->data());
  } else {
    const auto& list = std::get<std::vector<std::int64_t>>(value);
    const std::vector<long long> numbers(list.begin(), list.end());
    status = nc_put_att_longlong(group, variable, key, NC_INT64, numbers.size(), numbers.data());
  }
  check(status, "attribute " + name);
}

std::vector<std::string> attribute_names(int group, int variable) {
  int count = 0;
  check(variable == NC_GLOBAL ? nc_inq_natts(group, &count)
                              : nc_inq_varnatts(group, variable, &count),
        "attributes");
  std::vector<std::string> names;
  for (int k = 0; k < count; ++k) {
    std::array<char, NC_MAX_NAME + 1> name{};
    check(nc_inq_attname(group, variable, k, name.data()), "attribute");
    names.emplace_back(name.data());
  }
  return names;
}

std::size_t size_of(const NcPart& part) {
  return std::accumulate(part.count.begin(), part.count.end(), std::size_t{1}, std::multiplies<>());
}

template <class T, class Call>
void move_values(NcVariable variable, const NcPart& part, std::span<T> values, Call call) {
  if (values.size() != size_of(part))
    throw InternalError("a part of a netCDF variable has another size than its values");
  if (!values.empty())
    check(call(variable.group, variable.id, part.begin.data(), part.count.data(), values.data()),
          "values of a variable");
}

/// What deflate can make of a byte, and some.
constexpr std::uint64_t most_packed = 2000;

/// A few bytes of a header can promise any size: nothing may be larger than what the file can hold,
/// for readers take memory for it.
void check_promises(int group, std::uint64_t most) {
  int count = 0;
  check(nc_inq_dimids(group, &count, nullptr, 0), "dimensions");
  std::vector<int> dimensions(static_cast<std::size_t>(count));
  check(nc_inq_dimids(group, &count, dimensions.data(), 0), "dimensions");
  const auto length_of = [&](int dimension) {
    std::size_t length = 0;
    check(nc_inq_dimlen(group, dimension, &length), "a dimension");
    if (length > most) throw NetcdfError(NC_EDIMSIZE, "a dimension longer than the file");
    return length;
  };
  for (const int dimension : dimensions) length_of(dimension);
  check(nc_inq_nvars(group, &count), "variables");
  for (int variable = 0; variable < count; ++variable) {
    int rank = 0;
    check(nc_inq_varndims(group, variable, &rank), "a variable");
    std::vector<int> sides(static_cast<std::size_t>(rank));
    check(nc_inq_vardimid(group, variable, sides.data()), "a variable");
    std::uint64_t left = most;
    for (const int side : sides) left /= std::max<std::uint64_t>(1, length_of(side));
    if (left == 0) throw NetcdfError(NC_EDIMSIZE, "a variable larger than the file");
  }
  check(nc_inq_grps(group, &count, nullptr), "groups");
  std::vector<int> groups(static_cast<std::size_t>(count));
  check(nc_inq_grps(group, &count, groups.data()), "groups");
  for (const int inner : groups) check_promises(inner, most);
}

}  // namespace

NetcdfError::NetcdfError(int status, const std::string& what)
    : std::runtime_error(what + ": " + nc_strerror(status)), status_(status) {}

// --- groups

std::optional<NcGroup> NcGroup::find_group(const std::string& name) const {
  int id = -1;
  const int status = nc_inq_grp_ncid(id_, name.c_str(), &id);
  if (status == NC_ENOGRP) return std::nullopt;
  check(status, name);
  return NcGroup(id);
}

NcGroup NcGroup::define_group(const std::string& name) const {
  int id = -1;
  check(nc_def_grp(id_, name.c_str(), &id), "group " + name);
  return NcGroup(id);
}

NcDimension NcGroup::define_dimension(const std::string& name, std::size_t size) const {
  NHOT_EXPECTS(size > 0);  // a size of 0 would mean unlimited
  NcDimension dimension;
  check(nc_def_dim(id_, name.c_str(), size, &dimension.id), "dimension " + name);
  return dimension;
}

NcDimension NcGroup::define_unlimited(const std::string& name) const {
  NcDimension dimension;
  check(nc_def_dim(id_, name.c_str(), NC_UNLIMITED, &dimension.id), "dimension " + name);
  return dimension;
}

std::optional<std::size_t> NcGroup::find_dimension(const std::string& name) const {
  int id = -1;
  const int status = nc_inq_dimid(id_, name.c_str(), &id);
  if (status == NC_EBADDIM) return std::nullopt;
  check(status, name);
  std::size_t size = 0;
  check(nc_inq_dimlen(id_, id, &size), name);
  return size;
}

NcVariable NcGroup::define(const std::string& name, NcType type,
                           std::initializer_list<NcDimension> dimensions,
                           const NcStorage& storage) const {
  std::vector<int> ids;
  for (const NcDimension dimension : dimensions) ids.push_back(dimension.id);
  NcVariable variable{id_, -1};
  check(nc_def_var(id_, name.c_str(), type_of(type), static_cast<int>(ids.size()), ids.data(),
                   &variable.id),
        "variable " + name);
  if (!storage.chunks.empty())
    check(nc_def_var_chunking(id_, variable.id, NC_CHUNKED, storage.chunks.data()), name);
  if (storage.deflate) check(nc_def_var_deflate(id_, variable.id, 1, 1, 1), name);
  return variable;
}

std::optional<NcVariable> NcGroup::find(const std::string& name) const {
  NcVariable variable{id_, -1};
  const int status = nc_inq_varid(id_, name.c_str(), &variable.id);
  if (status == NC_ENOTVAR) return std::nullopt;
  check(status, name);
  return variable;
}

NcVariable NcGroup::get(const std::string& name) const {
  const std::optional<NcVariable> variable = find(name);
  if (!variable) throw NetcdfError(NC_ENOTVAR, name);
  return *variable;
}

std::vector<std::string> NcGroup::variables() const {
  int count = 0;
  check(nc_inq_varids(id_, &count, nullptr), "variables");
  std::vector<int> ids(static_cast<std::size_t>(count));
  check(nc_inq_varids(id_, &count, ids.data()), "variables");
  std::vector<std::string> names;
  for (const int id : ids) {
    std::array<char, NC_MAX_NAME + 1> name{};
    check(nc_inq_varname(id_, id, name.data()), "variable");
    names.emplace_back(name.data());
  }
  return names;
}

std::vector<std::size_t> NcGroup::shape(NcVariable variable) const {
  int count = 0;
  check(nc_inq_varndims(id_, variable.id, &count), "dimensions");
  std::vector<int> ids(static_cast<std::size_t>(count));
  check(nc_inq_vardimid(id_, variable.id, ids.data()), "dimensions");
  std::vector<std::size_t> sizes(ids.size());
  for (std::size_t k = 0; k < ids.size(); ++k)
    check(nc_inq_dimlen(id_, ids[k], &sizes[k]), "dimension");
  return sizes;
}

void NcGroup::put_attribute(const std::string& name, const NcAttribute& value) const {
  write_attribute(id_, NC_GLOBAL, name, value);
}
void NcGroup::put_attribute(NcVariable variable, const std::string& name,
                            const NcAttribute& value) const {
  write_attribute(id_, variable.id, name, value);
}
std::vector<std::string> NcGroup::attributes() const { return attribute_names(id_, NC_GLOBAL); }
std::optional<NcAttribute> NcGroup::attribute(const std::string& name) const {
  return read_attribute(id_, NC_GLOBAL, name);
}
std::optional<NcAttribute> NcGroup::attribute(NcVariable variable, const std::string& name) const {
  return read_attribute(id_, variable.id, name);
}

// --- values

void write(NcVariable v, const NcPart& part, std::span<const std::int8_t> values) {
  move_values(v, part, values, nc_put_vara_schar);
}
void write(NcVariable v, const NcPart& part, std::span<const std::uint8_t> values) {
  move_values(v, part, values, nc_put_vara_uchar);
}
void write(NcVariable v, const NcPart& part, std::span<const std::int32_t> values) {
  move_values(v, part, values, nc_put_vara_int);
}
void write(NcVariable v, const NcPart& part, std::span<const float> values) {
  move_values(v, part, values, nc_put_vara_float);
}
void write(NcVariable v, const NcPart& part, std::span<const double> values) {
  move_values(v, part, values, nc_put_vara_double);
}
void write(NcVariable v, const NcPart& part, std::span<const std::int64_t> values) {
  move_values(
      v, part, values,
      [](int group, int id, const auto* begin, const auto* count, const std::int64_t* from) {
        return nc_put_vara(group, id, begin, count, from);  // the variable is int64 too
      });
}

void read(NcVariable v, const NcPart& part, std::span<std::int8_t> values) {
  move_values(v, part, values, nc_get_vara_schar);
}
void read(NcVariable v, const NcPart& part, std::span<std::uint8_t> values) {
  move_values(v, part, values, nc_get_vara_uchar);
}
void read(NcVariable v, const NcPart& part, std::span<std::int32_t> values) {
  move_values(v, part, values, nc_get_vara_int);
}
void read(NcVariable v, const NcPart& part, std::span<float> values) {
  move_values(v, part, values, nc_get_vara_float);
}
void read(NcVariable v, const NcPart& part, std::span<double> values) {
  move_values(v, part, values, nc_get_vara_double);
}
void read(NcVariable v, const NcPart& part, std::span<std::int64_t> values) {
  // By way of the library's own type, so that a file with other integers is converted.
  std::vector<long long> converted(values.size());
  move_values(v, part, std::span<long long>(converted), nc_get_vara_longlong);
  std::copy(converted.begin(), converted.end(), values.begin());
}

// --- files

NcFile NcFile::create(const std::filesystem::path& path) {
  leave_hdf5_alone_at_exit();
  int id = -1;
  check(nc_create(path.c_str(), NC_NETCDF4 | NC_CLOBBER, &id), path.string());
  return NcFile(id);
}

NcFile NcFile::open(const std::filesystem::path& path) {
  leave_hdf5_alone_at_exit();
  int id = -1;
  check(nc_open(path.c_str(), NC_NOWRITE, &id), path.string());
  NcFile file(id);
  check_promises(id, most_packed * std::filesystem::file_size(path));
  return file;
}

NcFile NcFile::open_to_write(const std::filesystem::path& path) {
  leave_hdf5_alone_at_exit();
  int id = -1;
  check(nc_open(path.c_str(), NC_WRITE, &id), path.string());
  return NcFile(id);
}

NcFile::~NcFile() {
  if (id_ >= 0) static_cast<void>(nc_close(id_));
}

void NcFile::close() {
  const int id = id_;
  id_ = -1;
  check(nc_close(id), "closing the file");
}

}  // namespace nhot
