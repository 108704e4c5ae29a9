#include "nhot/result/tuning_report.hpp"

#include <cmath>
#include <utility>

#include "nhot/base/options.hpp"

namespace nhot {
namespace {

constexpr std::size_t most_rows = 8;  // of the table

const char* name_of(TuneObjective objective) {
  return objective == TuneObjective::time ? "time" : "count";
}

/// Of the untuned move as the search knew it: its first walk.
std::string default_of(const TuningResult& result) {
  for (const TrialEntry& trial : result.search.trials)
    if (trial.walk) return trial.move;
  return "";
}

Fact gain_fact(const std::optional<LogRatio>& gain) {
  if (!gain) return {};
  const double ratio = std::exp(gain->value);
  return Facts{{"ratio", ratio}, {"error", ratio * gain->error}};
}

std::string gain_text(const std::optional<LogRatio>& gain) {
  if (!gain) return "not known";
  if (gain->value == 0) return "it is the same move";
  const double ratio = std::exp(gain->value);
  std::string text =
      to_resolution(ratio, ratio * gain->error) + " +- " + significant(ratio * gain->error, 2);
  text += " times";
  if (gain->value <= 2 * gain->error) text += " (a tie)";
  return text;
}

Fact number_or_null(double value) { return std::isfinite(value) ? Fact(value) : Fact(); }

/// What a standing is against the chosen move's.
double log_gain(double standing, const SearchResult& search) {
  return search.last.empty() ? standing : standing - search.standings[search.last.front()];
}

Facts facts_of(std::size_t k, const TuningResult& result) {
  const SearchResult& search = result.search;
  const TrialEntry& trial = search.trials[k];
  const TrialValue& value = result.values[k];
  Facts facts = {{"move", trial.move},
                 {"round", trial.round},
                 {"purpose", search.rounds[trial.round]},
                 {"ess_per_second", number_or_null(value.ess_per_second)},
                 {"log_gain", number_or_null(log_gain(search.standings[k], search))},
                 {"error", value.usable ? Fact(value.error) : Fact()},
                 {"slowest", value.slowest},
                 {"ns_per_move", 1e9 * value.seconds_per_move},
                 {"acceptance", value.acceptance}};
  if (trial.walk)
    append(facts, {{"length_min", trial.walk->length.min},
                   {"length_max", trial.walk->length.max},
                   {"bias", to_text(trial.walk->bias)},
                   {"gamma", trial.walk->gamma}});
  return facts;
}

}  // namespace

TuningReport make_report(const TuningPlan& plan, TuningResult result) {
  TuningReport report{std::move(result), name_of(plan.objective), {}};
  const TuningResult& known = report.result;
  const auto list = [](const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
    return text;
  };
  if (known.search.last.empty())
    report.notes.emplace_back(
        "the trials were too short to tell the moves apart, and the default is left: a longer run "
        "searches longer");
  else if (!known.unseen.empty())
    report.notes.push_back("the trials were shorter than the times in which " + list(known.unseen) +
                           " changes: the move is the fastest of the beginnings, and a longer "
                           "search may find another");
  if (!known.trapped.empty()) {
    report.notes.push_back(
        "the chains did not mix in " + list(known.trapped) +
        " during the search: no setting can be judged by how it crosses between their valleys, "
        "only by how it moves within them. Parallel tempering (temper) may cross");
  }
  return report;
}

Facts facts_of(const TuningReport& report) {
  const TuningResult& result = report.result;
  std::vector<Fact> trials;
  for (std::size_t k = 0; k < result.search.trials.size(); ++k)
    trials.emplace_back(facts_of(k, result));
  std::vector<Fact> surface;
  for (const SurfacePoint& point : result.search.surface)
    surface.emplace_back(Facts{{"move", point.walk.text()},
                               {"length_min", point.walk.length.min},
                               {"length_max", point.walk.length.max},
                               {"gamma", point.walk.gamma},
                               {"log_gain", log_gain(point.standing, result.search)},
                               {"error", point.error}});
  const bool known = !result.search.last.empty();
  const TrialValue best = known ? result.values[result.search.last.front()] : TrialValue{};
  return {{"move", result.move},
          {"ess_per_second", number_or_null(result.ess_per_second())},
          {"relative_error", known ? Fact(best.error) : Fact()},
          {"slowest", best.slowest},
          {"gain_over_default", gain_fact(result.gain_over(default_of(result)))},
          {"gain_over_swap", gain_fact(result.gain_over("swap"))},
          {"ties", result.ties()},
          {"trapped", result.trapped},
          {"unseen", result.unseen},
          {"objective", report.objective},
          {"seconds", result.seconds},
          {"interrupted", result.interrupted},
          {"chosen", known ? Fact(result.search.last.front()) : Fact()},
          {"trials", trials},
          {"surface", surface},
          {"notes", report.notes}};
}

TextRows move_rows(const TuningReport& report) {
  const TuningResult& result = report.result;
  TextRows rows = {{"move", "of the best", "+-", "slowest", "ESS/s", "ns/move", "acceptance"}};
  for (const std::size_t k : result.search.last) {
    if (rows.size() > most_rows) break;
    const TrialValue& value = result.values[k];
    const LogRatio share = log_ratio(value, result.values[result.search.last.front()]);
    rows.push_back({result.search.trials[k].move, significant(std::exp(share.value), 3),
                    significant(std::exp(share.value) * share.error, 2), value.slowest,
                    significant(result.unseen.empty() ? value.ess_per_second : NAN, 3),
                    significant(1e9 * value.seconds_per_move, 3),
                    significant(value.acceptance, 3)});
  }
  return rows;
}

TextLines outcome_lines(const TuningReport& report) {
  const TuningResult& result = report.result;
  TextLines lines = {{"best", result.move},
                     {"over the default", gain_text(result.gain_over(default_of(result)))},
                     {"over swap", gain_text(result.gain_over("swap"))}};
  std::string ties;
  for (const std::string& move : result.ties()) ties += (ties.empty() ? "" : "; ") + move;
  if (!ties.empty()) lines.emplace_back("ties with", ties);
  lines.emplace_back("tried", std::to_string(result.search.trials.size()) + " in " +
                                  short_duration(result.seconds) +
                                  (report.objective == "count" ? ", by nominal costs" : ""));
  return lines;
}

std::string to_text(const TuningReport& report, const TextLayout& layout) {
  const TextRows rows = move_rows(report);
  return (rows.size() > 1 ? layout.table(rows) + "\n" : "") +
         layout.key_values(outcome_lines(report)) + layout.notes(report.notes);
}

}  // namespace nhot
