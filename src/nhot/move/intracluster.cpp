#include "nhot/move/intracluster.hpp"

#include "nhot/move/walk_options.hpp"

namespace nhot {
namespace {

FittedMove<IntraclusterMove> prepare_intracluster(const OptionValues& values, const Shell& shell,
                                                  const ModelFacts&) {
  IntraclusterOptions options;
  options.bias = parse_bias(values.text("bias"));

  const std::string& order = values.text("order");
  options.order = order == "up-down"   ? WalkOrder::up_down
                  : order == "down-up" ? WalkOrder::down_up
                                       : WalkOrder::random;
  const Site longest =
      shell.longest_walk(options.order == WalkOrder::up_down   ? Shell::Start::up
                         : options.order == WalkOrder::down_up ? Shell::Start::down
                                                               : Shell::Start::both);
  const LengthRange length =
      read_length(values, "im", longest,
                  "order=" + order + " at distance " + std::to_string(shell.distance()) + " of " +
                      std::to_string(shell.sites()) + " sites");
  options.min_length = length.min;
  options.max_length = length.max;

  options.gamma_up = parse_schedule(values.text("gamma"), "move im: gamma");
  options.gamma_down = options.gamma_up;
  std::string gamma_text = "gamma=" + to_text(options.gamma_up);
  if (values.was_set("gamma-up") || values.was_set("gamma-down")) {
    if (values.was_set("gamma-up"))
      options.gamma_up = parse_schedule(values.text("gamma-up"), "move im: gamma-up");
    if (values.was_set("gamma-down"))
      options.gamma_down = parse_schedule(values.text("gamma-down"), "move im: gamma-down");
    gamma_text =
        "gamma-up=" + to_text(options.gamma_up) + ",gamma-down=" + to_text(options.gamma_down);
  }
  const std::string text = "im:length=" + to_text(length) + ",bias=" + to_text(options.bias) + "," +
                           gamma_text + ",order=" + order;
  return {IntraclusterMove(options), text, {}};
}

}  // namespace

MoveDeclaration<IntraclusterMove> IntraclusterMove::declaration() {
  const OptionTable options = {
      length_option("steps of each half of the walk"),
      bias_option(),
      {"gamma", OptionType::text, "beta",
       "strength of the bias: a number, beta, a multiple such as 0.8beta, or a schedule by step "
       "such as 0.6beta/0.8beta/beta (the last entry is repeated)",
       "G"},
      {"gamma-up", OptionType::text, "", "gamma of the steps towards the reference", "G"},
      {"gamma-down", OptionType::text, "", "gamma of the steps away from the reference", "G"},
      {"order",
       OptionType::choice,
       "random",
       "which half comes first",
       "NAME",
       0,
       0,
       {"random", "up-down", "down-up"}},
      {"engine",
       OptionType::choice,
       "auto",
       "how weighted sites are selected",
       "NAME",
       0,
       0,
       {"auto", "linear", "tree", "sums", "classes", "thinned", "dense"}},
  };
  std::vector<std::string> cases;
  for (const char* bias : {"exp", "logistic", "min"})
    for (const char* order : {"up-down", "down-up", "random"})
      for (const char* walk :
           {"length=1,gamma=beta", "length=2,gamma=0.8beta", "length=1..3,gamma=0.7",
            "length=2,gamma-up=0.5beta,gamma-down=1.2beta", "length=3,gamma=0.5beta/beta",
            "length=1..2,gamma=0"})
        cases.push_back(std::string(walk) + ",bias=" + bias + ",order=" + order);
  return {
      "im",
      "intracluster move: a biased walk of 2k flips through the neighbouring shells, accepted or "
      "rejected as a whole",
      options, prepare_intracluster, cases};
}

}  // namespace nhot
