// Ranks of mpi4py, or of any object with the same few methods.
#pragma once

#include <memory>

#include "common.hpp"
#include "nhot/run/ranks/serve_ranks.hpp"

namespace nhot::python {

/// The other ranks of `comm` while it lives; None: there are none. They wait in serve() until this
/// ends. Made and ended with the interpreter's lock, used without.
class PythonRanks {
 public:
  explicit PythonRanks(const nb::object& comm);
  ~PythonRanks();
  PythonRanks(const PythonRanks&) = delete;
  PythonRanks& operator=(const PythonRanks&) = delete;

  RankTeam* team() { return team_.get(); }

 private:
  std::unique_ptr<Communicator> communicator_;
  std::unique_ptr<RankTeam> team_;
};

}  // namespace nhot::python
