#include "fuzz/stored_file.hpp"

#include <netcdf.h>
#include <stdlib.h>

#include <fstream>
#include <iterator>

#include "fuzz/damage.hpp"
#include "fuzz/parser.hpp"

namespace nhot::fuzz {
namespace {

namespace fs = std::filesystem;

std::vector<int> groups_of(int group) {
  int count = 0;
  nc_inq_grps(group, &count, nullptr);
  std::vector<int> inner(static_cast<std::size_t>(count));
  nc_inq_grps(group, &count, inner.data());
  std::vector<int> all = {group};
  for (const int one : inner)
    for (const int each : groups_of(one)) all.push_back(each);
  return all;
}

int some(FuzzedDataProvider& plan, int count) {
  return plan.ConsumeIntegralInRange(0, std::max(count - 1, 0));
}

/// A name that readers look for, or any.
std::string some_name(FuzzedDataProvider& plan) {
  static const char* const known[] = {"chain",  "draw",  "site",  "state",         "energy",
                                      "length", "names", "point", "lattice_sides", "sites",
                                      "pair",   "thin",  "beta",  "sample_stats",  "checkpoint"};
  return plan.ConsumeBool() ? std::string(plan.PickValueInArray(known))
                            : plan.ConsumeRandomLengthString(12);
}

/// Calls of a library that refuses some of them: whatever it leaves is a file. Variables and
/// dimensions keep their names: the library crashes when some are given others.
class Change {
 public:
  Change(int file, FuzzedDataProvider& plan) : plan_(plan) {
    const std::vector<int> groups = groups_of(file);
    group_ = groups[static_cast<std::size_t>(some(plan, static_cast<int>(groups.size())))];
    int count = 0;
    nc_inq_nvars(group_, &count);
    variable_ = count > 0 ? some(plan, count) : NC_GLOBAL;
    owner_ = plan.ConsumeBool() ? NC_GLOBAL : variable_;
  }

  void make() {
    switch (plan_.ConsumeIntegralInRange(0, 4)) {
      case 0:
        nc_del_att(group_, owner_, attribute().c_str());
        break;
      case 1: {
        const std::string text = plan_.ConsumeRandomLengthString(40);
        nc_put_att_text(group_, owner_, attribute().c_str(), text.size(), text.data());
        break;
      }
      case 2:
        put_numbers();
        break;
      case 3:
        nc_rename_grp(group_, some_name(plan_).c_str());
        break;
      default:
        put_value();
        break;
    }
  }

 private:
  /// One of those that are there, or a new one.
  std::string attribute() {
    int count = 0;
    if (owner_ == NC_GLOBAL)
      nc_inq_natts(group_, &count);
    else
      nc_inq_varnatts(group_, owner_, &count);
    char name[NC_MAX_NAME + 1] = {};
    if (count == 0 || nc_inq_attname(group_, owner_, some(plan_, count), name) != NC_NOERR)
      return some_name(plan_);
    return name;
  }

  void put_numbers() {
    constexpr nc_type types[] = {NC_BYTE, NC_INT, NC_INT64, NC_UINT64, NC_FLOAT, NC_DOUBLE};
    std::vector<double> values(plan_.ConsumeIntegralInRange<std::size_t>(0, 3));
    for (double& value : values) value = number();
    const std::string name = attribute();
    nc_put_att_double(group_, owner_, name.c_str(), plan_.PickValueInArray(types), values.size(),
                      values.data());
  }

  void put_value() {
    if (variable_ == NC_GLOBAL) return;
    int rank = 0;
    std::vector<int> dimensions(NC_MAX_VAR_DIMS);
    nc_inq_var(group_, variable_, nullptr, nullptr, &rank, dimensions.data(), nullptr);
    std::vector<std::size_t> place(static_cast<std::size_t>(rank) + 1);
    for (std::size_t d = 0; d + 1 < place.size(); ++d)
      place[d] = plan_.ConsumeIntegralInRange<std::size_t>(0, 5);
    // An unlimited dimension grows with it: a size that the file does not hold.
    if (rank > 0 && plan_.ConsumeBool())
      place[static_cast<std::size_t>(some(plan_, rank))] = std::size_t{1}
                                                           << plan_.ConsumeIntegralInRange(0, 50);
    const double value = number();
    nc_put_var1_double(group_, variable_, place.data(), &value);
  }

  double number() {
    return plan_.ConsumeBool() ? static_cast<double>(plan_.ConsumeIntegralInRange(-3, 40))
                               : plan_.PickValueInArray({0.5, -1e300, 1e15, 9e18, 1e308, -0.0,
                                                         static_cast<double>(odd_number(plan_))});
  }

  FuzzedDataProvider& plan_;
  int group_ = 0;
  int variable_ = NC_GLOBAL;
  int owner_ = NC_GLOBAL;  // of attributes
};

}  // namespace

ScratchFile::ScratchFile(const std::string& name) {
  std::string pattern = (fs::temp_directory_path() / "nhot-fuzz-XXXXXX").string();
  require(::mkdtemp(pattern.data()) != nullptr, "no folder for files");
  path_ = fs::path(pattern) / name;
}

ScratchFile::~ScratchFile() {
  std::error_code error;
  fs::remove_all(path_.parent_path(), error);
}

StoredFile::StoredFile(const std::function<void(const fs::path&)>& make) : file_("file.nc") {
  make(file_.path());
  std::ifstream file(file_.path(), std::ios::binary);
  bytes_.assign(std::istreambuf_iterator<char>(file), {});
}

fs::path StoredFile::damage(FuzzedDataProvider& plan) const {
  fs::path path = file_.path();
  std::ofstream(path, std::ios::binary) << bytes_;
  int file = -1;
  require(nc_open(path.c_str(), NC_WRITE, &file) == NC_NOERR, "the file cannot be opened");
  for (int changes = plan.ConsumeIntegralInRange(0, 5); changes > 0; --changes)
    Change(file, plan).make();
  nc_close(file);
  return path;
}

}  // namespace nhot::fuzz
