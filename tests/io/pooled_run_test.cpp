// Runs of one law taken together: what becomes of their witnesses.
#include "nhot/io/run/pooled_run.hpp"

#include <gtest/gtest.h>

#include "io/sample_run.hpp"

namespace nhot {
namespace {

/// A finished run with the finding of a witness; "": not asked. Other draws for every seed.
StoredRun stored(std::uint64_t seed, const std::string& sentence) {
  StoredRun run;
  run.metadata = {{"beta", "0.4"},
                  {"distance", "8"},
                  {"seed", std::to_string(seed)},
                  {"moves", "140"},
                  {"witness", sentence},
                  {"witness_agrees", sentence.starts_with("agrees") ? "true" : "false"}};
  run.sites = 36;
  run.chains = 3;
  run.trace = testing::made_up_draws(100 * seed, 20);
  run.finished = true;
  return run;
}

WitnessFinding pooled(const std::vector<std::string>& sentences) {
  std::vector<StoredRun> runs;
  std::vector<std::string> paths;
  for (const std::string& sentence : sentences) {
    runs.push_back(stored(runs.size() + 1, sentence));
    paths.push_back("run" + std::to_string(runs.size()) + ".nc");
  }
  return pool(std::move(runs), paths).record.witness;
}

TEST(PooledRun, KeepsAWitnessThatDisagreesWhereverItStands) {
  for (const std::vector<std::string>& sentences :
       std::vector<std::vector<std::string>>{{"no", "agrees"},
                                             {"agrees", "no"},
                                             {"agrees", "agrees 2", "no"},
                                             {"agrees", "no", "agrees 2"},
                                             {"no", "agrees", "agrees 2"},
                                             {"no", ""},
                                             {"", "no"},
                                             {"", "no", ""},
                                             {"", "agrees", "no"},
                                             {"no", "", "agrees"},
                                             {"agrees", "", "no"}}) {
    std::string all;
    for (const std::string& sentence : sentences) all += "'" + sentence + "' ";
    const WitnessFinding witness = pooled(sentences);
    EXPECT_EQ(witness.sentence, "no") << all;
    EXPECT_FALSE(witness.agrees) << all;
  }
}

TEST(PooledRun, WitnessesThatAgreeSpeakForAllRunsOrForNone) {
  const WitnessFinding both = pooled({"agrees", "agrees 2"});
  EXPECT_TRUE(both.agrees);
  EXPECT_TRUE(both.sentence.starts_with("agrees"));
  for (const std::vector<std::string>& sentences : std::vector<std::vector<std::string>>{
           {"", ""}, {"agrees", ""}, {"", "agrees"}, {"agrees", "", "agrees 2"}}) {
    const WitnessFinding none = pooled(sentences);
    EXPECT_EQ(none.sentence, "") << sentences.front();
    EXPECT_FALSE(none.agrees) << sentences.front();
  }
}

}  // namespace
}  // namespace nhot
