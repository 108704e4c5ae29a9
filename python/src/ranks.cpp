#include "ranks.hpp"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <chrono>
#include <cstring>
#include <string>
#include <thread>
#include <utility>

#include "nhot/base/error.hpp"
#include "observables.hpp"
#include "options.hpp"
#include "watch.hpp"

namespace nhot::python {
namespace {

constexpr int tag = 7481;  // of our messages, beside those of the user

/// The methods of mpi4py.MPI.Comm that are asked for: Get_rank, Get_size, send, recv, iprobe,
/// allgather. Calls take the interpreter's lock, waiting is done without.
class PythonCommunicator final : public Communicator {
 public:
  explicit PythonCommunicator(nb::object comm)
      : comm_(std::move(comm)),
        rank_(nb::cast<std::size_t>(comm_.attr("Get_rank")())),
        size_(nb::cast<std::size_t>(comm_.attr("Get_size")())) {}
  ~PythonCommunicator() override {
    const nb::gil_scoped_acquire lock;
    comm_.reset();
  }
  PythonCommunicator(const PythonCommunicator&) = delete;
  PythonCommunicator& operator=(const PythonCommunicator&) = delete;

  std::size_t rank() const override { return rank_; }
  std::size_t size() const override { return size_; }

  void send(std::size_t to, const Message& message) override {
    call([&] {
      comm_.attr("send")(nb::bytes(message.data(), message.size()), nb::arg("dest") = to,
                         nb::arg("tag") = tag);
    });
  }
  Message receive(std::size_t from) override {
    for (int looks = 0; !waiting(from); ++looks)
      std::this_thread::sleep_for(std::chrono::microseconds(looks < 200 ? 20 : 1000));
    Message message;
    call([&] {
      const auto bytes =
          nb::cast<nb::bytes>(comm_.attr("recv")(nb::arg("source") = from, nb::arg("tag") = tag));
      message.resize(bytes.size());
      if (bytes.size() > 0) std::memcpy(message.data(), bytes.data(), bytes.size());
    });
    return message;
  }
  bool waiting(std::size_t from) override {
    bool found = false;
    call([&] {
      found = nb::cast<bool>(comm_.attr("iprobe")(nb::arg("source") = from, nb::arg("tag") = tag));
    });
    return found;
  }
  void all_gather(std::span<const double> mine, std::span<double> all) override {
    call([&] {
      double* next = all.data();
      for (const nb::handle part :
           comm_.attr("allgather")(nb::bytes(mine.data(), mine.size_bytes()))) {
        const auto bytes = nb::cast<nb::bytes>(part);
        if (bytes.size() != mine.size_bytes())
          throw InternalError("ranks gathered unlike numbers of energies");
        std::memcpy(next, bytes.data(), bytes.size());
        next += mine.size();
      }
    });
  }

 private:
  template <class Body>
  static void call(Body&& body) {
    const nb::gil_scoped_acquire lock;
    try {
      body();
    } catch (const nb::python_error& error) {
      throw EnvironmentError(std::string("comm has failed: ") + error.what());
    }
  }

  nb::object comm_;
  std::size_t rank_;
  std::size_t size_;
};

/// On a rank other than 0: works until rank 0 is done.
void serve(const nb::object& comm, const std::string& function, const Model& model,
           const Given& given, const nb::tuple& frame,
           const std::vector<ObservableIn>& observables) {
  const OptionValues values = values_of(function, given);
  const RankProblem problem{model, shell_of(model, values, frame), observables_from(observables)};
  PythonCommunicator communicator(comm);
  Watch watch{nb::none()};
  watch.run([&] { return serve_ranks(communicator, [&](const Message&) { return problem; }); });
}

}  // namespace

PythonRanks::PythonRanks(const nb::object& comm) {
  if (comm.is_none()) return;
  auto communicator = std::make_unique<PythonCommunicator>(comm);
  if (communicator->size() < 2) return;
  communicator_ = std::move(communicator);
  team_ = std::make_unique<RankTeam>(*communicator_, Message{});
}

PythonRanks::~PythonRanks() {
  if (!communicator_) return;
  try {
    dismiss_ranks(*communicator_, 0);
  } catch (const Error&) {  // the run has failed for the same reason, and said so
  }
}

void add_ranks(nb::module_& module) {
  module.def("serve", serve, nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg().none(),
             nb::arg());
}

}  // namespace nhot::python
