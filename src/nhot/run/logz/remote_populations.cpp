#include "nhot/run/logz/remote_populations.hpp"

#include <map>
#include <mutex>

#include "nhot/run/checkpoint_interval.hpp"
#include "nhot/run/clock.hpp"
#include "nhot/run/thread_team.hpp"

namespace nhot {

// What is known of a population on its rank: its number, its result and the steps that it took.
struct RemotePopulation {
  std::uint64_t number = 0;
  bool finished = false;
  CooledPopulation cooled;
  double steps = 0;
};
template <class Archive>
void visit_fields(Archive& archive, RemotePopulation& one) {
  archive(one.number, one.finished, one.cooled.result, one.cooled.path, one.steps);
}

struct StoredPart {
  std::string name;
  std::vector<std::byte> bytes;
};
template <class Archive>
void visit_fields(Archive& archive, StoredPart& part) {
  archive(part.name, part.bytes);
}

namespace {

/// What a worker saves goes to the store of rank 0, if that has one.
class StoreOfRank0 final : public StateStore {
 public:
  StoreOfRank0(RankLink& link, bool keeps, const std::vector<StoredPart>& parts)
      : link_(link), keeps_(keeps) {
    for (const StoredPart& part : parts) parts_[part.name] = part.bytes;
  }

  std::optional<std::vector<std::byte>> find(const std::string& name) const override {
    const auto found = parts_.find(name);
    if (found == parts_.end()) return std::nullopt;
    return found->second;
  }
  void save(const std::string& name, std::vector<std::byte> bytes) override {
    if (keeps_) link_.note(pack(StoredPart{name, std::move(bytes)}));
  }
  void erase(const std::string&) override {}
  bool due() const override {
    const std::lock_guard lock(mutex_);
    if (!keeps_ || wall_seconds() - last_ < checkpoint_interval()) return false;
    last_ = wall_seconds();
    return true;
  }
  double seconds_before() const override { return 0; }

 private:
  RankLink& link_;
  bool keeps_;
  std::map<std::string, std::vector<std::byte>> parts_;
  mutable std::mutex mutex_;
  mutable double last_ = wall_seconds();
};

class PopulationsWork final : public RankWork {
 public:
  PopulationsWork(const RankWorkSetup& setup, const FactoryRecipe& recipe, PopulationTask task,
                  std::uint64_t threads)
      : factory_(setup.factory(recipe)),
        task_(std::move(task)),
        link_(setup.link),
        threads_(threads) {}

  Message run(const Message& command) override {
    std::vector<std::uint64_t> numbers;
    bool keeps = false;
    std::vector<StoredPart> parts;
    unpack(command, numbers, keeps, parts);
    StoreOfRank0 store(link_, keeps, parts);
    const PopulationCooler cooler(factory_, task_, &store);
    std::vector<RemotePopulation> done(numbers.size());
    ThreadTeam team(threads_for(threads_, numbers.size()));
    const auto stop = [&] { return link_.stop_asked(); };
    team.run(numbers.size(), [&](std::size_t k) {
      done[k].number = numbers[k];
      const auto result = cooler.cool(numbers[k], stop, [&](double steps) {
        done[k].steps += steps;
        return !stop();
      });
      done[k].finished = result.has_value();
      if (result) done[k].cooled = *result;
    });
    return pack(done);
  }

 private:
  ChainFactory factory_;
  PopulationTask task_;
  RankLink& link_;
  std::uint64_t threads_;
};

}  // namespace

RemotePopulations::RemotePopulations(RankTeam& ranks, const ChainFactory& factory,
                                     const PopulationTask& task, std::size_t populations,
                                     std::uint64_t threads, StateStore* store)
    : job_(ranks, RankJobKind::populations, factory.model(),
           pack(FactoryRecipe(factory), task, threads)),
      store_(store) {
  for (std::size_t rank = 1; rank < job_.ranks(); ++rank) {
    std::vector<std::uint64_t> numbers;
    std::vector<StoredPart> parts;
    for (std::size_t p = rank; p < populations; p += job_.ranks()) {
      numbers.push_back(p);
      for (const std::string& name : {name_of_population(task, p), name_of_path(task, p)})
        if (auto bytes = store ? store->find(name) : std::nullopt)
          parts.push_back({name, std::move(*bytes)});
    }
    job_.tell(rank, pack(numbers, store != nullptr, parts));
  }
}

bool RemotePopulations::collect(const Take& take, double& steps) {
  return job_.collect([&](std::size_t, const Message& message, bool is_reply) {
    if (!is_reply) {
      StoredPart part;
      unpack(message, part);
      store_->save(part.name, std::move(part.bytes));
      return;
    }
    std::vector<RemotePopulation> done;
    unpack(message, done);
    for (const RemotePopulation& one : done) {
      steps += one.steps;
      if (one.finished) take(one.number, one.cooled);
    }
  });
}

std::unique_ptr<RankWork> serve_populations(const RankWorkSetup& setup) {
  FactoryRecipe recipe;
  PopulationTask task;
  std::uint64_t threads = 0;
  unpack(setup.arguments, recipe, task, threads);
  return std::make_unique<PopulationsWork>(setup, recipe, std::move(task), threads);
}

}  // namespace nhot
