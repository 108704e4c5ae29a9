// Writes the draws of a run to a netCDF file while it goes on (xarray and ArviZ open it), and reads
// them back.
#include <cstdio>
#include <nhot/io/run/run_record.hpp>
#include <nhot/nhot.hpp>

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: write_and_read RUN.nc\n");
    return 2;
  }
  const nhot::Model model = nhot::model_from_spec("spin-glass:4x4x4,seed=7");
  const nhot::ChainFactory chains(model, nhot::Shell(nhot::Bits(model.sites(), 0), 32), "im", 0.5);
  nhot::RunPlan plan;
  plan.moves = 5000;
  try {
    nhot::RunWriter writer(argv[1], nhot::attributes_of(chains), model, plan.chains, false);
    nhot::RunHooks hooks;
    nhot::write_to(writer, hooks);
    const nhot::SampleResult result = nhot::sample(chains, plan, hooks);
    writer.finish(nhot::results_of(result.report));

    const nhot::StoredRun stored = nhot::read_run(argv[1]);
    std::printf("%zu chains of %zu draws, the last energy %g\n", stored.trace.chains.size(),
                stored.trace.draws(), stored.trace.chains.back().energy.back());
    std::printf("%s", nhot::to_text(nhot::report_of(stored), nhot::TextLayout()).c_str());
  } catch (const nhot::Error& error) {
    std::fprintf(stderr, "%s\n  try: %s\n", error.what(), error.hint().c_str());
    return static_cast<int>(error.code());
  }
}
