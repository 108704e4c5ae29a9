// What each reader accepts, and the energy it means.
#include "io/scratch.hpp"
#include "nhot/io/model/model_file.hpp"

namespace nhot {
namespace {

class Read : public Scratch {
 protected:
  ReadResult read(const std::string& name, const std::string& text,
                  const std::string& format = {}) {
    return read_model(put(name, text), format);
  }
};

TEST_F(Read, CooInDimodsDialect) {
  const ReadResult result =
      read("a.coo", "# made by hand, vartype: SPIN\n0 0 -1.000000\n0 1 1\n2 1 -4.5\n");
  const Model& model = result.model;
  EXPECT_EQ(model.sites(), 3u);
  EXPECT_EQ(model.quadratic()->convention(), Convention::spin);
  EXPECT_EQ(model.energy(Bits{1, 1, 1}), -4.5);
  EXPECT_EQ(model.energy(Bits{0, 1, 0}), 1 - 1 + 4.5);
  EXPECT_TRUE(result.notes.empty());
}

TEST_F(Read, WindowsLineEndsBlankLinesTabsAndMarks) {
  const std::string plain = "# vartype=BINARY\n0 0 -1\n0 1 2.5\n1 2 +3e-1\n";
  const std::string messy =
      "\xef\xbb\xbf\r\n  # vartype=BINARY  \r\n\r\n0 0\t-1   \r\n \t \r\n 0  1 2.5\r\n"
      "# a comment\r\n1 2 +3e-1";
  EXPECT_EQ(read("a.coo", plain).model.hash(), read("b.coo", messy).model.hash());
}

TEST_F(Read, DuplicatesAreSummedWithANote) {
  const ReadResult result = read("a.coo", "# vartype=BINARY\n0 1 1\n1 0 2\n0 0 1\n0 0 1\n0 1 4\n");
  ASSERT_EQ(result.notes.size(), 1u);
  EXPECT_EQ(result.notes[0], "3 duplicate entries were summed");
  EXPECT_EQ(result.model.energy(Bits{1, 1}), 9);
}

TEST_F(Read, CooSitesOffsetAndDemandedVartype) {
  const ReadResult result = read("a.coo", "# sites=5\n# offset = -2.5\n0 1 1\n", "coo:binary");
  EXPECT_EQ(result.model.sites(), 5u);
  EXPECT_EQ(result.model.energy(Bits{1, 1, 0, 0, 0}), -1.5);
  EXPECT_EQ(read("b.coo", "# vartype=SPIN\n1 2 1\n").notes.at(0),
            "no line names site 0, which is free: sites are numbered from 0");
}

TEST_F(Read, KeysWithSpacesAndCapitalLetters) {
  struct Layout {
    std::string file;
    std::string sign;   // of a comment
    std::string first;  // line
    std::string rest;
    bool says_vartype;
    bool says_sites;
  };
  const std::vector<Layout> layouts = {
      {"m.coo", "#", "", "0 1 1\n", true, true},
      {"m.mtx", "%", "%%MatrixMarket matrix coordinate real symmetric\n", "2 2 1\n2 1 1\n", true,
       false},
      {"m.qubo", "c ", "", "p qubo 0 2 0 1\n0 1 1\n", false, false},
      {"m.gset", "#", "2 1\n1 2 1\n", "", false, false}};
  const std::vector<std::string> equals = {"=", " = ", "= ", " =", ":", " : ", "\t=\t"};
  for (const Layout& layout : layouts)
    for (const std::string& is : equals)
      for (const bool capital : {false, true}) {
        const auto line = [&](const char* small, const char* large, const std::string& value) {
          return layout.sign + (capital ? large : small) + is + value + "\n";
        };
        std::string keys = line("offset", "Offset", "5");
        if (layout.says_vartype) keys += line("vartype", "VarType", capital ? "Spin" : "SPIN");
        if (layout.says_sites) keys += line("sites", "SITES", "4");
        SCOPED_TRACE(layout.file + ": " + keys);
        const Model model = read(layout.file, layout.first + keys + layout.rest).model;
        EXPECT_EQ(model.quadratic()->offset(), 5);
        if (layout.says_vartype) {
          EXPECT_EQ(model.quadratic()->convention(), Convention::spin);
        }
        EXPECT_EQ(model.sites(), layout.says_sites ? 4u : 2u);
      }
}

TEST_F(Read, ProblemLineInCapitalLetters) {
  EXPECT_EQ(read("a.qubo", "C offset=1\nP QUBO 0 2 0 1\n0 1 1\n").model.hash(),
            read("b.qubo", "c offset=1\np qubo 0 2 0 1\n0 1 1\n").model.hash());
}

TEST_F(Read, QuboWithDiagonalCommentsAndOffset) {
  const ReadResult result =
      read("a.qubo", "c made by hand\nc offset=10\np qubo 0 4 2 2\n0 0 1\n3 3 -2\n0 3 5\n2 1 7\n");
  EXPECT_EQ(result.model.sites(), 4u);
  EXPECT_EQ(result.model.energy(Bits{1, 0, 0, 1}), 10 + 1 - 2 + 5);
  EXPECT_EQ(result.model.energy(Bits{0, 1, 1, 0}), 17);
}

TEST_F(Read, GsetEnergyIsMinusTheCut) {
  // A weighted triangle with a pendant vertex; a self-loop is in no cut.
  const ReadResult result = read("g", "4 5 \n1 2 1\n2 3 -2\n3 1\n3 4 0.5\n2 2 9\n", "gset");
  ASSERT_EQ(result.notes.size(), 1u);
  EXPECT_EQ(result.notes[0], "1 self-loop was left out: no cut contains one");
  const double weight[4][4] = {{0, 1, 1, 0}, {1, 0, -2, 0}, {1, -2, 0, 0.5}, {0, 0, 0.5, 0}};
  for (unsigned code = 0; code < 16; ++code) {
    Bits bits(4);
    for (unsigned i = 0; i < 4; ++i) bits[i] = (code >> i) & 1;
    double cut = 0;
    for (unsigned i = 0; i < 4; ++i)
      for (unsigned j = 0; j < i; ++j)
        if (bits[i] != bits[j]) cut += weight[i][j];
    ASSERT_EQ(result.model.energy(bits), -cut);
  }
}

TEST_F(Read, MatrixMarketIsTheSameHoweverItIsStored) {
  const std::string lower = read("a.mtx",
                                 "%%MatrixMarket matrix coordinate real symmetric\n% vartype=SPIN\n"
                                 "3 3 3\n1 1 2\n2 1 1.5\n3 2 -1\n")
                                .model.hash();
  const std::string head = "%%MatrixMarket matrix coordinate real general\n% vartype=SPIN\n";
  EXPECT_EQ(read("b.mtx", head + "3 3 3\n1 1 2\n1 2 1.5\n2 3 -1\n").model.hash(), lower);
  EXPECT_EQ(read("c.mtx", head + "3 3 3\n1 1 2\n2 1 1.5\n3 2 -1\n").model.hash(), lower);
  EXPECT_EQ(read("d.mtx", head + "3 3 3\n1 1 2\n1 2 1.5\n3 2 -1\n").model.hash(), lower);
  EXPECT_EQ(read("e.mtx", head + "3 3 5\n1 1 2\n1 2 1.5\n2 1 1.5\n3 2 -1\n2 3 -1\n").model.hash(),
            lower);
  EXPECT_NE(read("f.mtx", head + "3 3 3\n1 1 2\n1 2 1.5\n1 3 -1\n").model.hash(), lower);
}

TEST_F(Read, MatrixMarketPatternAndDefaultVartype) {
  const ReadResult result =
      read("a.mtx", "%%MatrixMarket MATRIX Coordinate pattern symmetric\n%\n3 3 2\n2 1\n3 2\n");
  EXPECT_EQ(result.model.quadratic()->convention(), Convention::binary);
  EXPECT_EQ(result.model.energy(Bits{1, 1, 1}), 2);
  ASSERT_EQ(result.notes.size(), 1u);
  EXPECT_TRUE(holds(result.notes[0], "read as BINARY"));
}

TEST_F(Read, SpecsAndFilesThroughOneDoor) {
  EXPECT_EQ(load_model("ferromagnet:4x4").model.sites(), 16u);
  EXPECT_EQ(load_model(put("a.coo", "# vartype=SPIN\n0 1 1\n")).model.sites(), 2u);
  EXPECT_TRUE(holds(thrown([] { load_model("feromagnet:4x4"); }), "did you mean 'ferromagnet'?"));
  EXPECT_TRUE(holds(thrown([] { load_model("rmb"); }), "did you mean 'rbm'?"));
  EXPECT_TRUE(holds(thrown([&] { load_model(path("b.coo")); }), "did you mean '" + path("a.coo")));
}

}  // namespace
}  // namespace nhot
