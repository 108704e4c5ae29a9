#include "nhot/move/path.hpp"

#include "nhot/base/error.hpp"

namespace nhot {

OptionTable path_options() {
  return {length_option("exchanges per move"),
          bias_option(),
          {"gamma", OptionType::text, "auto",
           "strength of the bias: a number, beta, or a multiple such as 0.8beta; auto balances the "
           "energy: beta, or 0.5beta with bias=exp",
           "G"}};
}

PathOptions read_path_options(const OptionValues& values, std::string_view move,
                              const Shell& shell) {
  PathOptions options;
  options.bias = parse_bias(values.text("bias"));
  options.length =
      read_length(values, move, shell.longest_walk(Shell::Start::both),
                  shell.grouped() ? "any of " + std::to_string(shell.groups()) + " groups"
                                  : "distance " + std::to_string(shell.distance()) + " of " +
                                        std::to_string(shell.sites()) + " sites");
  const std::string& gamma = values.text("gamma");
  const std::string where = "move " + std::string(move) + ": gamma";
  if (gamma.find('/') != std::string::npos)
    throw InputError(where + " is the schedule '" + gamma + "'",
                     "all sites of a move are drawn by the weights at its start: give one value, "
                     "such as beta or 0.8beta; schedules are for im");
  options.gamma =
      gamma == "auto" ? GammaValue{1 / kappa(options.bias), true} : parse_gamma(gamma, where);
  return options;
}

std::string to_text(const PathOptions& options) {
  return "length=" + to_text(options.length) + ",bias=" + to_text(options.bias) +
         ",gamma=" + to_text(options.gamma);
}

namespace {

FittedMove<PathMove> prepare_path(const OptionValues& values, const Shell& shell,
                                  const ModelFacts&) {
  const PathOptions options = read_path_options(values, "path", shell);
  FittedMove<PathMove> prepared{PathMove(options), "path:" + to_text(options)};
  const Site all = options.length.max;
  if (options.length.min == all && all > 1 && 2 * std::uint64_t{all} == shell.sites())
    prepared.unreachable_reason =
        "path: every move flips every site, so the chain visits two states only; let the length "
        "vary, for example length=1.." +
        std::to_string(all);
  return prepared;
}

}  // namespace

MoveDeclaration<PathMove> PathMove::declaration() {
  std::vector<std::string> cases;
  for (const char* bias : {"exp", "logistic", "min"})
    for (const char* walk : {"length=1", "length=2", "length=1..3,gamma=0.7", "length=3,gamma=beta",
                             "length=1..2,gamma=0", "length=2,gamma=1.3beta"})
      cases.push_back(std::string(walk) + ",bias=" + bias);
  return {"path",
          "k exchanges at once, their sites drawn by the weights at the start only: two passes "
          "over the sites per move, for models in which a flip changes most fields",
          path_options(), prepare_path, cases};
}

}  // namespace nhot
