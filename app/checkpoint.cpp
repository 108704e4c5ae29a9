#include "checkpoint.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>
#include <utility>

#include "command_line.hpp"
#include "nhot/run/method_options.hpp"
#include "output.hpp"
#include "resume.hpp"

namespace nhot::app {
namespace {

constexpr const char* stored_reference = "input: reference";
constexpr const char* stored_groups = "input: groups";
constexpr const char* stored_start = "input: start";

bool is_one_of(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// Options of the call and not of what is computed.
bool of_the_call(std::string_view name) {
  return is_common_option(name) || is_one_of(name, {"force", "threads", "checkpoint", "resume"});
}

// Where results go: taken from the file unless the user says otherwise.
bool of_results(std::string_view name) { return is_one_of(name, {"out", "report", "states-out"}); }

// "name=value" a line.
std::string option_lines(const Command& command, const OptionValues& values) {
  std::string text;
  for (const OptionSpec& spec : command.table)
    if (values.was_set(spec.name) && !of_the_call(spec.name))
      for (const std::string& value : values.list(spec.name))
        text += spec.name + "=" + value + "\n";
  return text;
}

std::map<std::string, std::vector<std::string>> options_of(const std::string& lines) {
  std::map<std::string, std::vector<std::string>> options;
  for (std::size_t at = 0; at < lines.size();) {
    const std::size_t end = std::min(lines.find('\n', at), lines.size());
    const std::string line = lines.substr(at, end - at);
    const std::size_t equals = line.find('=');
    if (equals != std::string::npos)
      options[line.substr(0, equals)].push_back(line.substr(equals + 1));
    at = end + 1;
  }
  return options;
}

std::string joined(const std::vector<std::string>& values) {
  std::string text;
  for (const std::string& value : values) text += (text.empty() ? "" : "' and '") + value;
  return text;
}

ResumedFile file_with(const std::string& path, Metadata metadata) {
  ResumedFile file;
  file.path = path;
  file.facts.metadata = std::move(metadata);
  return file;
}

CheckpointPlace place_of(const OptionValues& values) {
  const std::string& begun = values.text("checkpoint");
  const std::string& resumed = values.text("resume");
  if (resumed.empty()) return {begun, false};
  if (!begun.empty())
    throw InputError("--resume and --checkpoint are both given",
                     "leave out --checkpoint: a run that goes on keeps its file");
  return {resumed, true};
}

bool same_values(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), same_value);
}

}  // namespace

OptionGroup checkpoint_options(bool with_force) {
  OptionGroup group{
      "Checkpoint",
      {{"checkpoint", OptionType::text, "",
        "keep what has been done in this file, about once a second, so that a run that was stopped "
        "or killed can go on",
        "FILE.nc"},
       {"resume", OptionType::text, "",
        "go on with the run of a checkpoint, with its model and options, and keep the rest there, "
        "too",
        "FILE.nc"}}};
  if (with_force) group.options.push_back(borrowed_option(output_options(), "force"));
  return group;
}

std::vector<std::string> stored_option(const StoredState& stored, const std::string& name) {
  const auto options = options_of(find_value(stored.about, "options").value_or(""));
  const auto found = options.find(name);
  return found == options.end() ? std::vector<std::string>{} : found->second;
}

CheckpointedCall::CheckpointedCall(Invocation& invocation, const std::vector<std::string>& lengths)
    : CheckpointedCall(invocation, lengths, place_of(invocation.values)) {}

CheckpointedCall::CheckpointedCall(Invocation& invocation, const std::vector<std::string>& lengths,
                                   const CheckpointPlace& place)
    : invocation_(invocation), path_(place.path) {
  if (!place.resumes) return;
  lock_ = FileLock::hold(path_);
  stored_ = read_checkpoint_file(path_);
  const std::string author = find_value(stored_->about, "command").value_or("");
  if (author != invocation.command->name)
    throw InputError(
        path_ + " is a run of nhot " + author + ", not of nhot " + invocation.command->name,
        "go on with: nhot resume " + path_);
  adopt(lengths);
}

void CheckpointedCall::adopt(const std::vector<std::string>& lengths) {
  OptionValues& values = invocation_.values;
  const Command& command = *invocation_.command;
  adopt_lengths(lengths);
  const auto stored = options_of(find_value(stored_->about, "options").value_or(""));
  const bool has_problem = command.positionals.front() == "model";
  if (has_problem) {
    Metadata metadata = stored_->about;
    for (const auto& [name, list] : stored) metadata.emplace_back(name, list.front());
    adopt_model(file_with(path_, std::move(metadata)), command.name, values);
  }
  for (const OptionSpec& spec : command.table) {
    const std::string& name = spec.name;
    if (of_the_call(name) || (has_problem && is_one_of(name, {"model", "format"})) ||
        std::find(lengths.begin(), lengths.end(), name) != lengths.end())
      continue;
    const auto found = stored.find(name);
    const bool known = found != stored.end();
    if (!values.was_set(name)) {
      if (known)
        for (const std::string& value : found->second) values.set(name, value);
      continue;
    }
    if (of_results(name)) continue;
    const std::vector<std::string> before =
        known ? found->second : std::vector<std::string>{spec.default_value};
    if (same_values(values.list(name), before)) continue;
    throw InputError("--" + name + " is '" + joined(values.list(name)) + "' but " + path_ +
                         (joined(before).empty() ? " was run without it"
                                                 : " was run with '" + joined(before) + "'"),
                     "leave out --" + name + " to go on with that run");
  }
  // A result of an earlier start is replaced by that of the longer run.
  if (longer_ || !stored_->finished)
    for (const OptionSpec& spec : command.table)
      if (spec.name == "force") values.set("force", "true");
}

/// What is given now is added to what was asked before, in the same unit.
void CheckpointedCall::adopt_lengths(const std::vector<std::string>& lengths) {
  OptionValues& values = invocation_.values;
  const auto stored = options_of(find_value(stored_->about, "options").value_or(""));
  const bool any = std::any_of(lengths.begin(), lengths.end(), [&](const std::string& name) {
    return stored.find(name) != stored.end();
  });
  for (const std::string& name : lengths) {
    const auto found = stored.find(name);
    const std::string asked = found != stored.end() ? found->second.front() : "";
    if (!values.was_set(name)) {
      if (!asked.empty()) values.set(name, asked);
      continue;
    }
    const OptionSpec* spec = nullptr;
    for (const OptionSpec& one : values.table())
      if (one.name == name) spec = &one;
    const std::string before = asked.empty() && !any ? spec->default_value : asked;
    if (before.empty()) {
      std::string other;
      for (const std::string& option : lengths)
        if (stored.find(option) != stored.end()) other = option;
      throw InputError(path_ + " was asked for " + other + ", not for " + name,
                       "say how much longer with --" + other);
    }
    longer_ = true;
    const auto more = parse_real(values.text(name));
    const auto first = parse_real(before);
    if (!more || !first)
      throw InputError("cannot add --" + name + " to '" + before + "'", "give a number");
    values.set(name, spec->type == OptionType::integer
                         ? std::to_string(static_cast<std::int64_t>(*first + *more))
                         : format_real(*first + *more));
  }
}

Problem CheckpointedCall::problem() const {
  const OptionValues& values = invocation_.values;
  if (!stored_) return problem_from(values);
  const MemoryStore inputs(stored_->parts, 0);
  StoredShell shell;
  restore_values(&inputs, stored_reference, shell.reference);
  restore_values(&inputs, stored_groups, shell.groups);  // not in files of earlier versions
  return problem_from(values, shell, [&](const Model& model) {
    check_model(file_with(path_, stored_->about), model);
  });
}

std::optional<Bits> CheckpointedCall::start(const Shell& shell) const {
  std::optional<Bits> start;
  const MemoryStore inputs(stored_ ? stored_->parts : decltype(stored_->parts){}, 0);
  if (restore_values(&inputs, stored_start, start)) {
    if (start) check_start(shell, *start);
    return start;
  }
  return start_from(invocation_.values, shell);
}

std::string CheckpointedCall::move() const {
  const auto found = stored_ ? find_value(stored_->about, "found_move") : std::nullopt;
  return found.value_or(invocation_.values.text("move"));
}

Metadata CheckpointedCall::about(const std::string& hash) const {
  Metadata metadata = {{"command", invocation_.command->name},
                       {"command_line", command_again(invocation_)},
                       {"options", option_lines(*invocation_.command, invocation_.values)},
                       {"model", invocation_.values.text("model")},
                       {"model_hash", hash}};
  if (stored_)
    if (const auto found = find_value(stored_->about, "found_move"))
      metadata.emplace_back("found_move", *found);
  return metadata;
}

void CheckpointedCall::check(const std::string& hashes) const {
  const std::string before =
      stored_ ? find_value(stored_->about, "model_hash").value_or("") : hashes;
  if (before != hashes)
    throw InputError("the models are not those that " + path_ + " was run with: their hashes are " +
                         hashes + ", those of the run " + before,
                     "put the old files back, or start a new run");
}

StateStore* CheckpointedCall::begin(const std::string& hash) {
  if (path_.empty()) return nullptr;
  if (!stored_) {
    const OptionValues& values = invocation_.values;
    file_.emplace(path_, about(hash), values.flag("force"));
    return &*file_;
  }
  if (stored_->finished && !longer_) {
    if (!invocation_.values.flag("quiet"))
      print_note("nothing is left to do: " + path_ +
                 " is a run that is finished; this is its "
                 "result");
    memory_.emplace(std::move(stored_->parts), stored_->seconds);
    return &*memory_;
  }
  StoredState state = std::move(*stored_);
  stored_->about = state.about;  // for move(), later
  state.about = about(hash);
  file_.emplace(path_, std::move(state));
  return &*file_;
}

StateStore* CheckpointedCall::begin(const Problem& problem, const std::optional<Bits>& start) {
  StateStore* const store = begin(problem.model.hash());
  if (file_ && !stored_) {
    save_values(store, stored_reference, problem.shell.reference());
    save_values(store, stored_groups, groups_of(problem.shell));
    save_values(store, stored_start, start);
    file_->flush();
  }
  return store;
}

void CheckpointedCall::found(const std::string& move) {
  if (file_) file_->tell("found_move", move);
}

void CheckpointedCall::end(bool interrupted) {
  if (!file_) return;
  if (interrupted)
    file_->flush();
  else
    file_->finish();
}

std::string CheckpointedCall::way_on() const {
  return file_ ? "; go on with: nhot resume " + path_ : "";
}

}  // namespace nhot::app
