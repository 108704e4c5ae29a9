#include "nhot/run/temper/stored_tempering.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "nhot/trace/trace_fields.hpp"

namespace nhot {
namespace {

constexpr const char* stored_name = "tempering";

/// Holds the draws for the next checkpoint.
class KeptRungs final : public RungSink {
 public:
  void append_rungs(const std::vector<Trace>& blocks, std::size_t) override {
    rungs_.resize(blocks.size());
    for (std::size_t k = 0; k < blocks.size(); ++k) rungs_[k].append(blocks[k]);
  }
  void replace_rungs(const std::vector<Trace>& wholes, std::size_t) override { rungs_ = wholes; }
  const std::vector<Trace>& rungs() const { return rungs_; }

 private:
  std::vector<Trace> rungs_;
};

void save_run(StateStore& store, const TemperingCheckpoint& at, const std::vector<Trace>& rungs) {
  Saving saving;
  std::vector<std::string> texts;
  for (const auto& [key, value] : to_metadata(at)) {
    texts.push_back(key);
    texts.push_back(value);
  }
  saving(texts, at.ladders, rungs);
  store.save(stored_name, saving.take());
}

std::shared_ptr<StoppedTempering> saved_run(const StateStore& store) {
  std::vector<std::string> texts;
  std::vector<std::vector<std::byte>> ladders;
  auto run = std::make_shared<StoppedTempering>();
  if (!restore_values(&store, stored_name, texts, ladders, run->rungs)) return nullptr;
  Metadata metadata;
  for (std::size_t k = 0; k + 1 < texts.size(); k += 2)
    metadata.emplace_back(texts[k], texts[k + 1]);
  run->checkpoint = tempering_checkpoint_from(metadata, std::move(ladders));
  return run;
}

}  // namespace

TemperingResult run_stored_tempering(const ChainFactory& factory, TemperingPlan plan,
                                     TemperingHooks hooks, StateStore* store) {
  if (!store) return run_tempering(factory, plan, hooks);
  if (const auto before = saved_run(*store)) {
    const TemperingCheckpoint& at = before->checkpoint;
    if (plan.moves) plan.moves = *plan.moves - std::min(*plan.moves, at.moves);
    if (plan.seconds) plan.seconds = std::max(0.0, *plan.seconds - at.seconds);
    plan.resume = before;
  }
  KeptRungs draws;
  hooks.sink = &draws;
  hooks.checkpoint = [&](const TemperingCheckpoint& at) { save_run(*store, at, draws.rungs()); };
  TemperingResult result = run_tempering(factory, plan, hooks);
  save_run(*store, result.checkpoint, draws.rungs());
  return result;
}

}  // namespace nhot
