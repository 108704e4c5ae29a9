#include "nhot/io/run/checkpoint_file.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

#include "io/child.hpp"
#include "io/sample_run.hpp"
#include "nhot/base/error.hpp"
#include "nhot/io/netcdf_file.hpp"
#include "nhot/io/run/run_reader.hpp"

namespace nhot {
namespace {

using testing::code_of_child;

class CheckpointFileTest : public testing::ScratchFolder {};

std::vector<std::byte> bytes_of(std::size_t size, int value) {
  return std::vector<std::byte>(size, static_cast<std::byte>(value));
}

TEST_F(CheckpointFileTest, KeepsPartsAndWhatIsTold) {
  {
    CheckpointFile file(at("run.nc"), {{"command", "anneal"}, {"options", "reads=3\nseed=1\n"}},
                        false);
    file.save("a", bytes_of(1000, 1));
    file.save("b", {});
    file.save("gone", bytes_of(3, 2));
    file.erase("gone");
    file.tell("found_move", "swap");
    file.finish();
  }
  const StoredState state = read_checkpoint_file(at("run.nc"));
  EXPECT_TRUE(state.finished);
  EXPECT_EQ(state.parts.size(), 2U);
  EXPECT_EQ(state.parts.at("a"), bytes_of(1000, 1));
  EXPECT_TRUE(state.parts.at("b").empty());
  EXPECT_EQ(find_value(state.about, "options"), "reads=3\nseed=1\n");
  EXPECT_EQ(find_value(state.about, "found_move"), "swap");
  EXPECT_EQ(listing(), (std::vector<std::string>{"run.nc"}));
  EXPECT_TRUE(is_checkpoint_file(at("run.nc")));
  EXPECT_THROW(read_run(at("run.nc")), InputError);

  CheckpointFile more(at("run.nc"), state);
  EXPECT_EQ(more.find("a"), bytes_of(1000, 1));
  EXPECT_GE(more.seconds_before(), 0);
  EXPECT_FALSE(read_checkpoint_file(at("run.nc")).finished);
}

TEST_F(CheckpointFileTest, RefusesToReplaceAndMissingFolders) {
  { CheckpointFile file(at("run.nc"), {}, false); }
  EXPECT_THROW(CheckpointFile(at("run.nc"), {}, false), InputError);
  EXPECT_NO_THROW(CheckpointFile(at("run.nc"), {}, true));
  EXPECT_THROW(CheckpointFile(at("none/run.nc"), {}, false), InputError);
  std::filesystem::permissions(at("run.nc"), std::filesystem::perms::owner_read);
  EXPECT_THROW(CheckpointFile(at("run.nc"), {}, true), EnvironmentError);
}

// Every byte counts: wherever one is changed, the file is refused or says the same. In a child:
// netCDF loses memory when it cannot open a file.
TEST_F(CheckpointFileTest, DamageIsFound) {
  {
    CheckpointFile file(at("run.nc"), {{"command", "anneal"}}, false);
    file.save("a", bytes_of(4000, 7));
    file.finish();
  }
  const StoredState whole = read_checkpoint_file(at("run.nc"));
  std::ifstream in(at("run.nc"), std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(in)), {});
  enum Outcome { refused, same, different };
  const auto read = [&](const std::string& damaged) {
    std::ofstream(at("damaged.nc"), std::ios::binary) << damaged;
    try {
      const StoredState state = read_checkpoint_file(at("damaged.nc"));
      return state.parts == whole.parts && state.about == whole.about ? same : different;
    } catch (const InputError&) {
      return refused;
    }
  };
  EXPECT_EQ(code_of_child([&] {
              std::size_t refusals = 0;
              for (std::size_t place = 8; place < bytes.size(); place += 97) {
                std::string damaged = bytes;
                damaged[place] = static_cast<char>(damaged[place] ^ 0x15);
                const Outcome outcome = read(damaged);
                if (outcome == different) return 1;
                if (outcome == refused) ++refusals;
              }
              return refusals >= 4000U / 97 ? 0 : 2;
            }),
            0);
  EXPECT_EQ(code_of_child([&] {
              for (const std::size_t size : {std::size_t{0}, std::size_t{7}, std::size_t{100},
                                             bytes.size() / 2, bytes.size() - 1})
                if (read(bytes.substr(0, size)) != refused) return 1;
              return 0;
            }),
            0);
}

TEST_F(CheckpointFileTest, OtherVersionsAreRefusedWithWhatToDo) {
  { CheckpointFile file(at("run.nc"), {}, false); }
  {
    NcFile file = NcFile::open_to_write(at("run.nc"));
    file.root().put_attribute("nhot_checkpoint", std::int64_t{checkpoint_format + 1});
    file.close();
  }
  try {
    read_checkpoint_file(at("run.nc"));
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("checkpoint format 2"), std::string::npos);
    EXPECT_NE(error.hint().find("go on with the version that wrote it"), std::string::npos);
  }
}

TEST_F(CheckpointFileTest, OneProgramAtATime) {
  {
    CheckpointFile file(at("run.nc"), {}, false);
    EXPECT_EQ(code_of_child([this] {
                // The parent's lock came along with the fork: ask the system, as a program of its
                // own would.
                return ::execlp("flock", "flock", "-n", at("run.nc.lock").c_str(), "true", nullptr);
              }),
              1);
  }
  EXPECT_EQ(listing(), (std::vector<std::string>{"run.nc"}));
}

TEST_F(CheckpointFileTest, FullDiskSpoilsNothing) {
  EXPECT_EQ(code_of_child([this] {
              testing::limit_file_size(300'000);
              CheckpointFile file(at("run.nc"), {{"command", "anneal"}}, false);
              for (int k = 1; k < 1000; ++k) {
                file.save("part " + std::to_string(k), bytes_of(20'000, k));
                file.flush();
              }
              return 0;
            }),
            3);
  const StoredState state = read_checkpoint_file(at("run.nc"));
  EXPECT_GE(state.parts.size(), 5U);
  for (const auto& [name, bytes] : state.parts)
    EXPECT_EQ(bytes, bytes_of(20'000, std::stoi(name.substr(5))));
}

}  // namespace
}  // namespace nhot
