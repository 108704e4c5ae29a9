// Functions of the user as observables of a run.
#pragma once

#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "common.hpp"
#include "nhot/trace/observables.hpp"

namespace nhot::python {

/// (name, help, function of a state).
using ObservableIn = std::tuple<std::string, std::string, nb::object>;

class PythonObservable : public Observable {
 public:
  PythonObservable(std::string name, std::string help, nb::object measure)
      : name_(std::move(name)), help_(std::move(help)), measure_(std::move(measure)) {}
  PythonObservable(const PythonObservable&) = delete;
  PythonObservable& operator=(const PythonObservable&) = delete;
  ~PythonObservable() override {
    const nb::gil_scoped_acquire lock;
    measure_.reset();
  }
  std::string name() const override { return name_; }
  std::string help() const override { return help_; }
  double measure(const PackedBits& state) const override {
    const CallLock lock;
    return number_from(measure_(whole_numbers(state.unpacked())), "the observable " + name_);
  }

 private:
  std::string name_;
  std::string help_;
  nb::object measure_;
};

inline Observables observables_from(const std::vector<ObservableIn>& given) {
  Observables result;
  for (const auto& [name, help, measure] : given)
    result.push_back(std::make_shared<const PythonObservable>(name, help, measure));
  return result;
}

}  // namespace nhot::python
