// Damaged files: random changes of valid ones are read or refused, never anything else.
#include <array>
#include <cmath>

#include "io/scratch.hpp"
#include "nhot/io/model/formats.hpp"
#include "nhot/random/draws.hpp"
#include "nhot/random/stream.hpp"

namespace nhot {
namespace {

struct Sample {
  const char* format;
  std::string text;
};

const std::array<Sample, 8>& samples() {
  static const std::array<Sample, 8> list = {{
      {"coo", "# vartype=SPIN\n# offset=1.5\n# sites=6\n0 0 -1\n0 1 2.5\r\n1 2 3e-1\n\n4 2 -7\n"},
      {"qubo", "c offset=-2.25\np qubo 0 5 2 3\n0 0 1\n3 3 -2\n0 3 5\n2 1 7e2\n4 0 .5\n"},
      {"gset", "5 4\n1 2 1\n2 3 -2\n3 1\n4 5 0.5\n# offset=3\n"},
      {"mtx",
       "%%MatrixMarket matrix coordinate real general\n% vartype=SPIN\n% offset=4\n4 4 4\n1 1 2\n"
       "1 2 1.5\n2 1 1.5\n4 3 -1\n"},
      {"mtx", "%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n3 2\n"},
      {"hubo", "# vartype=BINARY\n# sites=7\n0 1 2 -1.5\r\n3 4 5e-1\n\n6 2\n0.25\n5 4 3 2 1 0 8\n"},
      {"kdpp", "# three items\n2 1, 0.5\n1;3\t0.25\n0.5 0.25 1\n"},
      {"kdpp-features", "1 2\n3 4\n-1 .5\n"},
  }};
  return list;
}

std::string mutate(std::string text, RandomDraws& draws) {
  static const std::string alphabet("0123456789.-+eE# %cp=\n\r\t\0naif\xff", 30);
  const std::uint64_t changes = 1 + draws.below(4);
  for (std::uint64_t k = 0; k < changes && !text.empty(); ++k) {
    const std::size_t at = draws.below(text.size());
    const char letter = alphabet[draws.below(alphabet.size())];
    switch (draws.below(5)) {
      case 0:
        text[at] = letter;
        break;
      case 1:
        text.insert(at, 1, letter);
        break;
      case 2:
        text.erase(at, 1 + draws.below(5));
        break;
      case 3:
        text.resize(at);
        break;
      default:
        text += text.substr(at, draws.below(20));
        break;
    }
  }
  return text;
}

TEST(Mutation, OnlyInputErrorsComeOut) {
  RandomDraws draws(make_stream(2026, 0, 0, Purpose::test));
  int accepted = 0;
  int refused = 0;
  for (const Sample& sample : samples()) {
    const Format* format = nullptr;
    for (const Format& entry : formats())
      if (entry.name == sample.format) format = &entry;
    ASSERT_NE(format, nullptr);
    for (int round = 0; round < 5000; ++round) {
      const std::string text = mutate(sample.text, draws);
      try {
        const ReadResult result = format->read({"damaged", {}}, text, {});
        ++accepted;
        if (result.model.sites() < 1000) {
          ASSERT_TRUE(std::isfinite(result.model.energy(Bits(result.model.sites(), 1)))) << text;
        }
      } catch (const InputError& error) {
        ++refused;
        ASSERT_TRUE(std::string(error.what()).starts_with("damaged:")) << error.what();
        ASSERT_FALSE(error.hint().empty()) << error.what();
      }
    }
  }
  // Both outcomes are common: the changes neither break nor spare everything.
  EXPECT_GT(accepted, 1000);
  EXPECT_GT(refused, 5000);
}

}  // namespace
}  // namespace nhot
