// What goes into a run file comes out again, to the bit.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "io/sample_run.hpp"
#include "nhot/base/version.hpp"
#include "nhot/io/netcdf_file.hpp"
#include "nhot/io/run/run_reader.hpp"
#include "nhot/io/run/run_writer.hpp"
#include "nhot/model/generators.hpp"

namespace nhot {
namespace {

namespace fs = std::filesystem;
using testing::expect_equal;
using testing::made_up_draws;
using Names = std::vector<std::string>;

class RunFile : public testing::ScratchFolder {};

std::vector<std::byte> made_up_bytes(std::size_t size) {
  std::vector<std::byte> bytes(size);
  for (std::size_t k = 0; k < size; ++k) bytes[k] = static_cast<std::byte>(37 * k % 256);
  return bytes;
}

TEST_F(RunFile, GivesBackWhatWasWritten) {
  const Model model = model_from_spec("ferromagnet:6x6");
  Bits reference(36, 0);
  reference[7] = 1;
  {
    RunWriter writer(at("run.nc"), {{"beta", "0.4"}, {"seed", "18446744073709551615"}}, model, 3,
                     false, reference);
    writer.append_warmup(made_up_draws(0, 13));
    writer.flush();
    writer.append_warmup(made_up_draws(13, 8));
    writer.append(made_up_draws(0, 101));
    writer.flush();
    writer.append(made_up_draws(101, 5000));
    writer.append(made_up_draws(5101, 1));
    EXPECT_EQ(listing(), (Names{"run.nc.lock", "run.nc.partial"}));
    writer.finish({{"acceptance", "0.25"}, {"moves", "5102"}, {"converged", "true"}});
  }
  EXPECT_EQ(listing(), Names{"run.nc"});

  const StoredRun run = read_run(at("run.nc"));
  expect_equal(run.warmup, made_up_draws(0, 21));
  expect_equal(run.trace, made_up_draws(0, 5102));
  EXPECT_TRUE(run.finished);
  EXPECT_EQ(run.chains, 3U);
  EXPECT_EQ(run.sites, 36U);
  EXPECT_EQ(run.lattice.sides, (std::vector<Site>{6, 6}));
  EXPECT_TRUE(run.lattice.periodic);
  EXPECT_EQ(run.reference, reference);
  EXPECT_TRUE(run.filters.empty());
  EXPECT_TRUE(run.checkpoint.chains.empty());
  EXPECT_EQ(find_value(run.metadata, "seed"), "18446744073709551615");
  EXPECT_EQ(find_value(run.metadata, "beta"), "0.4");
  EXPECT_EQ(find_value(run.metadata, "model"), "ferromagnet:6x6");
  EXPECT_EQ(find_value(run.metadata, "model_hash"), model.hash());
  EXPECT_EQ(find_value(run.metadata, "inference_library"), "nhot");
  EXPECT_EQ(find_value(run.metadata, "inference_library_version"), version());
  EXPECT_EQ(find_value(run.metadata, "acceptance"), "0.25");
  EXPECT_EQ(find_value(run.metadata, "converged"), "true");
  EXPECT_EQ(find_value(run.metadata, "nothing"), std::nullopt);
}

TEST_F(RunFile, OneChainWithoutWarmupOrStates) {
  const Model model = model_from_spec("field:36,seed=1");
  Trace draws = made_up_draws(0, 4, 1);
  RunWriter writer(at("run.nc"), {}, model, 1, false);
  writer.append(draws);
  writer.finish({});
  const StoredRun run = read_run(at("run.nc"));
  expect_equal(run.trace, draws);
  EXPECT_TRUE(run.warmup.chains.empty());
  EXPECT_TRUE(run.lattice.sides.empty());
}

TEST_F(RunFile, ExtremeNumbersSurvive) {
  const Model model = model_from_spec("ferromagnet:6x6");
  Trace draws = made_up_draws(0, 6);
  using Limits = std::numeric_limits<double>;
  draws.chains[1].energy = {Limits::max(),      -Limits::min(), Limits::denorm_min(),
                            Limits::infinity(), -0.0,           1.0 / 3};
  draws.beta = 0.1 + 0.2;
  draws.thin = (1ULL << 62) + 1;
  RunWriter writer(at("run.nc"), {}, model, 3, false);
  writer.append(draws);
  writer.finish({});
  const StoredRun run = read_run(at("run.nc"));
  expect_equal(run.trace, draws);
  EXPECT_TRUE(std::signbit(run.trace.chains[1].energy[4]));
}

TEST_F(RunFile, RbmKeepsItsFirstFilters) {
  const Model model = model_from_spec("rbm:25x70,seed=3");
  RunWriter writer(at("run.nc"), {}, model, 2, false);
  writer.append(made_up_draws(0, 10, 2, 95));
  writer.finish({});
  const StoredRun run = read_run(at("run.nc"));
  EXPECT_EQ(run.rbm_visible, 25U);
  EXPECT_EQ(run.rbm_hidden, 70U);
  ASSERT_EQ(run.filters.size(), max_stored_filters);
  for (std::size_t h = 0; h < run.filters.size(); ++h)
    for (std::size_t v = 0; v < 25; ++v)
      EXPECT_EQ(run.filters[h][v], static_cast<float>(model.rbm()->weights().weights[h * 25 + v]));
}

TEST_F(RunFile, ReplaceKeepsTheWarmup) {
  const Model model = model_from_spec("ferromagnet:6x6");
  RunWriter writer(at("run.nc"), {}, model, 3, false);
  writer.append_warmup(made_up_draws(0, 50));
  writer.append(made_up_draws(0, 300));
  writer.flush();
  writer.append(made_up_draws(300, 33));
  Trace whole = made_up_draws(0, 333);
  whole.halve();
  writer.replace(whole);
  writer.flush();
  expect_equal(read_run(at("run.nc.partial")).trace, whole);
  Trace more = made_up_draws(1000, 10);
  more.thin = whole.thin;
  writer.append(more);
  writer.flush();
  writer.finish({});
  whole.append(more);
  const StoredRun run = read_run(at("run.nc"));
  expect_equal(run.warmup, made_up_draws(0, 50));
  expect_equal(run.trace, whole);
}

TEST_F(RunFile, CheckpointComesBack) {
  const Model model = model_from_spec("ferromagnet:6x6");
  RunWriter writer(at("run.nc"), {}, model, 3, false);
  writer.append_warmup(made_up_draws(0, 10));
  writer.append(made_up_draws(0, 20));
  writer.checkpoint({made_up_bytes(100), made_up_bytes(7), {}}, {{"moves", "140"}});
  writer.flush();
  EXPECT_EQ(read_run(at("run.nc.partial")).checkpoint.draws, 20U);
  writer.append(made_up_draws(20, 20));
  // Longer and shorter than the one before.
  const std::vector<std::vector<std::byte>> states = {made_up_bytes(50), made_up_bytes(3000),
                                                      made_up_bytes(1)};
  writer.checkpoint(states, {{"moves", "280"}, {"start", "uniform"}});
  for (const char* name : {"run.nc.partial", "run.nc"}) {
    if (std::string(name) == "run.nc")
      writer.finish({});
    else
      writer.flush();
    const StoredRun run = read_run(at(name));
    EXPECT_EQ(run.checkpoint.chains, states);
    EXPECT_EQ(run.checkpoint.warmup_draws, 10U);
    EXPECT_EQ(run.checkpoint.draws, 40U);
    EXPECT_EQ(run.checkpoint.plan, (Metadata{{"moves", "280"}, {"start", "uniform"}}));
  }
}

TEST_F(RunFile, NumbersAreStoredAsNumbersAndNamesAsNames) {
  const Model model = model_from_spec("field:36,seed=1");
  const Metadata attributes = {{"beta", "0.50"},       {"seed", "7"},   {"move", "12"},
                               {"model_hash", "1234"}, {"part", "007"}, {"rhat", "nan"},
                               {"slope", "-1e-3"},     {"empty", ""},   {"odd key/1", "x"},
                               {"version", "1.2.3"}};
  RunWriter writer(at("run.nc"), attributes, model, 1, false);
  writer.append(made_up_draws(0, 1, 1));
  writer.finish({});
  const StoredRun run = read_run(at("run.nc"));
  EXPECT_EQ(find_value(run.metadata, "beta"), "0.5");
  EXPECT_EQ(find_value(run.metadata, "part"), "007");
  EXPECT_EQ(find_value(run.metadata, "rhat"), "nan");
  EXPECT_EQ(find_value(run.metadata, "slope"), "-0.001");
  EXPECT_EQ(find_value(run.metadata, "empty"), "");
  EXPECT_EQ(find_value(run.metadata, "odd_key_1"), "x");
  const NcFile file = NcFile::open(at("run.nc"));
  EXPECT_TRUE(std::holds_alternative<double>(*file.root().attribute("beta")));
  EXPECT_TRUE(std::holds_alternative<std::int64_t>(*file.root().attribute("seed")));
  EXPECT_TRUE(std::holds_alternative<std::string>(*file.root().attribute("move")));
  EXPECT_TRUE(std::holds_alternative<std::string>(*file.root().attribute("model_hash")));
  EXPECT_TRUE(std::holds_alternative<std::string>(*file.root().attribute("version")));
}

TEST_F(RunFile, ListsAndTruthValuesAreStoredAsNumbers) {
  const Model model = model_from_spec("field:36,seed=1");
  const Metadata attributes = {{"converged", "true"},
                               {"interrupted", "false"},
                               {"chain_acceptance", "0.25 1 nan"},
                               {"counts", "3 0 -12"},
                               {"large", "9007199254740993 0.5"},  // no double holds the first
                               {"huge", "18446744073709551615 1"},
                               {"betas", "0,0.1,0.45"},
                               {"words", "0.5 of 2"},
                               {"gap", "1  2"},
                               {"move", "true"}};
  RunWriter writer(at("run.nc"), attributes, model, 1, false);
  writer.append(made_up_draws(0, 1, 1));
  writer.finish({});
  const StoredRun run = read_run(at("run.nc"));
  for (const auto& [key, value] : attributes) EXPECT_EQ(find_value(run.metadata, key), value);
  const NcFile file = NcFile::open(at("run.nc"));
  const auto stored = [&](const char* name) { return *file.root().attribute(name); };
  EXPECT_EQ(stored("converged"), NcAttribute(true));
  EXPECT_EQ(stored("interrupted"), NcAttribute(false));
  EXPECT_EQ(stored("counts"), NcAttribute(std::vector<std::int64_t>{3, 0, -12}));
  EXPECT_EQ(stored("betas"), NcAttribute(std::vector<double>{0, 0.1, 0.45}));
  const auto reals = std::get<std::vector<double>>(stored("chain_acceptance"));
  EXPECT_EQ(reals.at(0), 0.25);
  EXPECT_EQ(reals.at(1), 1);
  EXPECT_TRUE(std::isnan(reals.at(2)));
  for (const char* name : {"large", "huge", "words", "gap", "move"})
    EXPECT_TRUE(std::holds_alternative<std::string>(stored(name))) << name;
  EXPECT_EQ(stored("nhot_finished"), NcAttribute(true));
}

// The file was written once, when this format was new, and stays as it is: runs of users must stay
// readable.
TEST_F(RunFile, OldFilesStayReadable) {
  const fs::path data = fs::path(__FILE__).parent_path().parent_path() / "data";
  const StoredRun run = read_run(data / "run_format1.nc");
  expect_equal(run.warmup, made_up_draws(0, 4, 2, 16));
  expect_equal(run.trace, made_up_draws(0, 20, 2, 16));
  EXPECT_TRUE(run.finished);
  EXPECT_EQ(run.chains, 2U);
  EXPECT_EQ(run.sites, 16U);
  EXPECT_EQ(run.lattice.sides, (std::vector<Site>{4, 4}));
  Bits reference(16, 0);
  reference[3] = 1;
  EXPECT_EQ(run.reference, reference);
  EXPECT_EQ(find_value(run.metadata, "model"), "ferromagnet:4x4");
  EXPECT_EQ(find_value(run.metadata, "beta"), "0.4");
  EXPECT_EQ(find_value(run.metadata, "converged"), "false");
  using Bytes = std::vector<std::byte>;
  EXPECT_EQ(run.checkpoint.chains,
            (std::vector{Bytes{std::byte{1}, std::byte{2}, std::byte{255}}, Bytes{std::byte{4}}}));
  EXPECT_EQ(run.checkpoint.plan, (Metadata{{"moves", "140"}}));
}

}  // namespace
}  // namespace nhot
