// Ranks connected by MPI. A module of its own, nhot-mpi.so beside the program, which loads it only
// where it was started as one of several ranks: so the program runs where no MPI is installed, and
// a run on one machine does not wait for MPI to begin and end.
#include "nhot/base/communicator.hpp"

#include <mpi.h>
#include <sched.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <mutex>
#include <thread>

namespace nhot {
namespace {

constexpr int tag = 0;
// MPI counts in ints. A piece that is as long as it can be is followed by another one.
constexpr std::size_t longest_piece = std::size_t{1} << 30;

/// Waits politely: looks often at first, then leaves the processor to others.
class Patience {
 public:
  void wait() {
    if (++looks_ < 200) {
      sched_yield();
      return;
    }
    const int step = std::min(looks_ / 200, 20);
    std::this_thread::sleep_for(std::chrono::microseconds(50) * step);
  }

 private:
  int looks_ = 0;
};

/// One thread calls MPI at a time (MPI_THREAD_SERIALIZED). Errors of MPI end the job: that is its
/// default, and a rank that is lost cannot be done without.
class MpiCommunicator final : public Communicator {
 public:
  MpiCommunicator() {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
  }
  ~MpiCommunicator() override { MPI_Finalize(); }
  MpiCommunicator(const MpiCommunicator&) = delete;
  MpiCommunicator& operator=(const MpiCommunicator&) = delete;

  std::size_t rank() const override { return static_cast<std::size_t>(rank_); }
  std::size_t size() const override { return static_cast<std::size_t>(size_); }

  void send(std::size_t to, const Message& message) override {
    const std::lock_guard order(sending_);
    for (std::size_t at = 0;;) {
      const std::size_t length = std::min(longest_piece, message.size() - at);
      send_piece(static_cast<int>(to), message.data() + at, static_cast<int>(length));
      at += length;
      if (length < longest_piece) return;
    }
  }

  Message receive(std::size_t from) override {
    Message message;
    Patience patience;
    for (;;) {
      int length = 0;
      if (!piece_waits(static_cast<int>(from), &length, &message)) {
        patience.wait();
        continue;
      }
      if (static_cast<std::size_t>(length) < longest_piece) return message;
    }
  }

  bool waiting(std::size_t from) override {
    const std::lock_guard lock(calling_);
    int flag = 0;
    MPI_Iprobe(static_cast<int>(from), tag, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    return flag != 0;
  }

  void all_gather(std::span<const double> mine, std::span<double> all) override {
    const std::lock_guard lock(calling_);
    const int count = static_cast<int>(mine.size());
    MPI_Allgather(mine.data(), count, MPI_DOUBLE, all.data(), count, MPI_DOUBLE, MPI_COMM_WORLD);
  }

 private:
  /// Other threads may call MPI while the piece is on its way.
  void send_piece(int to, const std::byte* data, int length) {
    MPI_Request request{};
    Patience patience;
    {
      const std::lock_guard lock(calling_);
      MPI_Isend(data, length, MPI_BYTE, to, tag, MPI_COMM_WORLD, &request);
    }
    for (;;) {
      {
        const std::lock_guard lock(calling_);
        int done = 0;
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        if (done) return;
      }
      patience.wait();
    }
  }

  /// Appends the next piece to the message, if there is one.
  bool piece_waits(int from, int* length, Message* message) {
    const std::lock_guard lock(calling_);
    int flag = 0;
    MPI_Status status{};
    MPI_Iprobe(from, tag, MPI_COMM_WORLD, &flag, &status);
    if (!flag) return false;
    MPI_Get_count(&status, MPI_BYTE, length);
    const std::size_t before = message->size();
    message->resize(before + static_cast<std::size_t>(*length));
    MPI_Recv(message->data() + before, *length, MPI_BYTE, from, tag, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    return true;
  }

  int rank_ = 0;
  int size_ = 1;
  std::mutex calling_;
  std::mutex sending_;  // pieces of a message stay together
};

}  // namespace
}  // namespace nhot

/// The ranks of this job; null where MPI does not let threads call it.
extern "C" nhot::Communicator* nhot_join_mpi() {
  int provided = 0;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &provided);
  if (provided < MPI_THREAD_SERIALIZED) return nullptr;
  return new nhot::MpiCommunicator();
}
