// Places a run must not be written to, and files that are no runs.
#include <gtest/gtest.h>

#include <fstream>

#include "io/sample_run.hpp"
#include "nhot/base/error.hpp"
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

class RunRefusals : public testing::ScratchFolder {};

void write_bytes(const fs::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

std::string read_bytes(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// The problem that read_run reports, or "".
std::string refusal(const fs::path& path) {
  try {
    read_run(path);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST_F(RunRefusals, RefusesToReplaceWithoutForce) {
  const Model model = model_from_spec("ferromagnet:6x6");
  write_bytes(at("run.nc"), "precious");
  try {
    RunWriter writer(at("run.nc"), {}, model, 3, false);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("run.nc exists"), std::string::npos);
    EXPECT_NE(error.hint().find("{force}"), std::string::npos);
  }
  EXPECT_EQ(read_bytes(at("run.nc")), "precious");
  {
    RunWriter writer(at("run.nc"), {}, model, 3, true);
    writer.append(made_up_draws(0, 5));
    EXPECT_EQ(read_bytes(at("run.nc")), "precious");  // until the new run is whole
    writer.finish({});
  }
  expect_equal(read_run(at("run.nc")).trace, made_up_draws(0, 5));
}

TEST_F(RunRefusals, RefusesToReplaceWhatAKilledRunLeft) {
  const Model model = model_from_spec("ferromagnet:6x6");
  write_bytes(at("run.nc.partial"), "precious");
  EXPECT_THROW(RunWriter(at("run.nc"), {}, model, 3, false), InputError);
  EXPECT_EQ(read_bytes(at("run.nc.partial")), "precious");
}

// A header of a few bytes must not make a reader ask for all memory.
TEST_F(RunRefusals, RefusesAFileThatPromisesMoreThanItHolds) {
  {
    RunWriter writer(at("run.nc"), {}, model_from_spec("ferromagnet:6x6"), 3, false);
    writer.append(made_up_draws(0, 5));
    writer.finish({});
  }
  {
    NcFile file = NcFile::open_to_write(at("run.nc"));
    const NcGroup stats = file.root().find_group("sample_stats").value();
    write(stats.get("energy"), {{0, std::size_t{1} << 40}, {1, 1}}, std::vector<double>{1.0});
    file.close();
  }
  EXPECT_NE(refusal(at("run.nc")).find("is damaged or cut short"), std::string::npos);
}

TEST_F(RunRefusals, RefusesAMissingFolder) {
  const Model model = model_from_spec("ferromagnet:6x6");
  try {
    RunWriter writer(at("no/where/run.nc"), {}, model, 3, false);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find(at("no/where").string()), std::string::npos);
    EXPECT_NE(error.hint().find("mkdir -p " + at("no/where").string()), std::string::npos);
  }
  EXPECT_TRUE(listing().empty());
}

TEST_F(RunRefusals, RefusesDevicesAndFolders) {
  const Model model = model_from_spec("ferromagnet:6x6");
  EXPECT_THROW(RunWriter("/dev/full", {}, model, 3, true), InputError);
  EXPECT_THROW(RunWriter(at(""), {}, model, 3, true), InputError);
  EXPECT_TRUE(fs::is_character_file("/dev/full"));
}

TEST_F(RunRefusals, WithoutDrawsNothingIsLeft) {
  const Model model = model_from_spec("ferromagnet:6x6");
  { RunWriter writer(at("run.nc"), {}, model, 3, false); }
  EXPECT_TRUE(listing().empty());
}

TEST_F(RunRefusals, UnfinishedRunKeepsItsDraws) {
  const Model model = model_from_spec("ferromagnet:6x6");
  {
    RunWriter writer(at("run.nc"), {}, model, 3, false);
    writer.append(made_up_draws(0, 5));
  }
  EXPECT_EQ(listing(), Names{"run.nc.partial"});
  const StoredRun run = read_run(at("run.nc.partial"));
  expect_equal(run.trace, made_up_draws(0, 5));
  EXPECT_FALSE(run.finished);
  EXPECT_NE(refusal(at("run.nc")).find("has not finished"), std::string::npos);
}

TEST_F(RunRefusals, WritesThroughALink) {
  const Model model = model_from_spec("ferromagnet:6x6");
  write_bytes(at("target.nc"), "old");
  fs::create_symlink(at("target.nc"), at("run.nc"));
  RunWriter writer(at("run.nc"), {}, model, 3, true);
  writer.append(made_up_draws(0, 5));
  writer.finish({});
  EXPECT_TRUE(fs::is_symlink(at("run.nc")));
  expect_equal(read_run(at("target.nc")).trace, made_up_draws(0, 5));
}

// --- files that are refused

TEST_F(RunRefusals, RefusesWhatIsNoRun) {
  EXPECT_NE(refusal(at("absent.nc")).find("no run file"), std::string::npos);
  EXPECT_NE(refusal(at("")).find("is a folder"), std::string::npos);
  write_bytes(at("empty.nc"), "");
  EXPECT_NE(refusal(at("empty.nc")).find("is empty"), std::string::npos);
  write_bytes(at("text.nc"), "just some text");
  EXPECT_NE(refusal(at("text.nc")).find("is not a netCDF file"), std::string::npos);
  write_bytes(at("classic.nc"), std::string("CDF\x01", 4) + std::string(28, '\0'));
  EXPECT_NE(refusal(at("classic.nc")).find("not a run of nhot"), std::string::npos);
  {
    NcFile other = NcFile::create(at("other.nc"));
    other.root().put_attribute("title", std::string("sea temperatures"));
    other.close();
  }
  EXPECT_NE(refusal(at("other.nc")).find("not a run of nhot"), std::string::npos);
}

TEST_F(RunRefusals, RefusesALaterFormat) {
  {
    NcFile later = NcFile::create(at("later.nc"));
    later.root().put_attribute("nhot_format", std::int64_t{run_format + 1});
    later.close();
  }
  EXPECT_NE(refusal(at("later.nc")).find("run format " + std::to_string(run_format + 1)),
            std::string::npos);
}

TEST_F(RunRefusals, RefusesEveryTruncation) {
  const Model model = model_from_spec("ferromagnet:6x6");
  {
    RunWriter writer(at("run.nc"), {}, model, 3, false);
    writer.append_warmup(made_up_draws(0, 20));
    writer.append(made_up_draws(0, 200));
    writer.finish({});
  }
  const std::string bytes = read_bytes(at("run.nc"));
  for (std::size_t k = 1; k <= 20; ++k) {
    write_bytes(at("cut.nc"), bytes.substr(0, bytes.size() - bytes.size() * k / 21 - 1));
    EXPECT_NE(refusal(at("cut.nc")), "") << k;
  }
}

TEST_F(RunRefusals, RefusesColumnsOfDifferentShape) {
  const Model model = model_from_spec("ferromagnet:6x6");
  {
    RunWriter writer(at("run.nc"), {}, model, 3, false);
    writer.append(made_up_draws(0, 20));
    writer.finish({});
    NcFile file = NcFile::open_to_write(at("run.nc"));
    const NcGroup stats = *file.root().find_group("sample_stats");
    stats.define("odd", NcType::float64, {stats.define_dimension("other", 4)});
    file.close();
  }
  EXPECT_NE(refusal(at("run.nc")).find("odd has a wrong shape"), std::string::npos);
}

}  // namespace
}  // namespace nhot
