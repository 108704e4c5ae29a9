// The dense engine keeps the law exactly on every SIMD path, and all paths walk the same chain.
#include <gtest/gtest.h>

#include "exact/branches.hpp"
#include "exact/instances.hpp"
#include "nhot/random/stream.hpp"
#include "support/exact.hpp"
#include "support/simd_paths.hpp"

namespace nhot::test {
namespace {

class ExactOnPath : public OnSimdPath {
 protected:
  const SimdPath usual = simd_path();  // taken before the fixture forces another
};

INSTANTIATE_TEST_SUITE_P(Paths, ExactOnPath, testing::ValuesIn(all_simd_paths), path_name);

/// One site of each half differs.
std::vector<SiteGroup> two_halves(Site sites) {
  std::vector<SiteGroup> halves(2);
  for (Site i = 0; i < sites; ++i) halves[i < sites / 2 ? 0 : 1].sites.push_back(i);
  halves[0].distance = halves[1].distance = 1;
  return halves;
}

/// Two distances: that all paths walk the same chain at any distance is the next test.
TEST_P(ExactOnPath, EveryCaseOfTheDenseEngineKeepsTheLaw) {
  if (GetParam() == usual)
    GTEST_SKIP() << "the usual path: Exact.EveryRegisteredCombinationKeepsTheLaw runs it at every "
                    "distance";
  std::size_t checked = 0;
  double worst = 0;
  for (const Instance& instance : exact_instances()) {
    if (instance.kernel != "dense" && instance.kernel != "rbm") continue;
    const Site sites = instance.model.sites();
    for (const Site distance : {Site{1}, Site{2}}) {
      const ExactCase single(instance.model, instance.kernel, mixed_reference(sites), distance,
                             0.7);
      const ExactCase halves(instance.model, instance.kernel,
                             Shell(mixed_reference(sites), two_halves(sites)), 0.7);
      for (const MoveKind& kind : move_kinds()) {
        if (!has_engine(kind)) continue;
        const ExactCase& with = kind.name == "joint" ? halves : single;
        for (std::string parameters : kind.exact_cases) {
          if (!is_worth_its_branches(with, parameters)) continue;
          try {
            with.setup(move_text(kind, parameters, "dense"));
          } catch (const InputError& refusal) {
            const std::optional<Site> offered = length_offered(refusal);
            ASSERT_TRUE(offered.has_value()) << refusal.what();
            parameters = with_length(parameters, *offered);
          }
          const ExactErrors errors = with.check(move_text(kind, parameters, "dense"));
          EXPECT_TRUE(errors.passed()) << instance.name << " n=" << distance << " " << kind.name
                                       << ":" << parameters << " " << errors.worst();
          worst = std::max(worst, errors.worst());
          ++checked;
        }
      }
    }
  }
  EXPECT_GT(checked, 100u);
  std::printf("exact on path %s: %zu cases, worst error %.1e\n",
              std::string(to_text(GetParam())).c_str(), checked, worst);
}

TEST(SimdPathsTogether, WalkTheSameChainToTheBit) {
  const SimdPath before = simd_path();
  for (const char* spec : {"rbm:40x35,seed=1", "rbm:200x131,seed=2"})
    for (const char* move : {"im:length=1..20,gamma=0.8", "im:length=3,bias=exp,gamma=0.4beta",
                             "im:length=1..4,bias=min,gamma-up=0.5,gamma-down=beta",
                             "im:length=37,gamma=0.2 + swap"}) {
      const Model model = model_from_spec(spec);
      const Shell shell(Bits(model.sites(), 0), model.sites() / 2);
      std::vector<std::byte> first;
      for (const SimdPath path : all_simd_paths) {
        if (!has_simd_path(path)) {
          std::printf("NOT TESTED: this processor or build lacks the SIMD path %s\n",
                      std::string(to_text(path)).c_str());
          continue;
        }
        set_simd_path(path);
        const ChainSetup setup(model, std::make_shared<const Shell>(shell), move, 1.0);
        RandomDraws start(make_stream(5, 0, 0, Purpose::start));
        const auto chain = setup.make(RandomDraws(make_stream(5, 0, 0, Purpose::moves)),
                                      shell.draw_uniform(start));
        chain->advance(500);
        EXPECT_GT(chain->counters().accepted, 0u);
        ByteWriter out;
        chain->save(out);
        if (first.empty()) first = out.bytes();
        EXPECT_EQ(out.bytes(), first) << spec << " " << move << " " << to_text(path);
      }
    }
  set_simd_path(before);
}

}  // namespace
}  // namespace nhot::test
