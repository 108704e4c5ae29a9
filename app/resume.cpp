#include "resume.hpp"

#include <array>
#include <filesystem>
#include <optional>
#include <system_error>

#include "nhot/model/generators.hpp"

namespace nhot::app {
namespace {

namespace fs = std::filesystem;

constexpr const char* partial_suffix = ".partial";

std::optional<StoredRun> read_if_there(const std::string& path) {
  std::error_code error;
  if (!fs::exists(path, error)) return std::nullopt;
  return read_run(path);
}

std::uint64_t progress(const std::optional<StoredRun>& run) {
  return run ? run->checkpoint.warmup_draws + run->checkpoint.draws : 0;
}

bool same_value(const std::string& a, const std::string& b) {
  if (a == b) return true;
  const auto x = parse_real(a);
  const auto y = parse_real(b);
  return x && y && *x == *y;
}

/// The model of the run, unless the user says where it is now; which one that is, check_model()
/// decides by its hash.
void adopt_model(const Resumption& resumption, OptionValues& values) {
  const std::string stored = find_value(resumption.facts.metadata, "model").value_or("");
  const std::string format = find_value(resumption.facts.metadata, "format").value_or("");
  const auto extension = [](const std::string& path) { return fs::path(path).extension(); };
  if (values.was_set("model")) {
    const std::string& given = values.text("model");
    if (!format.empty() && !values.was_set("format") && extension(given) == extension(stored))
      values.set("format", format);
    return;
  }
  std::error_code error;
  if (!is_model_spec(stored) && !fs::exists(stored.substr(0, stored.find('#')), error))
    throw InputError("the model of " + resumption.path + ", '" + stored + "', is not there",
                     "name the file where it is now: nhot sample FILE --resume " + resumption.path +
                         " ...; it is known by its hash");
  values.set("model", stored);
  if (!format.empty() && !values.was_set("format")) values.set("format", format);
}

}  // namespace

Resumption open_resumption(const std::string& given, std::vector<std::string>& notes) {
  std::string path = given;
  if (path.ends_with(partial_suffix)) path.resize(path.size() - std::string(partial_suffix).size());
  const std::string partial = path + partial_suffix;
  std::optional<StoredRun> stored = read_if_there(path);
  std::optional<StoredRun> unfinished = read_if_there(partial);
  if (unfinished && !unfinished->checkpoint.chains.empty() &&
      progress(unfinished) > progress(stored)) {
    // It holds all that the other file holds. Renamed, it stays whole while the run goes on.
    std::error_code error;
    fs::rename(partial, path, error);
    if (error)
      throw EnvironmentError("cannot rename " + partial + ": " + error.message(),
                             "check the permissions of its folder");
    notes.push_back("went on from what a stopped run had left in " + partial);
    stored = std::move(unfinished);
  }
  if (!stored) stored = read_run(path);  // says what is missing
  if (stored->checkpoint.chains.empty())
    throw InputError(path + " holds no state of the chains to go on from",
                     "resume a file that nhot sample --out has written on a machine like this");

  auto run = std::make_shared<StoppedRun>();
  run->checkpoint = checkpoint_from(stored->checkpoint.plan, std::move(stored->checkpoint.chains));
  run->warmup = std::move(stored->warmup);
  run->trace = std::move(stored->trace);
  if (stored->checkpoint.warmup_draws > run->warmup.draws() ||
      stored->checkpoint.draws > run->trace.draws())
    throw InputError(path + " lacks draws that came before its checkpoint",
                     "the file is damaged; repeat the run");
  run->warmup.cut(stored->checkpoint.warmup_draws);
  run->trace.cut(stored->checkpoint.draws);
  return {path, static_cast<RunFacts&>(*stored), std::move(run)};
}

void adopt_options(const Resumption& resumption, Invocation& invocation) {
  const std::string& path = resumption.path;
  const auto adopt = [&](const char* name, const std::string& stored) {
    OptionValues& values = invocation.values;
    if (!values.was_set(name))
      values.set(name, stored);
    else if (!same_value(values.text(name), stored))
      throw InputError(std::string("--") + name + " is '" + values.text(name) + "' but " + path +
                           " was run with '" + stored + "'",
                       std::string("leave out --") + name + " to go on with that run");
  };
  adopt_model(resumption, invocation.values);
  for (const char* name : {"distance", "reference", "beta", "seed"})
    if (const auto stored = find_value(resumption.facts.metadata, name)) adopt(name, *stored);
  const RunCheckpoint& checkpoint = resumption.run->checkpoint;
  adopt("chains", std::to_string(checkpoint.chains.size()));
  adopt("thin", checkpoint.thin_chosen ? "auto" : std::to_string(checkpoint.thin));
  if (!invocation.values.was_set("move"))
    invocation.values.set("move", find_value(resumption.facts.metadata, "move").value_or("im"));
  if (invocation.values.was_set("start") || invocation.values.was_set("warmup"))
    throw InputError("a run that goes on has started already", "leave out --start and --warmup");
  if (!checkpoint.warming && !invocation.values.was_set("moves") &&
      !invocation.values.was_set("seconds"))
    throw InputError("--resume does not say for how long", "give --moves N or --seconds S");
}

void check_model(const Resumption& resumption, const Model& model) {
  const auto hash = find_value(resumption.facts.metadata, "model_hash");
  if (!hash || *hash == model.hash()) return;
  const std::string stored = find_value(resumption.facts.metadata, "model").value_or("");
  const bool same_name = stored == model.name();
  throw InputError(
      model.name() + " is not the model that " + resumption.path +
          " was run with: the hash of its sites, couplings and fields is " + model.hash() +
          ", that of the run's model, " + (same_name ? "" : "'" + stored + "', ") + "is " + *hash,
      same_name ? "the file has changed: name a file that holds the old model, or start a new run"
                : "name the file that holds that model, or leave out the model where '" + stored +
                      "' is still in place");
}

}  // namespace nhot::app
