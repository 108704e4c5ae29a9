// Polynomials, kernels of k-DPPs and tables of data from files.
#include <array>
#include <cstring>

#include "io/scratch.hpp"
#include "nhot/io/model/formats.hpp"
#include "nhot/io/table.hpp"
#include "nhot/model/hubo/hubo.hpp"
#include "nhot/model/kdpp/kdpp.hpp"
#include "support/messages.hpp"

namespace nhot {
namespace {

using test::refusal;
using test::whole_of;

const Format& format_of(const std::string& name) {
  for (const Format& entry : formats())
    if (entry.name == name) return entry;
  throw std::logic_error("no format " + name);
}

Model read(const std::string& format, const std::string& text) {
  return format_of(format).read({"file", {}}, text, {}).model;
}

std::string said(const std::string& format, const std::string& text) {
  return whole_of(refusal([&] { read(format, text); }));
}

TEST(HuboFile, HoldsTermsOfAnyDegree) {
  const Model model = read("hubo",
                           "# vartype=BINARY\n# offset=2\n# sites=6\n0 1 2 3\n4 -1.5\n3 2 1 0 4 8\n"
                           "10\n2 1 0 0.5\n");
  EXPECT_EQ(model.kind(), "hubo");
  EXPECT_EQ(model.sites(), 6U);
  EXPECT_EQ(model.energy(Bits{1, 1, 1, 0, 1, 0}), 12 + 3.5 - 1.5);
  EXPECT_EQ(model.energy(Bits{1, 1, 1, 1, 1, 1}), 12 + 3.5 - 1.5 + 8);
  EXPECT_EQ(read("hubo", "# vartype=SPIN\n0 1 2 3\n").energy(Bits{1, 0, 1}), -3);
  EXPECT_EQ(read("hubo", "# vartype=SPIN\n0 1 3\n").kind(), "quadratic");
}

TEST(HuboFile, SaysWhatIsWrong) {
  EXPECT_NE(said("hubo", "0 1 2 3\n").find("spins or bits"), std::string::npos);
  EXPECT_NE(said("hubo", "# vartype=SPIN\n").find("no terms"), std::string::npos);
  EXPECT_NE(said("hubo", "# vartype=SPIN\n0 1 1 3\n").find("file:2: the term holds site 1 twice"),
            std::string::npos);
  EXPECT_NE(said("hubo", "# vartype=SPIN\n0 x 1 3\n").find("'x' is not a whole number"),
            std::string::npos);
  EXPECT_NE(said("hubo", "# vartype=SPIN\n0 1 2 y\n").find("'y' is not a number"),
            std::string::npos);
  EXPECT_NE(said("hubo", "# vartype=SPIN\n0 1 9 1\n# sites=4\n").find("names site 9"),
            std::string::npos);
  EXPECT_NE(said("hubo", "# vartype=SPIN\n0 1 90000000 1\n").find("hardly any has a term"),
            std::string::npos);
}

TEST(KdppFile, IsTextOrNumpy) {
  const Model text = read("kdpp", "# L\n2, 1 0.5\n1;3\t0.25\n0.5 0.25 1\n");
  std::string numpy = "\x93NUMPY";
  numpy += {1, 0, 118, 0};
  std::string header = "{'descr': '<f8', 'fortran_order': False, 'shape': (3, 3), }";
  header.resize(117, ' ');
  numpy += header + "\n";
  for (const double value : {2.0, 1.0, 0.5, 1.0, 3.0, 0.25, 0.5, 0.25, 1.0}) {
    char bytes[8];
    std::memcpy(bytes, &value, 8);
    numpy.append(bytes, 8);
  }
  EXPECT_EQ(read("kdpp", numpy).hash(), text.hash());
  EXPECT_NEAR(text.energy(Bits{1, 1, 0}), -std::log(5), 1e-6);
  EXPECT_NEAR(read("kdpp-features", "1 2\n3 4\n-1 .5\n").energy(Bits{1, 1, 0}), -std::log(4), 1e-4);
  for (const std::size_t size : {7, 9, 50, 128, 150, 199})
    EXPECT_NE(said("kdpp", numpy.substr(0, size)), "(not refused) | (not refused)") << size;
  for (const auto& [from, to] : {std::pair("<f8", "<i8"), std::pair("False", "True "),
                                 std::pair("(3, 3)", "(3,)  "), std::pair("(3, 3)", "(4, 3)")}) {
    std::string other = numpy;
    other.replace(other.find(from), std::strlen(from), to);
    EXPECT_NE(said("kdpp", other).find(".npy file"), std::string::npos) << to;
  }
}

TEST(KdppFile, SaysWhatIsWrong) {
  EXPECT_NE(said("kdpp", "1 2\n3 4\n5 6\n").find("3 x 2, and a kernel is square"),
            std::string::npos);
  EXPECT_NE(said("kdpp", "1 2\n3\n").find("file:2: the row has 1 numbers"), std::string::npos);
  EXPECT_NE(said("kdpp", "1 a\n3 1\n").find("file:1: 'a' is not a number"), std::string::npos);
  EXPECT_NE(said("kdpp", "1 0\n0.5 1\n").find("file: L(1, 0) is 0.5"), std::string::npos);
  EXPECT_NE(said("kdpp", "\n").find("no numbers"), std::string::npos);
}

class StatisticsFiles : public Scratch {};

TEST_F(StatisticsFiles, RoundTripsLoseNothing) {
  const std::pair<const char*, Model> cases[] = {
      {"hubo", hubo("h", {5, Convention::spin, 0.1, {{{0, 1, 2}, 1.0 / 3}, {{4}, -7e-300}}})},
      {"hubo", read("coo", "# vartype=BINARY\n# offset=3\n0 1 0.7\n2 2 1e-5\n")},
      {"kdpp", read("kdpp", "2 1 1e-4\n1 3 0.0002\n1e-4 0.0002 1e-7\n")},
      {"kdpp-features", read("kdpp-features", "0.1 2\n3 4e-20\n-1 .5\n")},
  };
  for (const auto& [format, model] : cases) {
    const std::string file = path(std::string(format) + "-" + model.hash());
    write_model(model, file, format);
    EXPECT_EQ(read_model(file, format).model.hash(), model.hash()) << format;
  }
  EXPECT_NE(
      whole_of(refusal([&] { write_model(cases[0].second, path("x.coo")); })).find("kind hubo"),
      std::string::npos);
  EXPECT_NE(whole_of(refusal([&] {
              write_model(cases[3].second, path("x.kdpp"));
            })).find("kdpp-features"),
            std::string::npos);
}

std::string table_error(const std::string& text) {
  return whole_of(refusal([&] { parse_table("data", text); }));
}

TEST(Table, ReadsTheSeparatorsPeopleUse) {
  for (const char* text :
       {"a,b,c\n1,2,3\n4,5,6\n", "a;b;c\n1;2;3\n4;5;6\n", "a\tb\tc\n1\t2\t3\r\n4\t5\t6\n",
        "  a b   c\n1 2 3\n\n4 5 6", "\"a\", \"b\" ,c\n1, 2 ,\"3\"\n4,5,6\n",
        "\"a\" \"b\" \"c\"\n\"1\" 1 2 3\n\"2\" 4 5 6\n",
        "a,b,c\nfirst row,1,2,3\nsecond,4,5,6\n"}) {
    const Table table = parse_table("data", text);
    EXPECT_EQ(table.names, (std::vector<std::string>{"a", "b", "c"})) << text;
    EXPECT_EQ(table.values, (std::vector<double>{1, 2, 3, 4, 5, 6})) << text;
  }
  const RegressionData data = regression_data(parse_table("data", "a,b,c\n1,2,3\n4,5,6\n"), "b");
  EXPECT_EQ(data.names, (std::vector<std::string>{"a", "c"}));
  EXPECT_EQ(data.predictors, (std::vector<double>{1, 4, 3, 6}));
  EXPECT_EQ(data.response, (std::vector<double>{2, 5}));
}

TEST(Table, SaysWhatIsWrong) {
  EXPECT_NE(table_error("").find("no data"), std::string::npos);
  EXPECT_NE(table_error("a,b\n").find("no rows"), std::string::npos);
  EXPECT_NE(table_error("1,2\n3,4\n").find("numbers, not names"), std::string::npos);
  EXPECT_NE(table_error("a,a\n3,4\n").find("two columns are named 'a'"), std::string::npos);
  EXPECT_NE(table_error("a,\n3,4\n").find("no name"), std::string::npos);
  EXPECT_NE(table_error("a,b\n1,2\n3,\n").find("data:3: column 'b' has no value"),
            std::string::npos);
  EXPECT_NE(table_error("a,b\n1,2\nNA,4\n").find("data:3: column 'a' has no value ('NA')"),
            std::string::npos);
  EXPECT_NE(table_error("a,b\n1,red\n").find("data:2: column 'b' holds 'red'"), std::string::npos);
  EXPECT_NE(table_error("a,b\n1,inf\n").find("not a finite number"), std::string::npos);
  EXPECT_NE(table_error("a,b\n1,2\n1,2,3\n").find("data:3: the row has 3 fields"),
            std::string::npos);
  EXPECT_NE(table_error("a,\"b\n1,2\n").find("quote is not closed"), std::string::npos);
  EXPECT_NE(whole_of(refusal([] {
              regression_data(parse_table("data", "alpha,beta\n1,2\n"), "bet");
            })).find("beta"),
            std::string::npos);
}

}  // namespace
}  // namespace nhot
