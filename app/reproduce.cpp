// nhot reproduce: the paper's three experiments.
#include <algorithm>
#include <filesystem>
#include <fstream>

#include "checkpoint.hpp"
#include "command.hpp"
#include "command_line.hpp"
#include "interrupt.hpp"
#include "nhot/base/nearest.hpp"
#include "nhot/io/atomic_file.hpp"
#include "nhot/io/model/model_file.hpp"
#include "nhot/report/page.hpp"
#include "nhot/report/page_data.hpp"
#include "nhot/result/reproduce.hpp"
#include "nhot/run/clock.hpp"
#include "output.hpp"
#include "progress.hpp"
#include "terminal.hpp"

namespace nhot::app {
namespace {

constexpr const char* made_by = "nhot reproduce";

std::vector<const Experiment*> experiments_of(const OptionValues& values) {
  const std::string& what = values.text("what");
  std::vector<const Experiment*> chosen;
  std::vector<std::string> known;
  for (const Experiment& experiment : paper_experiments()) {
    known.push_back(experiment.key);
    const bool own_weights = values.was_set("model") || values.was_set("rbm-weights");
    const bool second_machine = what == "rbm" && experiment.key == "digits" && !own_weights;
    if (what == experiment.key || what == "all" || second_machine) chosen.push_back(&experiment);
  }
  known.emplace_back("all");
  if (what.empty())
    throw InputError("no experiment is named", "write nhot reproduce all, or one of: " + known[0] +
                                                   ", " + known[1] + ", " + known[2] + ", " +
                                                   known[3]);
  if (chosen.empty())
    throw InputError("unknown experiment '" + what + "'", unknown_name_hint(what, known));
  if (values.was_set("model") && chosen.size() > 1)
    throw InputError(
        "--model takes the place of one experiment's model, but '" + what + "' names all of them",
        "name the experiment whose protocol the model is for");
  const bool rbm = std::any_of(chosen.begin(), chosen.end(),
                               [](const Experiment* e) { return e->key == "rbm"; });
  if (values.was_set("rbm-weights") && (!rbm || values.was_set("model")))
    throw InputError(rbm ? "--rbm-weights and --model are both given"
                         : "--rbm-weights is given, but the rbm experiment is not run",
                     rbm ? "give one of them" : "write nhot reproduce rbm, or all");
  return chosen;
}

Model model_of(const Experiment& experiment, const OptionValues& values,
               std::vector<std::string>& notes) {
  std::string source = experiment.model;
  const bool weights = experiment.key == "rbm" && values.was_set("rbm-weights");
  if (values.was_set("model")) source = values.text("model");
  if (weights) source = values.text("rbm-weights");
  ReadResult read = load_model(source, values.was_set("model") ? values.text("format") : "");
  if (weights && !read.model.rbm())
    throw InputError(source + " does not hold an RBM",
                     "give an HDF5 file with the datasets W, b and c; other models with --model");
  notes.insert(notes.end(), read.notes.begin(), read.notes.end());
  return std::move(read.model);
}

// Results of an earlier call may be replaced, other files may not.
bool may_replace(const std::filesystem::path& results, bool force) {
  if (force) return true;
  std::ifstream file(results);
  std::string head(200, '\0');
  file.read(head.data(), static_cast<std::streamsize>(head.size()));
  return head.find(made_by) != std::string::npos;
}

void prepare_folder(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error || !std::filesystem::is_directory(folder))
    throw EnvironmentError(
        "cannot make the folder " + folder.string() + (error ? ": " + error.message() : ""),
        "name another with --out");
}

// The command that makes the reference again.
std::string reference_command(const ExperimentReport& report) {
  std::string text;
  for (const auto& [name, value] : reference_options(report))
    text += (name == "model" ? "nhot temper " : " --" + name + " ") + shell_word(value);
  return text;
}

void write_results(const std::filesystem::path& folder, const Json& results) {
  AtomicFile file((folder / "results.json").string(), true);
  file.append(results.dump(1, ' ', false, Json::error_handler_t::replace) + "\n");
  file.commit();
  write_page((folder / "report.html").string(), true, "nhot: the paper's experiments", "comparison",
             results);
}

ExitCode run_reproduce(Invocation& invocation) {
  const OptionValues& values = invocation.values;
  const bool quiet = values.flag("quiet");
  const bool json = values.flag("json");
  CheckpointedCall call(invocation, {});
  const std::vector<const Experiment*> chosen = experiments_of(values);
  check_charts();
  // Everything that can be refused is refused before the first experiment runs.
  std::vector<std::string> notes = invocation.notes;
  std::vector<Model> models;
  for (const Experiment* experiment : chosen)
    models.push_back(model_of(*experiment, values, notes));
  const std::filesystem::path folder = values.text("out");
  prepare_folder(folder);
  for (const char* name : {"results.json", "report.html"})
    if (std::filesystem::exists(folder / name) &&
        !may_replace(folder / "results.json", values.flag("force")))
      throw InputError((folder / name).string() + " exists and is not of nhot reproduce",
                       "name another folder with --out, or give --force to replace it");

  ReproductionPlan plan;
  plan.trials = static_cast<std::uint64_t>(values.integer("trials"));
  plan.scale = values.real("scale");
  plan.threads =
      values.text("threads") == "auto" ? 0 : static_cast<std::uint64_t>(values.integer("threads"));
  plan.seed = static_cast<std::uint64_t>(values.integer("seed"));

  const double begin = wall_seconds();
  Json results = reproduction_page({command_again(invocation), values.resolved()}, made_by, plan);
  std::string hashes;
  for (const Model& model : models) hashes += (hashes.empty() ? "" : " ") + model.hash();
  call.check(hashes);
  const InterruptGuard interrupts;
  StateStore* const store = call.begin(hashes);
  for (std::size_t k = 0; k < chosen.size() && !InterruptGuard::requested(); ++k) {
    const Experiment* experiment = chosen[k];
    const Model& model = models[k];
    ProgressBar bar(quiet);
    ComparisonHooks hooks;
    hooks.stop = InterruptGuard::requested;
    hooks.store = store;
    if (bar.active())
      hooks.progress = [&](const ComparisonProgress& now) {
        bar.show(experiment->key, now.fraction, now.seconds, now.moves, "moves");
      };
    RunHooks reference_hooks;
    reference_hooks.stop = InterruptGuard::requested;
    if (bar.active())
      reference_hooks.progress = [&](const RunProgress& now) {
        bar.show(experiment->key + (now.warming ? ", reference, warm-up" : ", reference"),
                 now.fraction, now.seconds, static_cast<double>(now.moves), "moves");
      };
    const ExperimentReport report = reproduce(*experiment, model, plan, hooks, reference_hooks);
    bar.clear();
    add_experiment(results, report, model, experiment->key, reference_command(report));
    if (!json) print(to_text(report, page_layout()));
    finish_output();
  }
  results["seconds"] = seconds_before(store) + wall_seconds() - begin;
  call.end(InterruptGuard::requested());
  write_results(folder, results);

  if (InterruptGuard::requested())
    print_note("interrupted; the files hold what was drawn by then" + call.way_on());
  const std::string page = (folder / "report.html").string();
  if (json) {
    Json shown = without_series(results);
    shown["results"] = (folder / "results.json").string();
    shown["report"] = page;
    shown["notes"] = notes;
    print_json(shown);
    return ExitCode::done;
  }
  if (!quiet) print(page_layout().notes(notes));
  print("results: " + (folder / "results.json").string() + "\nreport:  " + page + "\n");
  return ExitCode::done;
}

OptionGroup reproduction_group() {
  OptionGroup group = {"Reproduction", {}};
  group.options.push_back({"what", OptionType::text, "",
                           "ferromagnet, spin-glass, rbm (Gabor filters, and trained on digits), "
                           "digits, or all of them",
                           "WHAT"});
  group.options.push_back({"out", OptionType::text, "results/reproduce",
                           "folder for results.json and report.html", "DIR"});
  group.options.back().short_name = 'o';
  OptionSpec trials{"trials", OptionType::integer, "10", "independent chains of every sampler",
                    "C"};
  trials.min = 1;
  trials.max = 4096;
  OptionSpec scale{"scale", OptionType::real, "1",
                   "times the paper's numbers of moves, and the reference's", "F"};
  scale.min = 1e-6;
  scale.max = 1e6;
  group.options.push_back(trials);
  group.options.push_back(scale);
  group.options.push_back({"rbm-weights", OptionType::text, "",
                           "run the rbm experiment on weights of your own: datasets W, b and c, in "
                           "a group or not",
                           "FILE.h5[#GROUP]"});
  group.options.push_back({"model", OptionType::text, "",
                           "run one experiment's protocol on a model of your own; the distance is "
                           "the same share of its sites",
                           "MODEL"});
  for (const OptionSpec& spec : model_options().options)
    if (spec.name == "format") group.options.push_back(spec);
  for (const OptionSpec& spec : run_options().options)
    if (spec.name == "threads" || spec.name == "seed") group.options.push_back(spec);
  for (const OptionSpec& spec : output_options().options)
    if (spec.name == "force") group.options.push_back(spec);
  return group;
}

}  // namespace

const Command& reproduce_command() {
  static const Command command = {
      "reproduce",
      "repeat the paper's three experiments and write a report",
      "Runs the intracluster move with the settings of the paper against pair swaps: with the "
      "paper's number of attempts, and with the same CPU time, measured while they take turns. "
      "A reference, by parallel tempering or a move that does not get caught, finds the true mean "
      "energy, and each sampler is held against it. Writes results.json and report.html, one page "
      "that needs no network.",
      {"what"},
      {reproduction_group(), checkpoint_options(false), common_options()},
      {{"nhot reproduce all --out results --scale 0.01",
        "a hundredth of the moves, for a first look"},
       {"nhot reproduce rbm --model rbm:64x40,seed=2 --scale 0.02 --out rbm-results",
        "one experiment on another model; weights of your own come with --rbm-weights FILE.h5"}},
      run_reproduce};
  return command;
}

}  // namespace nhot::app
