// The table of bad inputs in doc/formats.md: each is refused with the file, the line and what to
// do.
#include <array>

#include "io/scratch.hpp"
#include "nhot/io/model/model_file.hpp"
#include "nhot/model/generators.hpp"

namespace nhot {
namespace {

class BadInput : public Scratch {
 protected:
  // The file is refused with "<file><problem>" and a hint that holds `hint`.
  void refused(const std::string& name, const std::string& text, const std::string& problem,
               const std::string& hint, const std::string& format = {}) {
    const std::string file = put(name, text);
    const std::string message = thrown([&] { read_model(file, format); });
    const std::string expected = "input: " + file + problem;
    ASSERT_EQ(message.substr(0, expected.size()), expected) << text;
    EXPECT_TRUE(holds(message.substr(message.find(" | ")), hint));
  }
};

const std::string spin = "# vartype=SPIN\n";

TEST_F(BadInput, CooShape) {
  refused("a.coo", "0 1 1\n", ": no line says whether the values are spins or bits",
          "{format coo:spin}");
  refused("a.coo", "", ": no line says whether", "# vartype=SPIN");
  refused("a.coo", spin, ": there are no entries", "0 1 -1.5");
  refused("a.coo", spin + "0 1\n", ":2: the line has 2 fields, expected 3", "i j value");
  refused("a.coo", spin + "0 1 2 3\n", ":2: the line has 4 fields, expected 3", "i j value");
  refused("a.coo", std::string("\x89HDF\r\n\x1a\n\0\0\0", 11), ":1: the line has 1 field",
          "i j value");
  refused("a.coo", spin + "# vartype=BINARY\n", ":2: vartype BINARY contradicts", "one vartype");
  refused("a.coo", "# vartype=SPINS\n", ":1: unknown vartype 'SPINS'", "SPIN (-1, +1) or BINARY");
  refused("a.coo", spin + "0 1 1\n", ":1: vartype SPIN contradicts", "command line", "coo:binary");
}

TEST_F(BadInput, CooSites) {
  refused("a.coo", spin + "0 1 1\n\n0 x 1\n", ":4: site 'x' is not a whole number",
          "numbered from 0");
  refused("a.coo", spin + "0 -1 1\n", ":2: site '-1' is not a whole number", "numbered from 0");
  refused("a.coo", spin + "0 1.5 1\n", ":2: site '1.5' is not a whole number", "numbered from 0");
  refused("a.coo", spin + "0 99999999999999999999 1\n",
          ":2: site '99999999999999999999' is out of range", "numbered from 0");
  refused("a.coo", spin + "0 200000000 1\n", ": there are 200000001 sites but only 1 entries",
          "without large gaps");
  refused("a.coo", spin + "# sites=3\n0 3 1\n", ":3: site '3' is out of range: there are 3 sites",
          "from 0 to 2");
  refused("a.coo", spin + "0 3 1\n# sites=3\n", ": line 2 names site 3", "numbered from 0");
  refused("a.coo", spin + "# sites=0\n", ": the model has no sites", "at least one");
  refused("a.coo", spin + "# sites=-4\n", ":2: the number of sites '-4' is not a whole number",
          "whole");
}

TEST_F(BadInput, CooValues) {
  refused("a.coo", spin + "0 1 abc\n", ":2: 'abc' is not a number", "2.5e-3");
  refused("a.coo", spin + "0 1 1,5\n", ":2: '1,5' is not a number", "2.5e-3");
  refused("a.coo", spin + "0 1 nan\n", ":2: value 'nan' is not a number", "finite");
  refused("a.coo", spin + "0 1 -inf\n", ":2: value '-inf' is infinite", "finite");
  refused("a.coo", spin + "0 1 1e400\n", ":2: value '1e400' is infinite", "finite");
  refused("a.coo", spin + "0 1 1e308\n", ": the energy can overflow", "scale the model down");
  refused("a.coo", spin + "# offset=x\n", ":2: 'x' is not a number", "2.5e-3");
}

TEST_F(BadInput, Qubo) {
  const std::string head = "c comment\np qubo 0 4 1 2\n";
  refused("a.qubo", "", ": there is no problem line", "p qubo 0");
  refused("a.qubo", "0 0 1\n", ":1: an entry comes before the problem line", "p qubo 0");
  refused("a.qubo", "p qubo 0 4 1\n", ":1: the problem line has 5 fields, expected 6",
          "p qubo 0 4 4 5");
  refused("a.qubo", "p cnf 0 4 1 2\n", ":1: the problem line does not start with 'p qubo'",
          "p qubo 0");
  refused("a.qubo", "p qubo chimera 4 1 2\n", ":1: topology 'chimera' is not known",
          "unconstrained");
  refused("a.qubo", "p qubo 0 0 0 0\n", ":1: maxNodes is 0", "at least one");
  refused("a.qubo", "p qubo 0 -4 1 2\n", ":1: the number maxNodes '-4' is not a whole number",
          "whole");
  refused("a.qubo", "p qubo 0 4000000000 1 2\n",
          ":1: the number maxNodes '4000000000' is too large", "268435456");
  refused("a.qubo", "p qubo 0 200000000 1 0\n0 0 1\n",
          ": there are 200000000 sites but only 1 entries", "format is right");
  refused("a.qubo", head + head, ":4: there is a second problem line", "keep one");
  refused("a.qubo", head + "0 0 1\n0 1 1\n",
          ": the problem line says 2 coupler (i j) lines but there are 1", "cut short");
  refused("a.qubo", head + "0 1 1\n0 2 1\n",
          ": the problem line says 1 node (i i) lines but there are 0", "cut short");
  refused("a.qubo", head + "0 0 1\n0 1 1\n0 2 1\n1 2 1\n",
          ": the problem line says 2 coupler (i j) lines but there are 3",
          "correct the problem line");
  refused("a.qubo", head + "0 4 1\n", ":3: site '4' is out of range: there are 4 sites",
          "from 0 to 3");
  refused("a.qubo", head + "0 1\n", ":3: the line has 2 fields, expected 3", "i j value");
  refused("a.qubo", head + "0 0 NaN\n", ":3: value 'NaN' is not a number", "finite");
}

TEST_F(BadInput, Gset) {
  const auto gset = [&](const std::string& text, const std::string& problem,
                        const std::string& hint) { refused("G1", text, problem, hint, "gset"); };
  gset("", ": the file is empty", "800 19176");
  gset("5\n", ":1: the first line has 1 field, expected 2", "800 19176");
  gset("5 10 3\n", ":1: the first line has 3 fields, expected 2", "800 19176");
  gset("0 0\n", ":1: there are 0 vertices", "at least one");
  gset("x 3\n", ":1: the number of vertices 'x' is not a whole number", "whole");
  gset("3 2\n1 2 1\n", ": the first line says 2 edges but there are 1", "cut short");
  gset("3 1\n1 2 1\n2 3 1\n", ":3: there are more edges than the 1", "correct the first line");
  gset("3 1\n0 2 1\n", ":2: site '0' is out of range", "numbered from 1");
  gset("3 1\n1 4 1\n", ":2: site '4' is out of range: there are 3 sites", "from 1 to 3");
  gset("3 1\n1\n", ":2: the line has 1 field, expected 2 or 3", "1 560 1");
  gset("3 1\n1 2 inf\n", ":2: value 'inf' is infinite", "finite");
  gset("3 1\n1 2 1e308\n", ": the energy can overflow", "scale");
}

TEST_F(BadInput, MatrixMarket) {
  const std::string head = "%%MatrixMarket matrix coordinate real general\n";
  refused("a.mtx", "", ": the file is empty", "%%MatrixMarket");
  refused("a.mtx", "3 3 1\n", ":1: the file does not start with '%%MatrixMarket'", "banner");
  refused("a.mtx", "%%MatrixMarket matrix coordinate real\n",
          ":1: the banner has 4 fields, expected 5", "symmetric");
  refused("a.mtx", "%%MatrixMarket matrix array real general\n",
          ":1: the banner says 'matrix array'", "coordinate");
  refused("a.mtx", "%%MatrixMarket matrix coordinate complex general\n",
          ":1: values of type 'complex' cannot be read", "real, integer or pattern");
  refused("a.mtx", "%%MatrixMarket matrix coordinate real skew-symmetric\n",
          ":1: a matrix that is 'skew-symmetric' cannot be read", "symmetric or general");
  refused("a.mtx", head, ": there is no size line", "rows columns entries");
  refused("a.mtx", head + "3 3\n", ":2: the size line has 2 fields, expected 3",
          "rows columns entries");
  refused("a.mtx", head + "3 4 1\n", ":2: the matrix is 3 x 4, not square", ".h5");
  refused("a.mtx", head + "0 0 0\n", ":2: the matrix has 0 rows", "at least one");
  refused("a.mtx", head + "3 3 2\n1 2 1\n", ": the size line says 2 entries but there are 1",
          "cut short");
  refused("a.mtx", head + "3 3 1\n1 2 1\n1 3 1\n", ":4: there are more entries than the 1",
          "correct the size line");
  refused("a.mtx", head + "3 3 1\n1 4 1\n", ":3: site '4' is out of range", "from 1 to 3");
  refused("a.mtx", head + "3 3 1\n1 2\n", ":3: the line has 2 fields, expected 3", "2 1 -1.5");
  refused("a.mtx", head + "3 3 2\n1 2 1\n2 1 2\n", ": entries (1, 2) and (2, 1) differ",
          "give each pair once");
  refused("a.mtx", head + "3 3 2\n1 2 1e308\n2 1 1e308\n", ": the energy can overflow", "scale");
}

TEST_F(BadInput, BqmNeighbourhoods) {
  // Two variables and a coupling: offset; begin and bias of each variable; site and value, twice.
  const auto file = [](std::array<std::int32_t, 2> begins) {
    const std::string header = R"({"dtype": "float64", "itype": "int32", "ntype": "int32",)"
                               R"( "shape": [2, 1], "variables": false, "vartype": "SPIN"})";
    std::string bytes = "DIMODBQM";
    const auto put = [&](auto value) {
      bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
    };
    put(std::uint8_t{2});
    put(std::uint8_t{0});
    put(static_cast<std::uint32_t>(header.size()));
    bytes += header;
    put(0.5);
    for (const std::int32_t begin : begins) {
      put(begin);
      put(1.0);
    }
    for (const std::int32_t other : {1, 0}) {
      put(other);
      put(2.0);
    }
    return bytes;
  };
  EXPECT_EQ(read_model(put("m.bqm", file({0, 1}))).model.couplings(), 1u);
  for (const std::int32_t begin : {-511, 3})
    refused("a.bqm", file({0, begin}), ": a neighbourhood lies outside the file", "again");
}

TEST_F(BadInput, NoSuchFileFormatOrFolder) {
  put("graph.coo", spin + "0 1 1\n");
  EXPECT_EQ(thrown([&] { read_model(path("grap.coo")); }), "input: file '" + path("grap.coo") +
                                                               "' does not exist | did you mean '" +
                                                               path("graph.coo") + "'?");
  EXPECT_TRUE(holds(thrown([&] { read_model(path("none/graph.coo")); }),
                    "the folder '" + path("none") + "' does not exist"));
  EXPECT_TRUE(holds(thrown([&] { read_model(path("."), "coo"); }), "is a folder"));
  EXPECT_TRUE(holds(thrown([&] { read_model(put("graph.txt", "")); }), "{format gset}"));
  EXPECT_TRUE(holds(thrown([&] { read_model(path("graph.coo"), "cooo"); }), "did you mean 'coo'?"));
  EXPECT_TRUE(holds(thrown([&] { read_model(path("graph.coo"), "qubo:spin"); }), "coo:spin"));
}

TEST_F(BadInput, OutputThatExistsOrCannotBe) {
  const Model model = model_from_spec("ferromagnet:3x3");
  const std::string file = put("m.coo", "precious");
  EXPECT_EQ(thrown([&] { write_model(model, file); }),
            "input: output file '" + file +
                "' exists already | choose another name, or overwrite it with {force}");
  EXPECT_EQ(get("m.coo"), "precious");
  write_model(model, file, {}, true);
  EXPECT_EQ(read_model(file).model.hash(), model.hash());
  EXPECT_TRUE(holds(thrown([&] { write_model(model, path("none/m.coo")); }), "mkdir -p"));
  EXPECT_TRUE(holds(thrown([&] { write_model(model, path("."), "coo"); }), "is a folder"));
  EXPECT_TRUE(holds(thrown([&] { write_model(model, "", "coo"); }), "is empty"));
  EXPECT_TRUE(holds(thrown([&] { write_model(model, path("m.xyz")); }), "known extensions"));
  EXPECT_EQ(files(), 1u);
}

TEST_F(BadInput, FullDiskLeavesNothing) {
  const Model model = model_from_spec("ferromagnet:3x3");
  const Model rbm = model_from_spec("rbm:4x3");
  for (const char* format : {"coo", "qubo", "gset", "mtx"})
    EXPECT_TRUE(holds(thrown([&] { write_model(model, "/dev/full", format); }),
                      "environment: cannot write output file '/dev/full': No space left"));
  EXPECT_TRUE(holds(thrown([&] { write_model(rbm, "/dev/full", "h5"); }), "No space left"));
  // A device must not be replaced by a file, nor a link to it.
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/full"));
  std::filesystem::create_symlink("/dev/full", path("full.coo"));
  EXPECT_TRUE(holds(thrown([&] { write_model(model, path("full.coo")); }), "No space left"));
  EXPECT_TRUE(std::filesystem::is_symlink(path("full.coo")));
  EXPECT_EQ(files(), 1u);
}

}  // namespace
}  // namespace nhot
