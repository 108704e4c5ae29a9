#include "options.hpp"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <map>
#include <string_view>

#include "nhot/base/error.hpp"
#include "nhot/run/method_options.hpp"

namespace nhot::python {
namespace {

/// A group without the options that the package has in another form (files, references).
OptionGroup without(OptionGroup group, const std::vector<std::string>& names) {
  std::erase_if(group.options, [&](const OptionSpec& spec) {
    return std::find(names.begin(), names.end(), spec.name) != names.end();
  });
  return group;
}

std::map<std::string, std::vector<OptionGroup>> all_groups() {
  const OptionGroup shell = without(shell_options(), {"groups", "reference", "start"});
  const OptionGroup states = without(output_options(), {"out", "force", "states-out"});
  return {
      {"sample", {shell, law_options(), run_options(), states, verify_options()}},
      {"temper",
       {shell, cooling_law_options(), run_options(), without(ladder_options(), {"trace"}), states}},
      {"compare", {shell, compared_options(), comparison_options()}},
      {"anneal", {shell, without(annealing_options(), {"out", "force", "states-out"})}},
      {"logz", {shell, cooling_law_options(), partition_options()}},
      {"profile", {without(band_options(), {"reference"}), profile_options()}},
      {"tune", {shell, tuning_options()}},
  };
}

}  // namespace

const std::vector<OptionGroup>& groups_of(const std::string& function) {
  static const auto groups = all_groups();
  return groups.at(function);
}

OptionValues values_of(const std::string& function, const Given& given) {
  static const auto tables = [] {
    std::map<std::string, OptionTable> result;
    for (const char* name : {"sample", "temper", "compare", "anneal", "logz", "profile", "tune"})
      result[name] = concatenate(groups_of(name));
    return result;
  }();
  OptionValues values(tables.at(function), "");
  for (const auto& [name, value] : given) {
    try {
      values.set(name, value);
    } catch (const InputError& error) {  // which begins with the name
      const std::string_view text = error.what();
      if (!text.starts_with(name)) throw;
      throw InputError("{" + name + "}" + std::string(text.substr(name.size())), error.hint());
    }
  }
  return values;
}

Shell shell_of(const Model& model, const OptionValues& values, const nb::tuple& shell) {
  const nb::object reference = shell[0];
  const nb::object given = shell[1];
  std::optional<std::vector<SiteGroup>> groups;
  if (!given.is_none()) {
    groups.emplace();
    for (auto& [sites, distance] :
         nb::cast<std::vector<std::pair<std::vector<Site>, std::uint64_t>>>(given)) {
      const std::size_t size = sites.size();
      if (distance > size)
        throw InputError(std::to_string(distance) + " sites are to differ in group " +
                             std::to_string(groups->size() + 1) + ", which has " +
                             std::to_string(size),
                         "give a number up to the size of the group");
      groups->push_back({std::move(sites), static_cast<Site>(distance)});
    }
  }
  return shell_from(values, model,
                    reference.is_none() ? Bits() : bits_from(nb::cast<BitsIn>(reference)), groups);
}

}  // namespace nhot::python
