// Edge lists with names: what is read, what is refused, and that names survive a round trip.
#include <gtest/gtest.h>

#include "nhot/io/file_bytes.hpp"
#include "nhot/io/model/formats.hpp"
#include "nhot/io/states_file.hpp"
#include "scratch.hpp"

namespace nhot {
namespace {

Model read_edge_text(std::string_view text, std::optional<Convention> demanded = {}) {
  return read_edges({"list.edges", {}}, text, demanded).model;
}

std::string refusal_of_edges(std::string_view text) {
  return thrown([&] { read_edge_text(text); });
}

class Edges : public Scratch {};

TEST_F(Edges, NamesAreSitesInTheOrderOfTheirComing) {
  const Model model = read_edge_text(
      "# vartype=BINARY\n# offset=2\nbread bread -3\nbread milk 0.5\nolive oil, bread, 4\nsalt\n"
      "milk salt\n");
  ASSERT_EQ(model.sites(), 4U);
  EXPECT_EQ(model.names()[0] + model.names()[1] + model.names()[2] + model.names()[3],
            "breadmilkolive oilsalt");
  EXPECT_EQ(model.energy(Bits{1, 0, 0, 0}), -1);
  EXPECT_EQ(model.energy(Bits{1, 1, 0, 0}), -0.5);
  EXPECT_EQ(model.energy(Bits{1, 0, 1, 0}), 3);
  EXPECT_EQ(model.energy(Bits{0, 1, 0, 1}), 3);  // a pair without a value counts as 1
}

TEST_F(Edges, WhatIsWrongIsSaidWithItsPlace) {
  EXPECT_TRUE(holds(refusal_of_edges("a b 1\n"), "edges:spin"));
  EXPECT_TRUE(holds(refusal_of_edges("# vartype=SPIN\nbread -3\n"), "bread bread -3"));
  EXPECT_TRUE(holds(refusal_of_edges("# vartype=SPIN\na b c\n"), "list.edges:2"));
  EXPECT_TRUE(holds(refusal_of_edges("# vartype=SPIN\na b 1 2\n"), "4 fields"));
  EXPECT_TRUE(holds(refusal_of_edges("# vartype=SPIN\na,,1\n"), "empty"));
  EXPECT_TRUE(holds(refusal_of_edges("# vartype=SPIN\n"), "no entries"));
  EXPECT_EQ(refusal_of_edges("# vartype=SPIN\n1 2 3\n"), "nothing");  // names may be numbers
}

TEST_F(Edges, NamesSurviveARoundTrip) {
  const std::string file = path("out.edges");
  for (const char* text : {"# vartype=SPIN\nz\nb a -1.5\na a 0.25\n",
                           "# vartype=BINARY\n# offset=-3\nolive oil, salt, 2\nrye bread,\n"}) {
    const Model model = read_edge_text(text);
    EXPECT_TRUE(write_model(model, file, {}, true).empty());
    const Model again = read_model(file).model;
    EXPECT_EQ(again.hash(), model.hash());
    for (std::size_t i = 0; i < model.sites(); ++i) EXPECT_EQ(again.names()[i], model.names()[i]);
  }
  const Model model = read_edge_text("# vartype=SPIN\na b 1\n");
  const std::vector<std::string> notes = write_model(model, path("out.coo"), {}, true);
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_NE(notes[0].find("names are left out"), std::string::npos);
  EXPECT_THROW(write_model(model.with_names({"a,b", "c"}), file, {}, true), InputError);
}

TEST_F(Edges, NamesMustBeOnePerSiteAndDiffer) {
  const Model model = read_edge_text("# vartype=SPIN\na b 1\n");
  EXPECT_THROW(model.with_names({"a"}), InputError);
  EXPECT_THROW(model.with_names({"a", "a"}), InputError);
}

TEST_F(Edges, CsvHasTheNamesAsColumns) {
  const PackedBits state(Bits{1, 0, 1});
  write_states({{0, 4, -1.5, &state}}, SiteNames({"a \"b\"", "energy", "c, d"}), path("s.csv"),
               false);
  EXPECT_EQ(read_file(path("s.csv")),
            "chain,draw,energy,\"a \"\"b\"\"\",site energy,\"c, d\"\n0,4,-1.5,1,0,1\n");
}

}  // namespace
}  // namespace nhot
