// Files of runs, checkpoints and scans.
#include "fuzz/stored_file.hpp"

#include "fuzz/parser.hpp"
#include "io/sample_run.hpp"
#include "nhot/io/run/checkpoint_file.hpp"
#include "nhot/io/run/run_reader.hpp"
#include "nhot/io/run/run_record.hpp"
#include "nhot/io/run/run_writer.hpp"
#include "nhot/io/run/scan_file.hpp"
#include "nhot/model/generators.hpp"
#include "nhot/result/scan_archive.hpp"

namespace nhot::fuzz {
namespace {

namespace fs = std::filesystem;
using testing::made_up_draws;

FuzzedDataProvider plan_of(std::string_view bytes) {
  return {reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()};
}

std::vector<std::byte> some_bytes(std::size_t size) {
  return std::vector<std::byte>(size, std::byte{7});
}

/// A finished run of a lattice, with a checkpoint.
void write_lattice_run(const fs::path& path) {
  const Model model = model_from_spec("ferromagnet:6x6");
  const Metadata about = {{"beta", "0.4"}, {"distance", "18"}, {"seed", "1"},     {"move", "swap"},
                          {"thin", "7"},   {"moves", "140"},   {"engine", "none"}};
  RunWriter writer(path, about, model, 3, true, Bits(36, 1));
  writer.append_warmup(made_up_draws(0, 5));
  writer.append(made_up_draws(0, 20));
  writer.checkpoint({some_bytes(40), some_bytes(40), some_bytes(40)}, {{"moves", "140"}});
  writer.finish({{"seconds", "0.5"}, {"acceptance", "0.3"}, {"converged", "true"}});
}

/// A finished run of an RBM with draws of all rungs.
void write_rung_run(const fs::path& path) {
  const Model model = model_from_spec("rbm:30x6,seed=1");
  RunWriter writer(path, {{"beta", "0.4"}, {"distance", "8"}, {"seed", "1"}}, model, 3, true);
  const std::vector<Trace> rungs = {made_up_draws(0, 10), made_up_draws(0, 10)};
  writer.append_rungs(rungs, 1);
  writer.finish({});
}

/// What one of the readers makes of a file, as the plan says which: opening a file takes the
/// library longer than anything else here.
void read_some(const fs::path& path, FuzzedDataProvider& plan) {
  switch (plan.ConsumeIntegralInRange(0, 7)) {
    case 0:
      accepts([&] { read_run_metadata(path); });
      break;
    case 1:
      accepts([&] { read_run_rungs(path); });
      break;
    case 2:
      is_checkpoint_file(path);
      break;
    case 3:
      is_scan_file(path);
      break;
    default:
      accepts([&] { report_of(read_run(path)); });
      break;
  }
}

const Parser run("run", [](std::string_view bytes) {
  static const StoredFile lattice(write_lattice_run);
  static const StoredFile rungs(write_rung_run);
  FuzzedDataProvider plan = plan_of(bytes);
  const StoredFile& file = plan.ConsumeBool() ? lattice : rungs;
  read_some(file.damage(plan), plan);
});

const Parser checkpoint("checkpoint", [](std::string_view bytes) {
  static const StoredFile whole([](const fs::path& path) {
    CheckpointFile file(path, {{"command", "anneal"}, {"options", "reads=3\n"}}, true);
    file.save("a", some_bytes(100));
    file.save("b", {});
    file.finish();
  });
  FuzzedDataProvider plan = plan_of(bytes);
  const fs::path path = whole.damage(plan);
  if (plan.ConsumeIntegralInRange(0, 7) > 0)
    accepts([&] { read_checkpoint_file(path); });
  else
    accepts([&] { read_run(path); });
});

/// What a scan that was stopped keeps of a point.
const Parser point("point", [](std::string_view bytes) {
  const auto* begin = reinterpret_cast<const std::byte*>(bytes.data());
  const ScanPoint read = scan_point_from({begin, begin + bytes.size()});
  const std::vector<std::byte> again = archive_of(read);
  require(archive_of(scan_point_from(again)) == again, "a point that reads back as another");
});

const Parser scan("scan", [](std::string_view bytes) {
  static const StoredFile whole([](const fs::path& path) {
    Scan made{"sample", "ferromagnet:6x6", 1, {}, {}};
    for (const double beta : {0.1, 0.2})
      made.points.push_back({beta, 18, 3, {{"acceptance", 0.5}, {"converged", true}}, {}});
    write_scan(made, {{"seed", "1"}}, path, true);
  });
  FuzzedDataProvider plan = plan_of(bytes);
  const fs::path path = whole.damage(plan);
  if (is_scan_file(path)) accepts([&] { read_scan(path); });
});

}  // namespace
}  // namespace nhot::fuzz
