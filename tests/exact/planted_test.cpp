// Errors planted on purpose, each caught by the check that the exactness suite makes. Engines and
// states that lie stand in for the mistakes; the moves and the checker are the real ones.
#include <gtest/gtest.h>

#include "exact/instances.hpp"
#include "nhot/chain/setup.hpp"
#include "nhot/engine/engines.hpp"
#include "support/exact.hpp"
#include "support/planted_engines.hpp"

namespace nhot::test {
namespace {

/// Far above the tolerance: a planted error of a per cent is seen with orders to spare.
constexpr double clearly_wrong = 1e-5;

/// Walks as a chain takes them: through the engine's stepper where there is one. A whole chain
/// would be compiled with every other move, too.
template <class StateType>
struct Walker {
  IntraclusterMove move;
  StateType state;
  EnumeratingDraws draws;

  void set_bits(const Bits& bits) { state.set_bits(bits); }
  void advance(std::uint64_t) {
    if constexpr (StateType::has_stepper) {
      if (state.steppable()) {
        auto stepper = state.stepper(move.most_steps());
        move(stepper, draws);
        stepper.finish();
        return;
      }
    }
    move(state, draws);
  }
  Bits bits() const { return state.bits(); }
};

class Planted : public testing::Test {
 protected:
  ExactCase with_{ring_model(), "integer", mixed_reference(6), 3, 0.7};
  ExactCase with_steppers_{glass_model(), "integer", mixed_reference(6), 3, 0.7};

  ExactCase with_real_{real_model(), "real", mixed_reference(6), 3, 0.7};

  std::shared_ptr<const IntegerKernel> kernel() const { return kernel_of(with_); }
  template <class Kernel = IntegerKernel>
  static std::shared_ptr<const Kernel> kernel_of(const ExactCase& with) {
    const auto model = with.model().shared_quadratic();
    const Bits& reference = with.shell()->reference();
    const Grid grid = Kernel::exact ? find_grid(*model, reference, 1 << 20) : Grid{};
    return std::make_shared<const Kernel>(model, reference, grid);
  }

  /// The errors of walks with an engine of the test's own.
  template <template <class> class Engine>
  ExactErrors with_engine(const IntraclusterOptions& options) const {
    return with_engine_on<Engine>(with_, options);
  }
  template <template <class> class Engine, class Kernel = IntegerKernel>
  static ExactErrors with_engine_on(const ExactCase& with, const IntraclusterOptions& options) {
    IntraclusterMove move(options);
    WeightSet weight_set;
    move.prepare(with.beta(), weight_set);
    BranchScript script;
    Walker<State<Kernel, Engine>> walker{
        move,
        {kernel_of<Kernel>(with), with.shell(), with.states()[0], weight_set, move.needs_sides},
        EnumeratingDraws(script)};
    walker.state.set_beta(with.beta());
    return errors_of(transition_matrix(walker, script, with.states()), with.law());
  }

  /// The errors of a move on a state of the test's own.
  template <class LyingState, class Move>
  ExactErrors with_state(Move move, double prepared_beta) const {
    struct Runner {
      Move move;
      LyingState state;
      EnumeratingDraws draws;

      void set_bits(const Bits& bits) { state.set_bits(bits); }
      void advance(std::uint64_t) { move(state, draws); }
      Bits bits() const { return state.bits(); }
    };
    WeightSet weight_set;
    move.prepare(prepared_beta, weight_set);
    BranchScript script;
    Runner runner{
        move, LyingState(kernel(), with_.shell(), with_.states()[0], weight_set, Move::needs_sides),
        EnumeratingDraws(script)};
    runner.state.set_beta(prepared_beta);
    return errors_of(transition_matrix(runner, script, with_.states()), with_.law());
  }

  static IntraclusterOptions walk(Site length, double gamma = 0.6) {
    return {length, length, Bias::logistic, {{gamma, true}}, {{gamma, true}}, WalkOrder::random};
  }
};

using RingState = State<IntegerKernel, ClassesEngine>;

TEST_F(Planted, NothingPlantedPasses) {
  EXPECT_TRUE(with_engine<ClassesEngine>(walk(2)).passed());
  EXPECT_TRUE((with_state<RingState>(IntraclusterMove(walk(2)), with_.beta()).passed()));
  EXPECT_TRUE((with_state<State<IntegerKernel, NoEngine>>(SwapMove{}, with_.beta()).passed()));
}

// --- kappa off by one ----------------------------------------------------------------------------

/// The energy term of the acceptance is (kappa gamma - beta) times the gain; scaling the gain makes
/// it ((kappa + 1) gamma - beta).
template <int KappaError>
class WrongKappaState : public RingState {
 public:
  using RingState::RingState;
  double walk_gain() const {
    const double gamma = 0.6 * 0.7;
    return RingState::walk_gain() * ((1 + KappaError) * gamma - 0.7) / (gamma - 0.7);
  }
};

TEST_F(Planted, KappaOffByOneIsCaught) {
  const IntraclusterMove move(walk(2));
  EXPECT_TRUE(with_state<WrongKappaState<0>>(move, with_.beta()).passed());
  EXPECT_GT(with_state<WrongKappaState<1>>(move, with_.beta()).stationarity, clearly_wrong);
  EXPECT_GT(with_state<WrongKappaState<-1>>(move, with_.beta()).stationarity, clearly_wrong);
}

// --- a total that is not updated -----------------------------------------------------------------

/// Misses the change of one neighbour's field: one weight, and the total with it, stay behind.
template <class Kernel>
class StaleEngine : public TreeEngine<Kernel> {
 public:
  using TreeEngine<Kernel>::TreeEngine;
  void changed(const Configuration<Kernel>& c, Site j, typename Kernel::Field old) {
    if (j != 3) TreeEngine<Kernel>::changed(c, j, old);
  }
};

/// Keeps selecting rightly but reports the total of the agreeing side as it was when last rebuilt.
template <class Kernel>
class StaleTotalEngine : public LinearEngine<Kernel> {
 public:
  StaleTotalEngine(const Configuration<Kernel>& c, const WeightSet& weight_set)
      : LinearEngine<Kernel>(c, weight_set) {
    rebuild(c);
  }
  void rebuild(const Configuration<Kernel>& c) {
    total_ = LinearEngine<Kernel>::total(c, agreeing(0), 0);
  }
  ScaledWeight total(const Configuration<Kernel>& c, Side side, unsigned entry) const {
    return side == agreeing(0) ? total_ : LinearEngine<Kernel>::total(c, side, entry);
  }

 private:
  ScaledWeight total_;
};

TEST_F(Planted, AStaleWeightIsCaught) {
  EXPECT_GT(with_engine<StaleEngine>(walk(1)).stationarity, clearly_wrong);
  EXPECT_GT(with_engine<StaleEngine>(walk(2)).stationarity, clearly_wrong);
}

TEST_F(Planted, AStaleTotalIsCaught) {
  // On its own a stale total can run past the end of the scan, which must not stall either.
  EXPECT_GT(with_engine<StaleTotalEngine>(walk(2)).stationarity, clearly_wrong);
}

// --- a weight that is 2% wrong -------------------------------------------------------------------

/// Reports one side's total 2% too large where one site is on it: without a stepper, and with one.
template <class Kernel>
class HeavyTotalEngine : public ClassesEngine<Kernel> {
 public:
  using ClassesEngine<Kernel>::ClassesEngine;
  bool steppable() const { return false; }
  ScaledWeight total(const Configuration<Kernel>& c, Side side, unsigned entry) const {
    ScaledWeight mass = ClassesEngine<Kernel>::total(c, side, entry);
    if (c.side(2) == side) mass.value *= 1.02;
    return mass;
  }
};

template <template <class> class Engine, class Kernel>
class HeavyStepper : public Engine<Kernel>::Stepper {
 public:
  HeavyStepper(Engine<Kernel>& engine, const Configuration<Kernel>& c)
      : Engine<Kernel>::Stepper(engine, c), c_(&c) {}
  ScaledWeight total(Side side, unsigned entry) const {
    ScaledWeight mass = Engine<Kernel>::Stepper::total(side, entry);
    if (c_->side(2) == side) mass.value *= 1.02;
    return mass;
  }

 private:
  const Configuration<Kernel>* c_;
};

template <class Kernel>
class HeavyStepsOfClasses : public ClassesEngine<Kernel> {
 public:
  using ClassesEngine<Kernel>::ClassesEngine;
  using Stepper = HeavyStepper<ClassesEngine, Kernel>;
};

template <class Kernel>
class HeavyStepsOfThinned : public ThinnedEngine<Kernel> {
 public:
  using ThinnedEngine<Kernel>::ThinnedEngine;
  using Stepper = HeavyStepper<ThinnedEngine, Kernel>;
};

template <class Kernel>
class HeavyStepsOfCompact : public CompactEngine<Kernel> {
 public:
  using CompactEngine<Kernel>::CompactEngine;
  using Stepper = HeavyStepper<CompactEngine, Kernel>;
};

template <class Kernel>
class HeavyStepsOfSums : public SumsEngine<Kernel> {
 public:
  using SumsEngine<Kernel>::SumsEngine;
  using Stepper = HeavyStepper<SumsEngine, Kernel>;
};

/// Tells the acceptance what the formula gives for a site, not the weight that chose it.
template <class Kernel>
class TrustingSums : public SumsEngine<Kernel> {
 public:
  TrustingSums(const Configuration<Kernel>& c, const WeightSet& weight_set)
      : SumsEngine<Kernel>(c, weight_set), weight_set_(weight_set) {}
  bool steppable() const { return false; }
  ScaledWeight weight(const Configuration<Kernel>& c, Side side, unsigned entry, Site i) const {
    return {weight_set_(side, entry).weight(signed_by(c.u[i], this->field(i))), 0};
  }

 private:
  WeightSet weight_set_;
};

/// Reports every total of one side 2% too large: cancels between the k steps up and the k steps
/// down, so this one is not an error.
template <class Kernel>
class ScaledSideEngine : public LinearEngine<Kernel> {
 public:
  using LinearEngine<Kernel>::LinearEngine;
  ScaledWeight total(const Configuration<Kernel>& c, Side side, unsigned entry) const {
    ScaledWeight mass = LinearEngine<Kernel>::total(c, side, entry);
    if (side == agreeing(0)) mass.log_scale += std::log(1.02);
    return mass;
  }
  template <DrawSource Draws>
  Site select(const Configuration<Kernel>& c, Draws& draws, Side side, unsigned entry,
              const ScaledWeight&) const {
    return LinearEngine<Kernel>::select(c, draws, side, entry,
                                        LinearEngine<Kernel>::total(c, side, entry));
  }
};

TEST_F(Planted, AWeightOffByTwoPercentIsCaught) {
  EXPECT_GT(with_engine<HeavyEngine>(walk(1)).stationarity, clearly_wrong);
  EXPECT_GT(with_engine<HeavyEngine>(walk(2)).stationarity, clearly_wrong);
}

TEST_F(Planted, ATotalOffByTwoPercentIsCaught) {
  EXPECT_GT(with_engine<HeavyTotalEngine>(walk(1)).stationarity, clearly_wrong);
  EXPECT_GT(with_engine_on<HeavyStepsOfClasses>(with_steppers_, walk(1)).stationarity,
            clearly_wrong);
  EXPECT_GT(with_engine_on<HeavyStepsOfThinned>(with_steppers_, walk(1)).stationarity,
            clearly_wrong);
  EXPECT_GT(with_engine_on<HeavyStepsOfCompact>(with_steppers_, walk(1)).stationarity,
            clearly_wrong);
  const auto sums = with_engine_on<HeavyStepsOfSums, RealKernel>(with_real_, walk(1));
  EXPECT_GT(sums.stationarity, clearly_wrong);
}

TEST_F(Planted, WholeWeightsThatTheAcceptanceDoesNotKnowAreCaught) {
  const auto honest = with_engine_on<SumsEngine, RealKernel>(with_real_, walk(2));
  EXPECT_TRUE(honest.passed()) << honest.worst();
  const auto trusting = with_engine_on<TrustingSums, RealKernel>(with_real_, walk(2));
  EXPECT_GT(trusting.stationarity, clearly_wrong);
}

TEST_F(Planted, AFactorThatCancelsIsNoError) {
  EXPECT_TRUE(with_engine<ScaledSideEngine>(walk(2)).passed());
}

// --- the wrong side in the reverse total ---------------------------------------------------------

/// The move asks for the total of the reverse step, which is answered for the wrong side.
class WrongSideState : public RingState {
 public:
  using RingState::RingState;
  ScaledWeight total(Side side, unsigned entry) const {
    return RingState::total(opposite(side), entry);
  }
};

TEST_F(Planted, TheWrongSideInTheReverseTotalIsCaught) {
  EXPECT_GT(with_state<WrongSideState>(IntraclusterMove(walk(1)), with_.beta()).stationarity,
            clearly_wrong);
}

// --- rounded weights -----------------------------------------------------------------------------

/// Takes the float weights of the dense engine for those of the formula.
class TrustingState : public State<RbmKernel, DenseEngine> {
 public:
  using State<RbmKernel, DenseEngine>::State;
  static constexpr bool rounded_weights = false;
};

/// Accepts walks without telling the fields.
template <class Kernel>
class ForgetfulEngine : public DenseEngine<Kernel> {
 public:
  using DenseEngine<Kernel>::DenseEngine;
  void commit(Configuration<Kernel>& c) { this->rebuild(c); }
};

template <class LyingState>
double error_on_rbm(std::uint64_t moves) {
  const ExactCase with(rbm_3x3(), "rbm", mixed_reference(6), 3, 0.7);
  struct Runner {
    IntraclusterMove move;
    LyingState state;
    EnumeratingDraws draws;

    void set_bits(const Bits& bits) { state.set_bits(bits); }
    void advance(std::uint64_t count) {
      for (std::uint64_t k = 0; k < count; ++k) move(state, draws);
    }
    Bits bits() const { return state.bits(); }
  };
  IntraclusterMove move({1, 1, Bias::logistic, {{0.6, true}}, {{0.6, true}}, WalkOrder::random});
  WeightSet weight_set;
  move.prepare(with.beta(), weight_set);
  BranchScript script;
  Runner runner{move,
                LyingState(std::make_shared<const RbmKernel>(with.model().shared_rbm(),
                                                             with.shell()->reference()),
                           with.shell(), with.states()[0], weight_set, false),
                EnumeratingDraws(script)};
  return errors_of(transition_matrix(runner, script, with.states(), moves), with.law())
      .stationarity;
}

// An error of 1e-7 in the weights alone is seen.
TEST(PlantedInDense, RoundingsThatTheAcceptanceDoesNotKnowAreCaught) {
  using Honest = State<RbmKernel, DenseEngine>;
  EXPECT_LE(error_on_rbm<Honest>(1), exact_tolerance);
  EXPECT_LE(error_on_rbm<Honest>(2), exact_tolerance);
  EXPECT_GT(error_on_rbm<TrustingState>(1), 1e-9);
}

TEST(PlantedInDense, FieldsThatStayBehindAreCaught) {
  EXPECT_GT((error_on_rbm<State<RbmKernel, ForgetfulEngine>>(2)), clearly_wrong);
}

// --- beta ----------------------------------------------------------------------------------------

TEST_F(Planted, SwapWithoutBetaIsCaught) {
  EXPECT_GT((with_state<State<IntegerKernel, NoEngine>>(SwapMove{}, 1.0).stationarity),
            clearly_wrong);
}

TEST_F(Planted, KawasakiAtAnotherTemperatureIsCaught) {
  EXPECT_GT((with_state<State<IntegerKernel, NoEngine>>(KawasakiMove{}, 0.69).stationarity),
            clearly_wrong);
}

/// Forgets that the two sites of an exchange may be coupled.
class NoCouplingState : public State<IntegerKernel, NoEngine> {
 public:
  using State<IntegerKernel, NoEngine>::State;
  Field delta_unlike(Site i, Site j) const { return delta(i) + delta(j); }
};

TEST_F(Planted, AnExchangeThatForgetsTheCouplingIsCaught) {
  EXPECT_GT(with_state<NoCouplingState>(SwapMove{}, with_.beta()).stationarity, clearly_wrong);
}

}  // namespace
}  // namespace nhot::test
