// Where a driver keeps its state at safe points, and finds it when it is started again.
//
// A driver that can be resumed begins as always. Wherever it has finished a unit of work (a read, a
// population, a round), it saves what came of it under a name. Before a unit it asks the store for
// that name, and takes what it finds instead of doing the work again. As units are functions of
// the seed, a run that was killed at any moment and started again ends as one that was not. What is
// expensive to repeat is saved inside a unit, too, when due() says so.
//
//     if (!restore_values(store, "pilot", betas, guess)) {
//       ...
//       save_values(store, "pilot", betas, guess);
//     }
#pragma once

#include <cstddef>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "nhot/base/archive.hpp"

namespace nhot {

/// Every call may come from any thread. What is saved under one name goes to the file as a whole;
/// names that belong together are made so that any subset of the latest saves makes sense.
class StateStore {
 public:
  virtual ~StateStore() = default;

  /// What was saved last; nothing when that has not happened or was erased.
  virtual std::optional<std::vector<std::byte>> find(const std::string& name) const = 0;
  virtual void save(const std::string& name, std::vector<std::byte> bytes) = 0;
  virtual void erase(const std::string& name) = 0;
  /// Whether what is saved now would go to the file at once: time for the state inside a unit.
  virtual bool due() const = 0;
  /// Wall-clock seconds that earlier starts of this run took.
  virtual double seconds_before() const = 0;
};

/// The names of a store that begin with a prefix: the store of a driver inside a driver.
class StorePart final : public StateStore {
 public:
  StorePart(StateStore& whole, std::string prefix) : whole_(whole), prefix_(std::move(prefix)) {}

  std::optional<std::vector<std::byte>> find(const std::string& name) const override {
    return whole_.find(prefix_ + name);
  }
  void save(const std::string& name, std::vector<std::byte> bytes) override {
    whole_.save(prefix_ + name, std::move(bytes));
  }
  void erase(const std::string& name) override { whole_.erase(prefix_ + name); }
  bool due() const override { return whole_.due(); }
  double seconds_before() const override { return whole_.seconds_before(); }

 private:
  StateStore& whole_;
  std::string prefix_;
};

/// In memory, without a file: what a run that is over has done.
class MemoryStore final : public StateStore {
 public:
  MemoryStore() = default;
  MemoryStore(std::map<std::string, std::vector<std::byte>> parts, double seconds)
      : parts_(std::move(parts)), seconds_(seconds) {}

  std::optional<std::vector<std::byte>> find(const std::string& name) const override {
    const std::lock_guard lock(mutex_);
    const auto found = parts_.find(name);
    if (found == parts_.end()) return std::nullopt;
    return found->second;
  }
  void save(const std::string& name, std::vector<std::byte> bytes) override {
    const std::lock_guard lock(mutex_);
    parts_[name] = std::move(bytes);
  }
  void erase(const std::string& name) override {
    const std::lock_guard lock(mutex_);
    parts_.erase(name);
  }
  bool due() const override { return false; }
  double seconds_before() const override { return seconds_; }

 private:
  mutable std::mutex mutex_;
  std::map<std::string, std::vector<std::byte>> parts_;
  double seconds_ = 0;
};

/// A null store keeps nothing.
template <class... Values>
void save_values(StateStore* store, const std::string& name, const Values&... values) {
  if (!store) return;
  Saving saving;
  saving(values...);
  store->save(name, saving.take());
}

/// False when nothing was saved under the name; the values are then as they were.
template <class... Values>
bool restore_values(const StateStore* store, const std::string& name, Values&... values) {
  const auto bytes = store ? store->find(name) : std::nullopt;
  if (!bytes) return false;
  Restoring restoring(*bytes);
  restoring(values...);
  if (!restoring.at_end()) ByteReader::damaged();
  return true;
}

inline double seconds_before(const StateStore* store) {
  return store ? store->seconds_before() : 0;
}

}  // namespace nhot
