#include "nhot/io/bits_file.hpp"

#include "io/scratch.hpp"

namespace nhot {
namespace {

class BitsFile : public Scratch {
 protected:
  Bits read(const std::string& text, Site sites) { return read_bits(put("s.txt", text), sites); }
  std::string problem(const std::string& text, Site sites) {
    return thrown([&] { read(text, sites); });
  }
};

TEST_F(BitsFile, AcceptsCharactersNumbersAndSpins) {
  const Bits expected = {1, 0, 0, 1, 1};
  EXPECT_EQ(read("10011", 5), expected);
  EXPECT_EQ(read("# a comment\r\n10\r\n0 11\r\n", 5), expected);
  EXPECT_EQ(read("1 0 0 1 1\n", 5), expected);
  EXPECT_EQ(read("1,0,0,1,1 # the end\n", 5), expected);
  EXPECT_EQ(read(" 1\n-1\n-1\n 1\n 1\n", 5), expected);
  EXPECT_EQ(read("+1 -1 -1 +1 +1", 5), expected);
  EXPECT_EQ(read("1 1 1", 3), Bits(3, 1));
}

TEST_F(BitsFile, AWrongCountSaysBothNumbers) {
  EXPECT_EQ(problem("1001", 5), "input: " + path("s.txt") +
                                    ": expected 5 values, found 4 | give one value for every site "
                                    "of the model");
  EXPECT_TRUE(holds(problem("", 5), "expected 5 values, found 0"));
  EXPECT_TRUE(holds(problem("111111", 5), "expected 5 values, found 6"));
}

TEST_F(BitsFile, OddTokensAreNamedWithTheirLine) {
  EXPECT_TRUE(holds(problem("10\n12\n", 4), "s.txt:2: '12' is not made of 0 and 1"));
  EXPECT_TRUE(holds(problem("1 -1\n0 1\n", 4), "s.txt:2: '0' is not a spin"));
  EXPECT_TRUE(holds(problem("-3002\n1 -1\n", 2), "s.txt:1: '-3002' is not a spin"));
  EXPECT_TRUE(holds(thrown([&] { read_bits(path("none.txt"), 3); }), "does not exist"));
}

TEST_F(BitsFile, RoundTrips) {
  Bits bits(203);
  for (std::size_t k = 0; k < bits.size(); ++k) bits[k] = k % 3 == 1;
  write_bits(bits, path("b.txt"), false);
  EXPECT_EQ(read_bits(path("b.txt"), 203), bits);
  EXPECT_TRUE(holds(thrown([&] { write_bits(bits, path("b.txt"), false); }), "exists already"));
  EXPECT_TRUE(holds(thrown([&] { write_bits(bits, "/dev/full", false); }), "environment:"));
}

}  // namespace
}  // namespace nhot
