// Several processes (ranks) that work on one run: what the library asks of MPI, or of whatever else
// connects them.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace nhot {

using Message = std::vector<std::byte>;

/// Messages between two ranks arrive in the order in which they were sent. send(), receive() and
/// waiting() may be called from any thread of a rank; a receive() while other threads of the rank
/// receive only for a message that waiting() has seen. A rank that is lost ends the program.
class Communicator {
 public:
  virtual ~Communicator() = default;

  virtual std::size_t rank() const = 0;
  virtual std::size_t size() const = 0;

  virtual void send(std::size_t to, const Message& message) = 0;
  /// The next message of a rank; waits for it without using the processor for long.
  virtual Message receive(std::size_t from) = 0;
  /// Whether receive() would return at once.
  virtual bool waiting(std::size_t from) = 0;

  /// Called by all ranks, with as many numbers each: those of rank 0 first, then of rank 1, ...
  virtual void all_gather(std::span<const double> mine, std::span<double> all) = 0;
};

}  // namespace nhot
