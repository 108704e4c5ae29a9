#include "nhot/move/joint.hpp"

#include "nhot/base/error.hpp"

namespace nhot {
namespace {

constexpr Site auto_groups = 3;

FittedMove<JointMove> prepare_joint(const OptionValues& values, const Shell& shell,
                                    const ModelFacts&) {
  if (!shell.grouped())
    throw InputError("move joint: the shell has one group of sites",
                     "use {move im}, whose walks leave that group; several are given by {groups}");
  JointOptions options;
  options.bias = parse_bias(values.text("bias"));
  const std::string& order = values.text("order");
  options.order = parse_order(order);
  const Site longest = shell.longest_walk(start_side(options.order));
  options.length =
      read_length(values, "joint", longest, "any of " + std::to_string(shell.groups()) + " groups");
  options.groups = values.text("groups") == "auto"
                       ? LengthRange{1, auto_groups}
                       : parse_range(values.text("groups"), "move joint: groups", "5", "2..5");
  options.groups = options.groups.within(std::max<Site>(1, shell.groups()));
  options.gamma = parse_gamma(values.text("gamma"), "move joint: gamma");
  const std::string text = "joint:groups=" + to_text(options.groups) +
                           ",length=" + to_text(options.length) + ",bias=" + to_text(options.bias) +
                           ",gamma=" + to_text(options.gamma) + ",order=" + order;
  return {JointMove(options), text, {}};
}

}  // namespace

MoveDeclaration<JointMove> JointMove::declaration() {
  const OptionTable options = {
      {"groups", OptionType::text, "auto",
       "groups of one walk: a number, or a range drawn uniformly for every move; groups are joined "
       "along couplings, and there may be fewer; auto is 1..3",
       "M|M1..M2"},
      length_option("steps of each half of the walk in each group"),
      bias_option(),
      {"gamma", OptionType::text, "beta",
       "strength of the bias: a number, beta, or a multiple such as 0.8beta", "G"},
      order_option(),
      engine_option(),
  };
  std::vector<std::string> cases;
  for (const char* walk :
       {"groups=1,length=1", "groups=2,length=1,order=up-down", "groups=2,length=1..2,gamma=0.7",
        "groups=1..2,length=1,order=down-up,gamma=0.8beta", "groups=3,length=1,order=up-down",
        "groups=2,length=1,gamma=0"})
    for (const char* bias : {"exp", "logistic", "min"})
      cases.push_back(std::string(walk) + ",bias=" + bias);
  return {"joint",
          "a walk through several groups at once, along the couplings: all leave the shell and "
          "come back, accepted or rejected as a whole",
          options, prepare_joint, cases};
}

}  // namespace nhot
