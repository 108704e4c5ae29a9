#include "nhot/move/intracluster.hpp"

#include "nhot/move/walk_options.hpp"

namespace nhot {
namespace {

FittedMove<IntraclusterMove> prepare_intracluster(const OptionValues& values, const Shell& shell,
                                                  const ModelFacts&) {
  IntraclusterOptions options;
  options.bias = parse_bias(values.text("bias"));

  const std::string& order = values.text("order");
  options.order = parse_order(order);
  const Site longest = shell.longest_walk(start_side(options.order));
  const LengthRange length =
      read_length(values, "im", longest,
                  "order=" + order +
                      (shell.grouped() ? " in any of " + std::to_string(shell.groups()) + " groups"
                                       : " at distance " + std::to_string(shell.distance()) +
                                             " of " + std::to_string(shell.sites()) + " sites"));
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
      order_option(),
      engine_option(),
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
