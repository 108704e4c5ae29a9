#include "problem.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "nhot/base/error.hpp"
#include "nhot/base/nearest.hpp"
#include "nhot/base/option_words.hpp"
#include "nhot/chain/factory.hpp"
#include "nhot/io/bits_file.hpp"
#include "nhot/io/groups_file.hpp"
#include "nhot/io/model/model_file.hpp"
#include "nhot/run/options.hpp"
#include "output.hpp"

namespace nhot::app {

Model model_from(const OptionValues& values, std::vector<std::string>& notes) {
  const std::string& name = values.text("model");
  if (name.empty())
    throw InputError(
        "no model is given",
        "name a generator such as ferromagnet:60x60, or a file; nhot help models lists "
        "both");
  ReadResult result = load_model(name, values.text("format"));
  for (const std::string& note : result.notes) notes.push_back(with_dashes(note));
  return std::move(result.model);
}

namespace {

// The state in a file that an option names, where it is none of its words.
Bits bits_from(const std::string& option, const std::string& path,
               const std::vector<std::string>& words, Site sites) {
  std::error_code error;
  if (std::filesystem::exists(path, error)) return read_bits(path, sites);
  const std::string near = nearest_name(path, words);
  std::string hint = near.empty() ? "give " : "did you mean " + near + "? ";
  for (const std::string& word : words) hint += word + ", ";
  throw InputError("cannot find the " + option + " '" + path + "'",
                   hint + "or the path of a file of bits");
}

Bits reference_from(const OptionValues& values, Site sites) {
  const std::string& reference = values.text("reference");
  if (reference == "zeros") return Bits(sites, 0);
  if (reference == "ones") return Bits(sites, 1);
  return bits_from("reference", reference, {"zeros", "ones"}, sites);
}

// The hints name the distance only, which has a short form on the command line.
Shell shell_with_short_hints(const OptionValues& values, const Model& model,
                             const StoredShell& shell) {
  try {
    return shell_from(values, model, shell.reference, shell.groups);
  } catch (const InputError& error) {
    throw InputError(error.what(),
                     spell_options(error.hint(), [](std::string_view, std::string_view value) {
                       return value.empty() ? std::string("-n") : "-n " + std::string(value);
                     }));
  }
}

// `shell_of` gives reference and groups once the model is known.
template <class ShellOf>
Problem make_problem(const OptionValues& values, ShellOf&& shell_of) {
  std::vector<std::string> notes;
  Model model = model_from(values, notes);
  Shell shell = shell_with_short_hints(values, model, shell_of(model));
  return {std::move(model), std::move(shell), std::move(notes)};
}

}  // namespace

Problem problem_from(const OptionValues& values) {
  return make_problem(values, [&](const Model& model) {
    StoredShell shell{reference_from(values, model.sites()), {}};
    const auto& table = values.table();
    if (std::none_of(table.begin(), table.end(),
                     [](const OptionSpec& spec) { return spec.name == "groups"; }))
      return shell;  // a band of shells has none
    const std::string& groups = values.text("groups");
    if (!groups.empty()) shell.groups = load_groups(groups, model.sites(), model.names());
    return shell;
  });
}

Problem problem_from(const OptionValues& values, const StoredShell& stored,
                     const std::function<void(const Model&)>& check) {
  return make_problem(values, [&](const Model& model) {
    check(model);
    return stored;
  });
}

std::optional<std::vector<SiteGroup>> groups_of(const Shell& shell) {
  if (!shell.grouped()) return std::nullopt;
  return shell.list_groups();
}

std::optional<Bits> start_from(const OptionValues& values, const Shell& shell) {
  const std::string& start = values.text("start");
  if (start == "uniform") return std::nullopt;
  Bits bits = bits_from("start", start, {"uniform"}, shell.sites());
  try {
    check_start(shell, bits);
  } catch (const InputError& error) {
    throw InputError(start + ": " + error.what(), error.hint());
  }
  return bits;
}

void put_first(std::vector<std::string>& notes, const std::vector<std::string>& of_invocation,
               const Problem& problem) {
  notes.insert(notes.begin(), problem.notes.begin(), problem.notes.end());
  notes.insert(notes.begin(), of_invocation.begin(), of_invocation.end());
}

}  // namespace nhot::app
