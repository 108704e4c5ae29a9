// Grouped shells: mixtures keep the law, flips of free sites join them, and planted errors are
// seen.
#include <gtest/gtest.h>

#include "exact/instances.hpp"
#include "nhot/engine/group_trees.hpp"
#include "nhot/move/flip.hpp"
#include "nhot/move/intracluster.hpp"
#include "nhot/move/joint.hpp"
#include "support/exact.hpp"
#include "support/planted_engines.hpp"

namespace nhot::test {
namespace {

constexpr double clearly_wrong = 1e-5;
using GroupedKernel = Grouped<IntegerKernel>;

ExactCase ring_in_groups(std::size_t which) {
  return {ring_model(), "integer", Shell(mixed_reference(6), groups_of(6)[which]), 0.7};
}

TEST(Groups, MixturesKeepTheLaw) {
  for (const Instance& instance : exact_instances()) {
    if (!instance.only.empty()) continue;
    const Site sites = instance.model.sites();
    for (const std::size_t which : {1U, 4U, 5U}) {
      const ExactCase with(instance.model, instance.kernel,
                           Shell(mixed_reference(sites), groups_of(sites)[which]), 0.7);
      for (const std::string move : {"0.4*joint:groups=1..2,length=1 + 0.3*swap + kawasaki",
                                     "im:length=1 + 0.5*flip + path", "swap"}) {
        if (with.shell()->free_sites() == 0 && move.find("flip") != std::string::npos) continue;
        const ExactErrors errors = with.check(move);
        EXPECT_TRUE(errors.passed()) << instance.name << " " << move << ": " << errors.worst();
      }
    }
  }
}

TEST(Groups, FlipsJoinMovesThatWorkWithinGroups) {
  const ExactCase some = ring_in_groups(4);  // three sites in a group, three free
  EXPECT_EQ(some.setup("swap").move(), "1*swap + 1*flip");
  EXPECT_EQ(some.setup("3*swap + flip").move(), "3*swap + 1*flip");
  EXPECT_TRUE(some.setup("swap").unreachable_reason().empty());
  EXPECT_NE(some.setup("flip").unreachable_reason(), "");
  EXPECT_EQ(ring_in_groups(6).setup("swap").unreachable_reason(), "");  // all sites are free
  EXPECT_EQ(ring_in_groups(0).setup("swap").move(), "swap");
}

TEST(Groups, AMixtureThatReachesEveryStateOfAllGroupsHasAnErgodicMatrix) {
  for (const std::size_t which : {0U, 1U, 2U, 4U, 5U, 6U}) {
    const ExactCase with = ring_in_groups(which);
    const TransitionMatrix matrix = with.matrix("swap");
    std::vector<char> seen(matrix.size(), 0);
    std::vector<std::size_t> open = {0};
    seen[0] = 1;
    while (!open.empty()) {
      const std::size_t from = open.back();
      open.pop_back();
      for (std::size_t to = 0; to < matrix.size(); ++to)
        if (matrix(from, to) > 0 && !seen[to]) {
          seen[to] = 1;
          open.push_back(to);
        }
    }
    EXPECT_EQ(std::count(seen.begin(), seen.end(), 0), 0) << which;
  }
}

TEST(Groups, KawasakiSaysWhichGroupFallsApart) {
  // Group 1 has the sites 0 and 2, which ring_model() does not couple.
  EXPECT_NE(ring_in_groups(1).setup("kawasaki").unreachable_reason().find("group 1"),
            std::string::npos);
  EXPECT_EQ(ring_in_groups(0).setup("kawasaki").unreachable_reason(), "");
}

// --- planted errors ------------------------------------------------------------------------------

/// The errors of a move on a state of its own.
template <class GroupedState, class Move>
ExactErrors with_state(const ExactCase& with, Move move, double beta) {
  struct Runner {
    Move move;
    GroupedState state;
    EnumeratingDraws draws;

    void set_bits(const Bits& bits) { state.set_bits(bits); }
    void advance(std::uint64_t count) {
      for (std::uint64_t k = 0; k < count; ++k) move(state, draws);
    }
    Bits bits() const { return state.bits(); }
  };
  const auto* quadratic = with.model().quadratic();
  const Grid grid = find_grid(*quadratic, with.shell()->reference(), 1 << 24);
  WeightSet weight_set;
  move.prepare(beta, weight_set);
  BranchScript script;
  Runner runner{move,
                GroupedState(std::make_shared<const GroupedKernel>(with.model().shared_quadratic(),
                                                                   with.shell()->reference(), grid),
                             with.shell(), with.states()[0], weight_set, true),
                EnumeratingDraws(script)};
  runner.state.set_beta(beta);
  return errors_of(transition_matrix(runner, script, with.states(), 1), with.law());
}

JointMove joint(Site groups) {
  return JointMove({{groups, groups}, {1, 1}, Bias::logistic, {0.6, true}, WalkOrder::random});
}

using Honest = State<GroupedKernel, GroupTreesEngine>;

/// Trees of every group, however small.
template <class Kernel>
using TreesOnly = GroupTrees<Kernel, 0>;

TEST(Groups, TreesKeepTheLaw) {
  using WithTrees = State<GroupedKernel, TreesOnly>;
  const IntraclusterMove walk({1, 2, Bias::exp, {{0.6, true}}, {{0.9, true}}, WalkOrder::random});
  for (const std::size_t which : {0U, 1U, 2U, 4U, 5U}) {
    const ExactCase with = ring_in_groups(which);
    EXPECT_TRUE(with_state<WithTrees>(with, walk, 0.7).passed()) << which;
    EXPECT_TRUE(with_state<WithTrees>(with, joint(2), 0.7).passed()) << which;
  }
}

TEST(PlantedInGroups, HonestMovesPass) {
  EXPECT_TRUE(with_state<Honest>(ring_in_groups(1), joint(2), 0.7).passed());
  EXPECT_TRUE(with_state<Honest>(ring_in_groups(4), FlipMove{}, 0.7).passed());
}

TEST(PlantedInGroups, WeightsOffByTwoPercentAreCaught) {
  using Heavy = State<GroupedKernel, HeavyEngine>;
  EXPECT_GT(with_state<Heavy>(ring_in_groups(1), joint(2), 0.7).stationarity, clearly_wrong);
}

/// Misses changes of fields in the last group.
template <class Kernel>
class StaleGroupEngine : public GroupTrees<Kernel, 0> {
 public:
  using GroupTrees<Kernel, 0>::GroupTrees;
  void changed(const Configuration<Kernel>& c, Site j, typename Kernel::Field shift) {
    if (c.group(j) + 1 != c.shell->groups()) GroupTrees<Kernel, 0>::changed(c, j, shift);
  }
};

TEST(PlantedInGroups, AChangeInAnotherGroupThatIsMissedIsCaught) {
  using Stale = State<GroupedKernel, StaleGroupEngine>;
  EXPECT_GT(with_state<Stale>(ring_in_groups(1), joint(3), 0.7).stationarity, clearly_wrong);
}

/// Draws the group by a look at the state.
class LookingState : public Honest {
 public:
  using Honest::Honest;
  template <DrawSource Draws>
  Group draw_group(Draws& draws) const {
    return side(0) == agreeing(0) ? 0 : Honest::draw_group(draws);
  }
};

TEST(PlantedInGroups, AGroupChosenByTheStateIsCaught) {
  EXPECT_GT(with_state<LookingState>(ring_in_groups(1), joint(1), 0.7).stationarity, clearly_wrong);
}

TEST(PlantedInGroups, FlipsAtAnotherTemperatureAreCaught) {
  EXPECT_GT(with_state<Honest>(ring_in_groups(4), FlipMove{}, 0.69).stationarity, clearly_wrong);
}

}  // namespace
}  // namespace nhot::test
