#include "nhot/base/archive.hpp"

#include <gtest/gtest.h>

#include "nhot/trace/trace_fields.hpp"

namespace nhot {
namespace {

std::vector<std::byte> saved() {
  Saving saving;
  saving(std::uint64_t{7}, std::string("two words"), std::vector<double>{1.5, -0.0},
         std::vector<std::vector<std::string>>{{"a"}, {}, {"b", ""}},
         std::vector<bool>{true, false}, PackedBits(Bits{1, 0, 1}), std::optional<Bits>(Bits{0, 1}),
         std::optional<Bits>());
  return saving.take();
}

struct Values {
  std::uint64_t number = 0;
  std::string text;
  std::vector<double> reals;
  std::vector<std::vector<std::string>> lists;
  std::vector<bool> flags;
  PackedBits bits;
  std::optional<Bits> some;
  std::optional<Bits> none = Bits{1};

  explicit Values(const std::vector<std::byte>& bytes) {
    Restoring restoring(bytes);
    restoring(number, text, reals, lists, flags, bits, some, none);
    if (!restoring.at_end()) ByteReader::damaged();
  }
};

TEST(Archive, GivesBackWhatItGot) {
  const Values values(saved());
  EXPECT_EQ(values.number, 7U);
  EXPECT_EQ(values.text, "two words");
  EXPECT_EQ(values.reals, (std::vector<double>{1.5, -0.0}));
  EXPECT_EQ(values.lists, (std::vector<std::vector<std::string>>{{"a"}, {}, {"b", ""}}));
  EXPECT_EQ(values.flags, (std::vector<bool>{true, false}));
  EXPECT_EQ(values.bits.unpacked(), (Bits{1, 0, 1}));
  EXPECT_EQ(values.some, Bits({0, 1}));
  EXPECT_FALSE(values.none);
}

TEST(Archive, ShortArchivesAreRefused) {
  const std::vector<std::byte> whole = saved();
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const std::vector<std::byte> part(whole.begin(),
                                      whole.begin() + static_cast<std::ptrdiff_t>(size));
    EXPECT_THROW(Values{part}, InputError) << size;
  }
}

// A size of 2^64 - 1 meets the end of the archive, not that of the memory.
TEST(Archive, DamagedArchivesAreRefusedOrRead) {
  const std::vector<std::byte> whole = saved();
  for (std::size_t place = 0; place < whole.size(); ++place) {
    std::vector<std::byte> damaged = whole;
    damaged[place] = std::byte{255};
    try {
      const Values values(damaged);
    } catch (const InputError&) {
    }
  }
}

TEST(Archive, Traces) {
  Trace trace;
  trace.beta = 0.3;
  trace.thin = 4;
  trace.chains = {{{1, 2}, {0, 1}, {0.5, 0.25}, {3, 4}, {1, 2}}};
  trace.observables = {{"m", "magnetisation", {{0.1, 0.2}}, false}};
  trace.state_draws = {1};
  trace.states = {{PackedBits(Bits{1, 1, 0})}};
  Saving saving;
  saving(trace);
  const std::vector<std::byte> bytes = saving.take();
  Trace other;
  Restoring restoring(bytes);
  restoring(other);
  EXPECT_TRUE(restoring.at_end());
  EXPECT_EQ(other.thin, 4U);
  EXPECT_EQ(other.chains[0].hamming_move, trace.chains[0].hamming_move);
  EXPECT_EQ(other.observables[0].help, "magnetisation");
  EXPECT_EQ(other.observables[0].series, trace.observables[0].series);
  EXPECT_EQ(other.states, trace.states);
}

}  // namespace
}  // namespace nhot
