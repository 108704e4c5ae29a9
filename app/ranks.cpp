#include "ranks.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "nhot/base/error.hpp"
#include "nhot/run/options.hpp"
#include "nhot/run/ranks/serve_ranks.hpp"
#include "output.hpp"

namespace nhot::app {
namespace {

namespace fs = std::filesystem;

constexpr const char* module_name = "nhot-mpi.so";

std::unique_ptr<Communicator>& communicator() {
  static std::unique_ptr<Communicator> joined;
  return joined;
}

/// What a starter of ranks has put into the environment: Open MPI, MPICH and its kin, srun.
std::size_t number_from(std::initializer_list<const char*> names) {
  for (const char* name : names)
    if (const char* text = std::getenv(name))
      if (const auto value = parse_integer(text); value && *value >= 0)
        return static_cast<std::size_t>(*value);
  return 0;
}
std::size_t ranks_started() {
  const char* wanted = std::getenv("NHOT_MPI");
  if (wanted && std::string_view(wanted) == "off") return 1;
  return number_from({"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"});
}
std::size_t rank_started() {
  return number_from({"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK", "SLURM_PROCID"});
}

/// Beside the program as built, or as installed.
void* load_module() {
  std::error_code error;
  const fs::path folder = fs::read_symlink("/proc/self/exe", error).parent_path();
  std::string reason = "it is not beside the program";
  for (const fs::path& place : {folder, folder / "../lib/nhot", folder / "../lib64/nhot",
                                folder / "../lib/" NHOT_LIBRARY_ARCHITECTURE "/nhot"}) {
    if (!fs::exists(place / module_name, error)) continue;
    // Its symbols are for all: parts of MPI that are loaded later look for them.
    if (void* module = dlopen((place / module_name).c_str(), RTLD_NOW | RTLD_GLOBAL)) return module;
    reason = dlerror();
  }
  throw EnvironmentError(
      "this is one of " + std::to_string(ranks_started()) + " ranks, but " + module_name +
          " cannot be loaded: " + reason,
      "build nhot where MPI is installed (Debian: libopenmpi-dev), or start it without mpirun; "
      "where ranks are not meant to work together, set NHOT_MPI=off");
}

std::unique_ptr<Communicator> join() {
  using Join = Communicator* (*)();
  const auto join_mpi = reinterpret_cast<Join>(dlsym(load_module(), "nhot_join_mpi"));
  std::unique_ptr<Communicator> joined(join_mpi ? join_mpi() : nullptr);
  if (!joined)
    throw EnvironmentError("this MPI does not let threads call it, or is not that of the module",
                           "build nhot with the MPI that it is started by");
  if (joined->size() != ranks_started())
    throw EnvironmentError("started as one of " + std::to_string(ranks_started()) +
                               " ranks, but MPI knows of " + std::to_string(joined->size()),
                           "start nhot with the mpirun of the MPI that it was built with");
  return joined;
}

/// The options that make a problem.
const OptionTable& problem_table() {
  static const OptionTable table = concatenate({model_options(), shell_options()});
  return table;
}

/// The groups of a shell as numbers: of each its distance, its size and its sites.
std::vector<Site> numbers_of(const Shell& shell) {
  std::vector<Site> numbers;
  if (!shell.grouped()) return numbers;
  for (const SiteGroup& group : shell.list_groups()) {
    numbers.push_back(group.distance);
    numbers.push_back(static_cast<Site>(group.sites.size()));
    numbers.insert(numbers.end(), group.sites.begin(), group.sites.end());
  }
  return numbers;
}

std::vector<SiteGroup> groups_from(const std::vector<Site>& numbers) {
  std::vector<SiteGroup> groups;
  for (auto at = numbers.begin(); at != numbers.end();) {
    const Site distance = *at++;
    const Site size = *at++;
    groups.push_back({{at, at + size}, distance});
    at += size;
  }
  return groups;
}

RankProblem problem_of(const Message& message) {
  std::vector<std::string> words;
  StoredShell shell;
  bool grouped = false;
  std::vector<Site> numbers;
  unpack(message, words, shell.reference, grouped, numbers);
  if (grouped) shell.groups = groups_from(numbers);
  OptionValues values(problem_table(), "--");
  for (std::size_t k = 0; k + 1 < words.size(); k += 2) values.set(words[k], words[k + 1]);
  Problem problem = problem_from(values, shell, [](const Model&) {});
  return {std::move(problem.model), std::move(problem.shell)};
}

}  // namespace

bool is_first_rank() { return rank_started() == 0; }

std::optional<int> join_ranks() {
  if (ranks_started() < 2) return std::nullopt;
  communicator() = join();
  if (communicator()->rank() == 0) return std::nullopt;
  // Who wants the job to end asks all ranks; rank 0 decides when.
  std::signal(SIGINT, SIG_IGN);
  std::signal(SIGTERM, SIG_IGN);
  const int code = serve_ranks(*communicator(), problem_of);
  communicator().reset();
  return code;
}

void leave_ranks(int exit_code) {
  if (!communicator()) return;
  dismiss_ranks(*communicator(), exit_code);
  communicator().reset();
}

std::unique_ptr<RankTeam> ranks_for(const OptionValues& values, const Problem& problem) {
  if (!communicator()) return nullptr;
  if (values.text("model") == "-")
    throw InputError("a model from standard input is read by rank 0 only",
                     "save it to a file that all ranks can read");
  std::vector<std::string> words;
  for (const OptionSpec& spec : problem_table())
    if (spec.name != "reference" && spec.name != "groups" && values.was_set(spec.name))
      for (const std::string& value : values.list(spec.name)) {
        words.push_back(spec.name);
        words.push_back(value);
      }
  return std::make_unique<RankTeam>(
      *communicator(),
      pack(words, problem.shell.reference(), problem.shell.grouped(), numbers_of(problem.shell)));
}

void note_idle_ranks(const std::string& command, const OptionValues& values) {
  constexpr std::array<std::string_view, 5> shared = {"sample", "temper", "anneal", "logz",
                                                      "resume"};
  if (!communicator() || std::find(shared.begin(), shared.end(), command) != shared.end()) return;
  const bool may_be_quiet =
      std::any_of(values.table().begin(), values.table().end(),
                  [](const OptionSpec& spec) { return spec.name == "quiet"; });
  if (may_be_quiet && values.flag("quiet")) return;
  print_note("nhot " + command + " works on rank 0 alone; the other ranks wait");
}

}  // namespace nhot::app
