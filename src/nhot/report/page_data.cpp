#include "nhot/report/page_data.hpp"

#include <chrono>
#include <ctime>
#include <thread>

#include "nhot/base/version.hpp"
#include "nhot/report/comparison_series.hpp"
#include "nhot/report/plain_parts.hpp"

namespace nhot {
namespace {

std::string utc_now() {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

Json options_of(const PageOrigin& origin) {
  Json options = Json::object();
  for (const auto& [name, value] : origin.options)
    if (!value.empty()) options[name] = value;
  return options;
}

Json comparison_text(const std::vector<SamplerReport>& samplers,
                     const std::vector<std::string>& conclusions,
                     const std::vector<std::string>& notes) {
  Json text;
  text["conclusions"] = sentences_part(conclusions);
  text["samplers"] = table_part(sampler_rows(samplers));
  for (const SamplerReport& sampler : samplers)
    text["verdict of " + sampler.key] =
        verdict_part(sampler.report.verdict, sampler.label, sampler.report.advice);
  if (!notes.empty()) text["notes"] = sentences_part(notes);
  return text;
}

}  // namespace

Json begin_page(const char* kind, const std::string& title) {
  return {{"kind", kind}, {"title", title}, {"version", version()}};
}

void add_origin(Json& page, const PageOrigin& origin) {
  page["command"] = origin.command;
  page["options"] = options_of(origin);
}

Json comparison_page(const PageOrigin& origin, const Model& model, const CompareResult& result) {
  Json experiment = {{"title", model.name()},
                     {"command", origin.command},
                     {"conclusions", result.conclusions},
                     {"notes", result.notes}};
  experiment.update(comparison_series(model, result.samplers));
  experiment["text"] = comparison_text(result.samplers, result.conclusions, result.notes);
  Json page = begin_page("compare", "Moves compared at equal CPU time");
  add_origin(page, origin);
  page["experiments"] = {{"compare", experiment}};
  return page;
}

Json reproduction_page(const PageOrigin& origin, const std::string& made_by,
                       const ReproductionPlan& plan) {
  return {{"made_by", made_by},
          {"kind", "reproduce"},
          {"title", "The paper's experiments, reproduced"},
          {"version", version()},
          {"created_at", utc_now()},
          {"command", origin.command},
          {"cores", std::thread::hardware_concurrency()},
          {"trials", plan.trials},
          {"scale", plan.scale},
          {"seed", plan.seed},
          {"interrupted", false},
          {"options", options_of(origin)},
          {"experiments", Json::object()}};
}

void add_experiment(Json& page, const ExperimentReport& report, const Model& model,
                    const std::string& key, const std::string& reference_command) {
  Json experiment = to_json(facts_of(report));
  experiment["reference"]["command"] = reference_command;
  experiment.update(comparison_series(model, report.samplers));
  Json& text = experiment["text"] =
      comparison_text(report.samplers, report.conclusions, report.notes);
  if (!report.reference.how.empty())
    text["reference"] =
        verdict_part(report.reference.verdict, "Reference, " + report.reference.how);
  page["experiments"][key] = std::move(experiment);
  if (report.interrupted) page["interrupted"] = true;
}

Json without_series(Json page) {
  for (auto& [key, experiment] : page["experiments"].items()) {
    for (const char* name : {"time_seconds", "lag_seconds", "picture", "text"})
      experiment.erase(name);
    for (auto& [sampler, entry] : experiment["samplers"].items()) entry.erase("series");
  }
  return page;
}

Json scan_page(const std::string& path, const PageOrigin& origin, const std::string& model,
               const std::vector<ScanColumn>& columns) {
  Json data = Json::object();
  for (const ScanColumn& column : columns)  // seeds are whole numbers of up to ten digits
    data[column.name] = rounded(column.values, column.name == "seed" ? 10 : 8);
  Json page = begin_page("scan", "Scan " + path);
  add_origin(page, origin);
  page["model"] = model;
  page["columns"] = data;
  page["text"]["points"] = table_part(point_rows(columns));
  return page;
}

Json runs_page(const std::vector<std::string>& paths) {
  Json page = begin_page("runs", paths.size() == 1 ? "Run " + paths.front() : "Runs");
  page["runs"] = Json::array();
  return page;
}

}  // namespace nhot
