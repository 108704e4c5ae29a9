// HDF5 closes all files when the program ends, and can crash there on a file whose writing failed.
// Files here are closed by their owners, so that is switched off: before anything else is asked of
// HDF5, by whatever comes first, files of weights or files of runs.
#pragma once

#include <H5public.h>

namespace nhot {

inline void leave_hdf5_alone_at_exit() {
  static const bool once = (H5dont_atexit(), true);
  static_cast<void>(once);
}

}  // namespace nhot
