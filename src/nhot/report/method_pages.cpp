#include "nhot/report/method_pages.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "nhot/base/text_layout.hpp"
#include "nhot/diagnose/moments.hpp"
#include "nhot/report/plain_parts.hpp"
#include "nhot/report/states_data.hpp"

namespace nhot {
namespace {

constexpr int page_digits = 7;
constexpr std::size_t shown_steps = 400;      // of a trajectory
constexpr std::size_t shown_betas = 40;       // in bars
constexpr std::size_t shown_columns = 1'000;  // predictors

Json page_of(const char* kind, const std::string& title, const PageOrigin& origin) {
  Json page = begin_page(kind, title);
  add_origin(page, origin);
  return page;
}

/// The first, the last, and evenly many between: the later ones are closer together in energy.
std::vector<std::size_t> thinned(std::size_t count, std::size_t most) {
  std::vector<std::size_t> kept;
  const std::size_t shown = std::min(count, most);
  for (std::size_t k = 0; k < shown; ++k)
    kept.push_back(shown < 2 ? 0 : k * (count - 1) / (shown - 1));
  return kept;
}

Json trajectory_json(const AnnealingResult& result) {
  std::vector<double> seconds;
  std::vector<double> energy;
  for (const std::size_t k : thinned(result.trajectory.size(), shown_steps)) {
    seconds.push_back(result.trajectory[k].seconds);
    energy.push_back(result.trajectory[k].energy);
  }
  if (!energy.empty() && result.seconds > seconds.back()) {
    seconds.push_back(result.seconds);
    energy.push_back(energy.back());
  }
  return {{"seconds", rounded(seconds, page_digits)}, {"energy", rounded(energy, page_digits)}};
}

/// Mean and standard error over the populations.
struct MeanError {
  double mean = 0;
  double error = 0;
};
MeanError over(const std::vector<double>& values) {
  if (values.size() < 2)
    return {values.empty() ? NAN : values.front(), std::numeric_limits<double>::quiet_NaN()};
  return {mean(values), std::sqrt(sample_variance(values) / static_cast<double>(values.size()))};
}

/// What each stretch of the schedule adds to log Z; long schedules in fewer, longer stretches.
TextRows contribution_rows(const PartitionResult& result) {
  TextRows rows = {{"beta", "added", "error"}};
  const auto& paths = result.log_z_along;
  if (paths.empty()) return rows;
  const std::vector<std::size_t> ends = thinned(result.betas.size(), shown_betas + 1);
  for (std::size_t k = 1; k < ends.size(); ++k) {
    std::vector<double> added;
    for (const std::vector<double>& path : paths)
      added.push_back(path[ends[k]] - path[ends[k - 1]]);
    const MeanError one = over(added);
    rows.push_back(
        {significant(result.betas[ends[k - 1]], 3) + " to " + significant(result.betas[ends[k]], 3),
         to_resolution(one.mean, one.error), significant(one.error, 2)});
  }
  return rows;
}

/// The mean over populations of log Z at every beta, and their standard deviation.
Json along_json(const PartitionResult& result) {
  std::vector<double> middle;
  std::vector<double> spread;
  const auto& paths = result.log_z_along;
  for (std::size_t k = 0; !paths.empty() && k < result.betas.size(); ++k) {
    std::vector<double> here;
    for (const std::vector<double>& path : paths) here.push_back(path[k]);
    middle.push_back(mean(here));
    spread.push_back(here.size() > 1 ? std::sqrt(sample_variance(here)) : 0);
  }
  return {{"beta", rounded(result.betas, page_digits)},
          {"log_z", rounded(middle, 9)},
          {"sd", rounded(spread, 3)}};
}

}  // namespace

Json annealing_page(const PageOrigin& origin, const AnnealingReport& report) {
  Json page = page_of("anneal", "Lowest energy: " + report.model.name(), origin);
  page["trajectory"] = trajectory_json(report.result);
  page["picture"] = states_picture(report.model, report.result.states);
  Json& text = page["text"];
  text["outcome"] = lines_part(outcome_lines(report));
  text["states"] = table_part(state_rows(report), "Best states", "Distinct states, by energy.");
  if (!report.notes.empty()) text["notes"] = sentences_part(report.notes);
  return page;
}

Json partition_page(const PageOrigin& origin, const PartitionReport& report) {
  const PartitionResult& result = report.result;
  Json page = page_of("logz", "log Z: " + report.model.name(), origin);
  page["log_z"] = {{"value", rounded(result.log_z.value, 12)},
                   {"error", rounded(result.log_z.stderr_value)},
                   {"of", rounded(result.log_z_of, 9)},
                   {"log_states", rounded(result.log_states, 9)}};
  page["method"] = report.method;
  page["along"] = along_json(result);
  Json& text = page["text"];
  text["outcome"] = lines_part(outcome_lines(report));
  if (const TextRows rows = contribution_rows(result); rows.size() > 1)
    text["contributions"] = table_part(rows, "Contributions to log Z");
  if (!report.notes.empty()) text["notes"] = sentences_part(report.notes);
  return page;
}

Json tuning_page(const PageOrigin& origin, const std::string& model, const TuningReport& report) {
  Json page = page_of("tune", "The fastest move: " + model, origin);
  const TuningResult& result = report.result;
  const SearchResult& search = result.search;
  const double best = search.last.empty() ? 0 : search.standings[search.last.front()];
  Json trials = Json::array();
  for (std::size_t k = 0; k < search.trials.size(); ++k)
    trials.push_back({{"move", search.trials[k].move},
                      {"round", search.trials[k].round},
                      {"of_best", rounded(std::exp(search.standings[k] - best), 4)}});
  Json surface = Json::array();
  for (const SurfacePoint& point : search.surface)
    surface.push_back({point.walk.length.min, point.walk.length.max, rounded(point.walk.gamma, 4),
                       rounded(std::exp(point.standing - best), 4)});
  page["rounds"] = search.rounds;
  page["trials"] = trials;
  page["surface"] = surface;
  if (!search.surface.empty()) page["surface_of"] = search.surface.front().walk.text();
  Json last = Json::array();
  for (const std::size_t k : search.last) {
    const LogRatio share = log_ratio(result.values[k], result.values[search.last.front()]);
    last.push_back({{"move", search.trials[k].move},
                    {"of_best", rounded(std::exp(share.value), 4)},
                    {"error", rounded(std::exp(share.value) * share.error, 3)}});
  }
  page["last"] = last;
  Json& text = page["text"];
  text["outcome"] = lines_part(outcome_lines(report));
  if (!search.last.empty())
    text["moves"] = table_part(move_rows(report), "The last round",
                               "Against the best of them, with standard errors.");
  if (!report.notes.empty()) text["notes"] = sentences_part(report.notes);
  return page;
}

Json selection_page(const PageOrigin& origin, const Selection& selection) {
  Json page = page_of("select", "Predictors of " + selection.response, origin);
  Json& text = page["text"];
  text["problem"] = lines_part(problem_lines(selection));
  text["verdict"] = verdict_part(selection.run.verdict, "", selection.run.advice);
  text["sites"] =
      table_part(inclusion_rows(selection, shown_columns), "Inclusion probabilities",
                 selection.inclusion.size() > shown_columns
                     ? "The most probable " + std::to_string(shown_columns) + " predictors."
                     : "");
  text["subsets"] = table_part(subset_rows(selection), "Best subsets",
                               "Share: of the kept states. Of the best: ratio of posteriors.");
  text["observables"] = table_part(observable_rows(selection.run), "The run");
  if (!selection.run.notes.empty()) text["notes"] = sentences_part(selection.run.notes);
  return page;
}

}  // namespace nhot
