#include "nhot/move/registry.hpp"

#include <gtest/gtest.h>

#include <set>

#include "nhot/chain/setup.hpp"
#include "nhot/model/generators.hpp"
#include "support/messages.hpp"

namespace nhot::test {
namespace {

/// What is wrong with a text, message and hint together; the text meets a 4x4 ferromagnet at n = 5.
std::string complaint(const std::string& text, Site distance = 5) {
  return whole_of(refusal([&] {
    ChainSetup(model_from_spec("ferromagnet:4x4"),
               std::make_shared<const Shell>(Bits(16, 0), distance), text, 0.4);
  }));
}

struct BadText {
  const char* text;
  const char* expected;  // a part of what is said
};

void expect_complaints(const std::vector<BadText>& texts) {
  for (const BadText& bad : texts)
    EXPECT_NE(complaint(bad.text).find(bad.expected), std::string::npos)
        << "'" << bad.text << "' says: " << complaint(bad.text);
}

TEST(MoveTexts, BadNamesAreRefused) {
  expect_complaints({
      {"swp", "unknown move 'swp' | did you mean 'swap'?"},
      {"kawasak", "did you mean 'kawasaki'?"},
      {"metropolis", "unknown move 'metropolis' | known: swap, kawasaki, im"},
      {"", "empty move in ''"},
      {"swap +", "empty move in 'swap +'"},
      {"swap + + im", "empty move in 'swap + + im'"},
      {"0.5*", "empty move"},
      {"IM", "unknown move 'IM' | did you mean 'im'?"},
      {"swap im", "unknown move 'swap im' | parameters of a move follow a colon, swap:key=value"},
      {"im,length=2", "unknown move 'im,length=2' | parameters of a move follow a colon, im:key"},
  });
}

TEST(MoveTexts, BadParametersAreRefused) {
  expect_complaints({
      {"im:lenght=3", "move im: unknown option 'lenght' | did you mean 'length'?"},
      {"im:length", "move im: 'length' is not key=value"},
      {"im:", "move im: '' is not key=value"},
      {"im:length=2,", "move im: '' is not key=value"},
      {"im:length=2,length=3", "move im: 'length' is given twice | give every parameter once"},
      {"swap:length=2", "move swap: unknown option 'length'"},
      {"im:bias=logistik", "move im: bias is 'logistik' | did you mean 'logistic'?"},
      {"im:order=updown", "move im: order is 'updown' | did you mean 'up-down'?"},
      {"im:engine=heap", "move im: engine is 'heap' | known: auto, linear, tree"},
  });
}

TEST(MoveTexts, BadLengthsAreRefused) {
  for (const char* length : {"0", "-1", "1.5", "", "x", "3..2", "0..2", "1..", "..3", "1...3",
                             "1..2..3", "1e99", "99999999999", "nan"}) {
    const std::string said = complaint(std::string("im:length=") + length);
    EXPECT_NE(said.find("move im: length is '" + std::string(length) + "'"), std::string::npos)
        << said;
  }
}

TEST(MoveTexts, BadGammasAreRefused) {
  for (const char* gamma : {"", "-1", "-0.5beta", "betabeta", "beta2", "0.5bta", "nan", "inf",
                            "1e999", "0.5beta/", "/beta", "0.5beta//beta", "beta/-1"}) {
    EXPECT_NE(complaint(std::string("im:gamma=") + gamma).find("move im: gamma has '"),
              std::string::npos)
        << gamma << ": " << complaint(std::string("im:gamma=") + gamma);
    EXPECT_NE(complaint(std::string("im:gamma-down=") + gamma).find("move im: gamma-down has '"),
              std::string::npos)
        << gamma;
  }
}

TEST(MoveTexts, ASetOfMovesIsAMove) {
  const std::vector<MoveText> moves = parse_moves("2*(0.7*im:gamma=1e+0 + 0.3*(swap)) + kawasaki");
  ASSERT_EQ(moves.size(), 3u);
  EXPECT_DOUBLE_EQ(moves[0].weight, 1.4);
  EXPECT_EQ(moves[0].kind->name, "im");
  EXPECT_DOUBLE_EQ(moves[1].weight, 0.6);
  EXPECT_EQ(moves[1].kind->name, "swap");
  EXPECT_DOUBLE_EQ(moves[2].weight, 1);
  EXPECT_EQ(parse_moves("(swap)").size(), 1u);
  // Weights inside a set count among its members only.
  EXPECT_DOUBLE_EQ(parse_moves("(10*swap + 10*im) + kawasaki")[0].weight, 0.5);
  for (const char* text : {"(swap", "swap)", "0.5*(swap + im", ")swap(", "(swap + im)) + im", "()"})
    EXPECT_THROW(parse_moves(text), InputError) << text;
  EXPECT_THROW(parse_moves(std::string(100'000, '(') + "swap" + std::string(100'000, ')')),
               InputError);
}

TEST(MoveTexts, BadMixturesAreRefused) {
  expect_complaints({
      {"0*swap + im", "move '0*swap': the weight before '*' must be a number > 0"},
      {"-1*swap", "the weight before '*' must be a number > 0"},
      {"nan*swap", "the weight before '*' must be a number > 0"},
      {"x*swap", "the weight before '*' must be a number > 0"},
      {"*swap", "the weight before '*' must be a number > 0"},
      {"im:engine=tree + im:length=2,engine=linear",
       "the moves of a mixture ask for engines 'tree' and 'linear'"},
  });
}

TEST(MoveTexts, EnginesThatDoNotFitAreRefused) {
  const auto said = [](const char* model, Site sites, const char* text) {
    return whole_of(refusal([&] {
      ChainSetup(model_from_spec(model), std::make_shared<const Shell>(Bits(sites, 0), 3), text,
                 0.4);
    }));
  };
  EXPECT_NE(said("spin-glass:4x4,couplings=gaussian,seed=1", 16, "im:engine=classes")
                .find("engine classes needs couplings and fields on a coarse integer grid"),
            std::string::npos);
  EXPECT_NE(said("rbm:9x4,seed=1", 13, "im:engine=thinned").find("which an RBM does not have"),
            std::string::npos);
  EXPECT_NE(said("rbm:9x4,seed=1", 13, "im:engine=tree").find("engine tree is for sparse"),
            std::string::npos);
  EXPECT_NE(said("field:8,seed=1", 8, "kawasaki").find("the model has no couplings"),
            std::string::npos);
}

// A length that does not fit names the largest that does; that one is accepted and one more is not.
TEST(MoveTexts, LengthsThatDoNotFitNameTheLargestThatDoes) {
  struct Case {
    Site distance;
    const char* order;
    Site longest;
  };
  for (const Case& c : {Case{5, "up-down", 5}, Case{5, "down-up", 11}, Case{5, "random", 5},
                        Case{12, "up-down", 12}, Case{12, "down-up", 4}, Case{12, "random", 4},
                        Case{16, "up-down", 16}, Case{0, "down-up", 16}}) {
    const auto text = [&](Site length) {
      return "im:length=" + std::to_string(length) + ",order=" + c.order;
    };
    EXPECT_EQ(complaint(text(c.longest), c.distance), "(not refused) | (not refused)");
    EXPECT_EQ(complaint(text(c.longest + 1), c.distance),
              "move im: length " + std::to_string(c.longest + 1) +
                  " does not fit the shell (order=" + c.order + " at distance " +
                  std::to_string(c.distance) + " of 16 sites) | the largest length that fits is " +
                  std::to_string(c.longest));
    EXPECT_NE(complaint("im:length=1..900,order=" + std::string(c.order), c.distance)
                  .find("largest length that fits is " + std::to_string(c.longest)),
              std::string::npos);
  }
  for (const Site distance : {Site{0}, Site{16}})
    EXPECT_NE(complaint("im:length=1", distance).find("no walk fits"), std::string::npos);
}

// What a chain reports as its move is a text that means the same move.
TEST(MoveTexts, AResolvedTextResolvesToItself) {
  const Model model = model_from_spec("ferromagnet:4x4");
  const auto shell = std::make_shared<const Shell>(Bits(16, 0), 5);
  std::vector<std::string> texts = {
      "swap",
      "kawasaki",
      "im",
      "im:length=2",
      "im:length=1..3",
      " im : length = 2 , bias = exp ",
      "im:gamma=0.8beta",
      "im:gamma=0.8*beta",
      "im:gamma=1beta",
      "im:gamma=0",
      "im:gamma=1e+1",
      "im:gamma=0.1/0.2beta/beta",
      "im:gamma-up=0.3",
      "im:gamma-down=0.3beta,gamma=0.7",
      "im:gamma-up=0.1/beta,gamma-down=2beta",
      "0.7*im:length=1..2 + 0.3*swap",
      "1e+1*im:length=1..2+swap",
      "swap + kawasaki + 2*swap",
      "im:length=1,engine=tree + im:length=2",
  };
  for (const MoveKind& kind : move_kinds())
    for (const std::string& parameters : kind.exact_cases)
      texts.push_back(parameters.empty() ? kind.name : kind.name + ":" + parameters);
  for (const std::string& text : texts) {
    std::string once;
    try {
      once = ChainSetup(model, shell, text, 0.4).move();
    } catch (const InputError&) {
      continue;  // a kind for other models or shells
    }
    EXPECT_EQ(ChainSetup(model, shell, once, 0.4).move(), once) << text;
  }
  EXPECT_EQ(ChainSetup(model, shell, "im:length=2,gamma=0.80beta", 0.4).move(),
            "im:length=2,bias=logistic,gamma=0.8beta,order=random,engine=auto");
  EXPECT_EQ(ChainSetup(model, shell, "3*swap + im:gamma-up=0.5", 0.4).move(),
            "3*swap + 1*im:length=1..5,bias=logistic,gamma-up=0.5,gamma-down=beta,order=random,"
            "engine=auto");
}

TEST(MoveTexts, WeightsAndKindsAreRead) {
  const std::vector<MoveText> moves = parse_moves("0.7*im:length=1..25 + swap + 1e+2 * kawasaki");
  ASSERT_EQ(moves.size(), 3u);
  EXPECT_EQ(moves[0].weight, 0.7);
  EXPECT_EQ(moves[0].kind->name, "im");
  EXPECT_EQ(moves[0].values.text("length"), "1..25");
  EXPECT_EQ(moves[0].engine(), "auto");
  EXPECT_EQ(moves[1].weight, 1);
  EXPECT_EQ(moves[1].kind->name, "swap");
  EXPECT_EQ(moves[1].engine(), "auto");
  EXPECT_EQ(moves[2].weight, 100);
  EXPECT_EQ(moves[2].kind->name, "kawasaki");
}

TEST(MoveKinds, AreDescribed) {
  std::set<std::string> names;
  for (const MoveKind& kind : move_kinds()) {
    EXPECT_TRUE(names.insert(kind.name).second) << kind.name << " is listed twice";
    EXPECT_FALSE(kind.help.empty());
    EXPECT_FALSE(kind.exact_cases.empty());
    for (const OptionSpec& option : kind.options) {
      EXPECT_FALSE(option.help.empty()) << kind.name << " " << option.name;
      // A default is a value that the option accepts.
      OptionValues values(kind.options, "");
      if (option.default_value.empty()) continue;
      EXPECT_NO_THROW(values.set(option.name, option.default_value));
    }
  }
}

}  // namespace
}  // namespace nhot::test
