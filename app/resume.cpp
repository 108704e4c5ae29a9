#include "resume.hpp"

#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include "nhot/model/generators.hpp"

namespace nhot::app {
namespace {

namespace fs = std::filesystem;

std::optional<StoredRun> read_if_there(const std::string& path) {
  std::error_code error;
  if (!fs::exists(path, error)) return std::nullopt;
  return read_run(path);
}

// How far a run had come. Sums compare runs of one kind.
std::uint64_t progress(const StoredRun& run) {
  std::uint64_t sum = 0;
  for (const char* name : {"warmup_moves", "warmup_rounds", "moves", "rounds"})
    if (const auto text = find_value(run.checkpoint.plan, name))
      sum += static_cast<std::uint64_t>(parse_integer(*text).value_or(0));
  return sum;
}

struct OpenedRun {
  std::string path;
  StoredRun run;
  std::shared_ptr<const FileLock> lock;
};

// The file, or the .partial beside it, as `command` wrote it.
OpenedRun open_run(const std::string& given, const std::string& command,
                   std::vector<std::string>& notes) {
  std::string path = given;
  if (path.ends_with(partial_suffix)) path.resize(path.size() - std::string(partial_suffix).size());
  const std::string partial = path + partial_suffix;
  const auto lock = FileLock::hold(path);  // nobody else goes on with it, or still writes it
  std::optional<StoredRun> stored = read_if_there(path);
  std::optional<StoredRun> unfinished = read_if_there(partial);
  if (unfinished && !unfinished->checkpoint.chains.empty() &&
      (!stored || progress(*unfinished) > progress(*stored))) {
    // It holds all that the other file holds. Renamed, it stays whole while the run goes on.
    std::error_code error;
    fs::rename(partial, path, error);
    if (error)
      throw EnvironmentError("cannot rename " + partial + ": " + error.message(),
                             "check the permissions of its folder");
    notes.push_back("went on from what a stopped run had left in " + partial);
    stored = std::move(unfinished);
  }
  if (!stored && unfinished)
    throw InputError(partial + " is of a run that was stopped before it held a state to go on from",
                     "begin again, with --force to replace it");
  if (!stored) stored = read_run(path);  // says what is missing
  const std::string author = find_value(stored->metadata, "command").value_or(command);
  if (author != command && (author == "sample" || author == "temper"))
    throw InputError(path + " is a run of nhot " + author + ", not of nhot " + command,
                     "go on with: nhot " + author + " --resume " + path + " --moves N");
  if (stored->format < run_format)
    throw InputError(path + " is of an earlier version of nhot (run format " +
                         std::to_string(stored->format) +
                         "), whose chains cannot go on in this one",
                     "its draws can be read (nhot diagnose, nhot report); repeat the run, or go on "
                     "with the version that wrote it");
  if (stored->checkpoint.chains.empty())
    throw InputError(path + " holds no state of the chains to go on from",
                     "resume a file that nhot " + command +
                         " --out has written on a machine like this" +
                         (command == "temper" ? ", and none of its .rung files" : ""));
  return {path, std::move(*stored), lock};
}

[[noreturn]] void refuse_lost_draws(const std::string& path) {
  throw InputError(path + " lacks draws that came before its checkpoint",
                   "the file is damaged; repeat the run");
}

// Takes the value of the file; InputError when the user gave another.
void adopt(const std::string& path, OptionValues& values, const char* name,
           const std::string& stored) {
  if (values.was_set(name)) {
    if (same_value(values.text(name), stored)) return;
    throw InputError(
        std::string("--") + name + " is '" + values.text(name) + "' but " + path +
            (stored.empty() ? " was run without it" : " was run with '" + stored + "'"),
        std::string("leave out --") + name + " to go on with that run");
  }
  if (!stored.empty()) values.set(name, stored);
}

// The distances of groups are in the file itself.
void adopt_shell(const ResumedFile& file, OptionValues& values) {
  const auto stored = [&](const char* name) {
    return find_value(file.facts.metadata, name).value_or("");
  };
  adopt(file.path, values, "groups", stored("groups"));
  adopt(file.path, values, "distance", file.facts.groups ? "" : stored("distance"));
  if (const std::string reference = stored("reference"); !reference.empty())
    adopt(file.path, values, "reference", reference);
}

// A run that was to end by itself goes on until it does, unless the user says for how long.
void adopt_stop_rule(const Metadata& metadata, OptionValues& values) {
  for (const char* name : {"moves", "seconds", "until", "ess"})
    if (values.was_set(name)) return;
  if (find_value(metadata, "until") == "converged") values.set("until", "converged");
  for (const OptionSpec& spec : values.table())
    if (const auto stored = find_value(metadata, spec.name);
        spec.name == "ess" && stored && *stored != spec.default_value)
      values.set("ess", *stored);
}

// Options of the beginning are refused; without a length, the run goes on for what is left of what
// it was asked for.
void check_begun(ResumedFile& file, OptionValues& values, std::uint64_t moves, double seconds) {
  if (values.was_set("start") || values.was_set("warmup"))
    throw InputError("a run that goes on has started already", "leave out --start and --warmup");
  if (values.was_set("moves") || values.was_set("seconds")) return;
  const Metadata& metadata = file.facts.metadata;
  if (!file.enough) {
    if (const auto asked = find_value(metadata, "asked_moves")) {
      const auto all = static_cast<std::uint64_t>(parse_integer(*asked).value_or(0));
      if (all > moves) return values.set("moves", std::to_string(all - moves));
    } else if (const auto time = find_value(metadata, "asked_seconds")) {
      const double left = parse_real(*time).value_or(0) - seconds;
      if (left > 0.001) return values.set("seconds", format_real(left));
    } else {
      throw InputError("--resume does not say for how long", "give --moves N or --seconds S");
    }
  }
  if (!file.finished) {  // killed after the last draw
    file.drawn = true;
    return;
  }
  throw NothingLeft("nothing is left to do: " + file.path + " has all that was asked for",
                    "to make it longer, give --moves N or --seconds S");
}

}  // namespace

bool same_value(const std::string& a, const std::string& b) {
  if (a == b) return true;
  const std::size_t first = a.find(',');
  const std::size_t second = b.find(',');
  const auto x = parse_real(a.substr(0, first));
  const auto y = parse_real(b.substr(0, second));
  if (!x || !y || *x != *y || (first == a.npos) != (second == b.npos)) return false;
  return first == a.npos || same_value(a.substr(first + 1), b.substr(second + 1));
}

void adopt_model(const ResumedFile& file, const std::string& command, OptionValues& values) {
  const std::string stored = find_value(file.facts.metadata, "model").value_or("");
  const std::string format = find_value(file.facts.metadata, "format").value_or("");
  const auto extension = [](const std::string& path) { return fs::path(path).extension(); };
  if (values.was_set("model")) {
    const std::string& given = values.text("model");
    if (!format.empty() && !values.was_set("format") && extension(given) == extension(stored))
      values.set("format", format);
    return;
  }
  std::error_code error;
  if (!is_model_spec(stored) && !fs::exists(stored.substr(0, stored.find('#')), error))
    throw InputError("the model of " + file.path + ", '" + stored + "', is not there",
                     "name the file where it is now: nhot " + command + " FILE --resume " +
                         file.path + " ...; it is known by its hash");
  values.set("model", stored);
  if (!format.empty() && !values.was_set("format")) values.set("format", format);
}

Metadata asked_of(const OptionValues& values, const ResumedFile* file, std::uint64_t moves_before,
                  double seconds_before) {
  if (file && file->drawn) {
    Metadata asked;
    for (const char* name : {"asked_moves", "asked_seconds"})
      if (const auto value = find_value(file->facts.metadata, name))
        asked.emplace_back(name, *value);
    return asked;
  }
  if (values.was_set("moves"))
    return {{"asked_moves",
             std::to_string(moves_before + static_cast<std::uint64_t>(values.integer("moves")))}};
  return {{"asked_seconds", format_real(seconds_before + values.real("seconds"))}};
}

Resumption open_resumption(const std::string& given, std::vector<std::string>& notes) {
  OpenedRun opened = open_run(given, "sample", notes);
  StoredRun& stored = opened.run;
  auto run = std::make_shared<StoppedRun>();
  run->checkpoint = checkpoint_from(stored.checkpoint.plan, std::move(stored.checkpoint.chains));
  run->warmup = std::move(stored.warmup);
  run->trace = std::move(stored.trace);
  if (stored.checkpoint.warmup_draws > run->warmup.draws() ||
      stored.checkpoint.draws > run->trace.draws())
    refuse_lost_draws(opened.path);
  run->warmup.cut(stored.checkpoint.warmup_draws);
  run->trace.cut(stored.checkpoint.draws);
  return {{opened.path, static_cast<RunFacts&>(stored), opened.lock, stored.finished, false,
           find_value(stored.checkpoint.plan, enough_key).has_value()},
          std::move(run)};
}

TemperingResumption open_tempering(const std::string& given, std::vector<std::string>& notes) {
  OpenedRun opened = open_run(given, "temper", notes);
  StoredRun& stored = opened.run;
  auto run = std::make_shared<StoppedTempering>();
  run->checkpoint =
      tempering_checkpoint_from(stored.checkpoint.plan, std::move(stored.checkpoint.chains));
  const std::uint64_t draws = run->checkpoint.draws;
  if (draws != stored.checkpoint.draws || draws > stored.trace.draws())
    refuse_lost_draws(opened.path);
  if (draws > 0) {
    run->rungs = read_run_rungs(opened.path);
    bool target = false;
    for (Trace& rung : run->rungs) {
      if (draws > rung.draws()) refuse_lost_draws(opened.path);
      rung.cut(draws);
      if (rung.beta != stored.trace.beta) continue;
      target = true;
      stored.trace.cut(draws);
      rung = std::move(stored.trace);  // with its states
    }
    if (!target) refuse_lost_draws(opened.path);
  }
  return {{opened.path, static_cast<RunFacts&>(stored), opened.lock, stored.finished, false},
          std::move(run)};
}

void adopt_options(Resumption& resumption, Invocation& invocation) {
  OptionValues& values = invocation.values;
  const Metadata& metadata = resumption.facts.metadata;
  adopt_model(resumption, "sample", values);
  adopt_shell(resumption, values);
  for (const char* name : {"beta", "seed"})
    if (const auto stored = find_value(metadata, name))
      adopt(resumption.path, values, name, *stored);
  const RunCheckpoint& checkpoint = resumption.run->checkpoint;
  adopt(resumption.path, values, "chains", std::to_string(checkpoint.chains.size()));
  adopt(resumption.path, values, "thin",
        checkpoint.thin_chosen ? "auto" : std::to_string(checkpoint.thin));
  if (!values.was_set("move") || values.text("move") == "auto")
    values.set("move", find_value(metadata, "move").value_or("im"));
  for (const char* name : {"states", "verify"})
    if (const auto stored = find_value(metadata, name); stored && !values.was_set(name))
      values.set(name, *stored);
  adopt_stop_rule(metadata, values);
  check_begun(resumption, values, checkpoint.moves, checkpoint.seconds);
}

void adopt_options(TemperingResumption& resumption, Invocation& invocation) {
  OptionValues& values = invocation.values;
  const Metadata& metadata = resumption.facts.metadata;
  const TemperingCheckpoint& checkpoint = resumption.run->checkpoint;
  // The number of moves between exchanges that the run chose by itself counts as the same value.
  if (values.was_set("sweep") && same_value(values.text("sweep"), std::to_string(checkpoint.sweep)))
    values.set("sweep", find_value(metadata, "sweep").value_or("auto"));
  adopt_model(resumption, "temper", values);
  adopt_shell(resumption, values);
  for (const char* name :
       {"beta", "seed", "betas", "path", "beta-hot", "rungs", "sweep", "isocluster"})
    adopt(resumption.path, values, name, find_value(metadata, name).value_or(""));
  adopt(resumption.path, values, "chains", std::to_string(checkpoint.ladders.size()));
  adopt(resumption.path, values, "thin",
        checkpoint.thin_asked ? std::to_string(checkpoint.thin_asked) : "auto");
  for (const char* name : {"move", "states", "trace"})
    if (const auto stored = find_value(metadata, name);
        stored && (!values.was_set(name) || values.text(name) == "auto"))
      values.set(name, *stored);
  check_begun(resumption, values, checkpoint.moves, checkpoint.seconds);
}

void check_model(const ResumedFile& file, const Model& model) {
  const auto hash = find_value(file.facts.metadata, "model_hash");
  if (!hash || *hash == model.hash()) return;
  const std::string stored = find_value(file.facts.metadata, "model").value_or("");
  const bool same_name = stored == model.name();
  throw InputError(
      model.name() + " is not the model that " + file.path +
          " was run with: the hash of its sites, couplings and fields is " + model.hash() +
          ", that of the run's model, " + (same_name ? "" : "'" + stored + "', ") + "is " + *hash,
      same_name ? "the file has changed: name a file that holds the old model, or start a new run"
                : "name the file that holds that model, or leave out the model where '" + stored +
                      "' is still in place");
}

void check_move(const ResumedFile& file, const ChainFactory& factory) {
  const std::string stored = find_value(file.facts.metadata, "move").value_or("");
  if (stored == factory.move()) return;
  throw InputError(
      "--move is '" + factory.move() + "' but " + file.path + " was run with '" + stored + "'",
      "leave out --move to go on with that run");
}

Output output_of(const OptionValues& values, const ResumedFile* resumed) {
  Output output{values.text("out"), values.flag("force")};
  if (!resumed) return output;
  if (output.path.empty()) output.path = resumed->path;
  // The file that is read is replaced by one that holds all of it.
  if (output.path == resumed->path) output.force = true;
  return output;
}

}  // namespace nhot::app
