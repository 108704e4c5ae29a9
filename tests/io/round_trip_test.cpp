// Every model written in every format that can hold it reads back to the same bits.
#include <cmath>

#include "io/scratch.hpp"
#include "nhot/io/model/model_file.hpp"
#include "nhot/model/generators.hpp"
#include "nhot/random/normal.hpp"
#include "nhot/random/stream.hpp"

namespace nhot {
namespace {

Bits state(Site sites, std::uint64_t code) {
  Bits bits(sites);
  for (Site i = 0; i < sites; ++i) bits[i] = static_cast<Bit>((code >> i) & 1);
  return bits;
}

// Values over a wide range of magnitudes, some zero; the last sites may be free.
Model random_model(Convention convention, std::uint64_t seed, bool fields, bool wild) {
  Xoshiro256 engine = make_stream(seed, 0, 0, Purpose::test);
  NormalSource normal(engine);
  const auto value = [&] {
    return wild ? std::ldexp(normal(), static_cast<int>(engine() % 1200) - 600) : normal();
  };
  QuadraticTerms terms;
  terms.sites = 8;
  terms.convention = convention;
  if (fields) {
    terms.offset = value();
    for (Site i = 0; i < terms.sites; ++i) terms.linear.push_back(engine() % 3 ? value() : 0.0);
    if (seed % 2) terms.linear.back() = 0;
  }
  const Site used = seed % 2 ? 6 : 8;
  for (int k = 0; k < 12; ++k)
    terms.couplings.push_back(
        {static_cast<Site>(engine() % used), static_cast<Site>(engine() % used), value()});
  if (!fields)  // a coupling of a site with itself would make a field of bits
    std::erase_if(terms.couplings, [](const Coupling& c) { return c.i == c.j; });
  return Model("random", QuadraticModel(terms));
}

class RoundTrip : public Scratch {
 protected:
  Model through(const Model& model, const std::string& extension) {
    write_model(model, path("m" + extension), {}, true);
    return read_model(path("m" + extension)).model;
  }
};

TEST_F(RoundTrip, QuadraticFormatsKeepEveryBit) {
  int checked = 0;
  for (const Convention convention : {Convention::spin, Convention::binary}) {
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
      const Model model = random_model(convention, seed, seed % 3 != 0, seed % 4 < 2);
      for (const char* extension : {".coo", ".mtx", ".qubo"}) {
        const bool only_binary = std::string(extension) == ".qubo";
        if (only_binary && convention == Convention::spin) continue;
        const Model again = through(model, extension);
        ASSERT_EQ(again.hash(), model.hash()) << extension << " seed " << seed;
        for (std::uint64_t code = 0; code < 256; ++code)
          ASSERT_EQ(again.energy(state(8, code)), model.energy(state(8, code)));
        ++checked;
      }
    }
  }
  EXPECT_EQ(checked, 40 * 5);
}

TEST_F(RoundTrip, GsetKeepsEveryBitOfModelsWithoutFields) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Model model = random_model(Convention::spin, seed, false, seed % 2 == 0);
    EXPECT_EQ(through(model, ".gset").hash(), model.hash());
  }
  // A graph that came from a Gset file has the offset of a cut, so no offset line is needed.
  const Model graph = read_model(put("g.gset", "4 3\n1 2 1\n2 3 -2\n4 1 0.3\n")).model;
  EXPECT_EQ(through(graph, ".rudy").hash(), graph.hash());
  EXPECT_EQ(get("m.rudy"), "4 3\n1 2 1\n1 4 0.3\n2 3 -2\n");
}

TEST_F(RoundTrip, SpinToBinaryHasEqualEnergies) {
  const Model glass = model_from_spec("spin-glass:2x2x2,seed=5");
  const auto notes = write_model(glass, path("g.qubo"));
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_EQ(notes[0], "converted to bits (0, 1), exactly");
  const Model again = read_model(path("g.qubo")).model;
  EXPECT_EQ(again.quadratic()->convention(), Convention::binary);
  for (std::uint64_t code = 0; code < 256; ++code)
    ASSERT_EQ(again.energy(state(8, code)), glass.energy(state(8, code)));
}

TEST_F(RoundTrip, RoundingOfAConversionIsTold) {
  const Model glass = model_from_spec("spin-glass:3x3,seed=5,couplings=gaussian");
  const auto notes = write_model(glass, path("g.qubo"));
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_TRUE(holds(notes[0], "rounded to the nearest double"));
}

TEST_F(RoundTrip, RbmThroughHdf5AndAsQuadraticModel) {
  const Model rbm = model_from_spec("rbm:6x4,seed=3");
  for (const char* place : {"r.h5", "s.h5#layer/1"}) {
    EXPECT_TRUE(write_model(rbm, path(place)).empty());
    const ReadResult again = read_model(path(place));
    EXPECT_EQ(again.model.hash(), rbm.hash());
    EXPECT_TRUE(again.notes.empty());
  }
  for (const char* extension : {".coo", ".qubo", ".mtx"}) {
    const Model quadratic = through(rbm, extension);
    for (std::uint64_t code = 0; code < 1024; ++code)
      ASSERT_EQ(quadratic.energy(state(10, code)), rbm.energy(state(10, code)));
  }
}

TEST_F(RoundTrip, FormatsThatCannotHoldAModelRefuse) {
  const Model glass = model_from_spec("spin-glass:3x3,seed=5");
  EXPECT_TRUE(holds(thrown([&] { write_model(glass, path("g.h5")); }),
                    "an .h5 file cannot hold 'spin-glass:3x3,seed=5'"));
  const Model fields = model_from_spec("field:5,seed=5");
  EXPECT_TRUE(holds(thrown([&] { write_model(fields, path("g.gset")); }), "has a field"));
  EXPECT_EQ(files(), 0u);
}

TEST_F(RoundTrip, CooIsWrittenAsDimodReadsIt) {
  QuadraticTerms terms;
  terms.sites = 4;
  terms.offset = 0.5;
  terms.linear = {1e-7, 0, -2, 0};
  terms.couplings = {{0, 1, 1e21}, {2, 1, -0.1}};
  write_model(Model("m", QuadraticModel(terms)), path("m.coo"));
  EXPECT_EQ(get("m.coo"),
            "# vartype=SPIN\n# offset=0.5\n# sites=4\n0 0 0.0000001\n0 1 1000000000000000000000\n"
            "1 2 -0.1\n2 2 -2\n");
}

}  // namespace
}  // namespace nhot
