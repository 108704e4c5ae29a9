#include "nhot/result/band_sample.hpp"

#include <algorithm>
#include <utility>

#include "nhot/base/options.hpp"

namespace nhot {
namespace {

/// Draws and mean energies by distance, over all chains.
Facts shells_of(const Trace& trace, ShellBand band) {
  std::vector<std::uint64_t> distances(band.shells());
  std::vector<std::uint64_t> draws(band.shells(), 0);
  std::vector<double> means(band.shells(), 0);
  for (std::size_t k = 0; k < band.shells(); ++k) distances[k] = std::uint64_t{band.first} + k;
  const auto column =
      std::find_if(trace.observables.begin(), trace.observables.end(),
                   [](const ObservableColumn& own) { return own.name == "distance"; });
  for (std::size_t c = 0; column != trace.observables.end() && c < trace.chains.size(); ++c)
    for (std::size_t d = 0; d < trace.draws(); ++d) {
      const std::size_t k = static_cast<Site>(column->series[c][d]) - band.first;
      ++draws[k];
      means[k] += trace.chains[c].energy[d];
    }
  for (std::size_t k = 0; k < band.shells(); ++k)
    means[k] = draws[k] > 0 ? means[k] / static_cast<double>(draws[k]) : nan;
  return {{"distance", distances}, {"draws", draws}, {"energy_mean", means}};
}

std::string trips_text(const BandRun& run) {
  return "the chains crossed the band and came back " + short_real(run.round_trips) +
         " times in all; distance is one of the observables that are judged";
}

}  // namespace

RunReport report_on_band(const BandFactory& factory, const RunPlan& plan, const BandRun& band) {
  const Trace& trace = band.run.trace;
  RunRecord record;
  add_model(record, factory.model());
  record.distance = factory.band().first;
  record.last_distance = factory.band().last;
  record.reference = reference_name(factory.shell(factory.band().first));
  record.beta = factory.beta();
  record.move = "band";
  record.engine = factory.engine();
  add_result(record, plan.chains, plan.seed, band.run);
  RunReport report = make_report(std::move(record), trace);
  report.shells = shells_of(trace, factory.band());
  report.advice = advice_on(report);
  describe_states(report, !factory.model().lattice().sides.empty(), trace);
  add_notes(report.notes, factory.notes());
  report.notes.push_back(trips_text(band));
  add_notes(report.notes, band.run.notes);
  return report;
}

SampleResult sample_band(const BandFactory& factory, const RunPlan& plan, const RunHooks& hooks) {
  BandRun band = run_band(factory, plan, hooks);
  RunReport report = report_on_band(factory, plan, band);
  return {std::move(band.run), std::move(report)};
}

}  // namespace nhot
