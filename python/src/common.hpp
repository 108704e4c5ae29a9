// What the parts of the module share: arrays, facts as dictionaries, and words for messages.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "nhot/base/error.hpp"
#include "nhot/base/facts.hpp"
#include "nhot/base/types.hpp"
#include "nhot/shell/shell.hpp"

namespace nhot::python {

namespace nb = nanobind;

template <class T, int dimensions>
using ArrayIn = nb::ndarray<const T, nb::ndim<dimensions>, nb::c_contig, nb::device::cpu>;
using BitsIn = ArrayIn<std::uint8_t, 1>;

/// A new NumPy array of that shape, filled by fill(T*).
template <class T, class Fill>
nb::object make_array(std::initializer_list<std::size_t> shape, Fill&& fill) {
  std::size_t size = 1;
  for (const std::size_t side : shape) size *= side;
  auto data = std::make_unique<T[]>(size);
  fill(data.get());
  T* const raw = data.release();
  nb::capsule owner(raw, [](void* p) noexcept { delete[] static_cast<T*>(p); });
  return nb::cast(nb::ndarray<nb::numpy, T>(raw, shape.size(), shape.begin(), owner));
}

inline nb::object array_of(const std::vector<double>& values) {
  return make_array<double>({values.size()},
                            [&](double* out) { std::copy(values.begin(), values.end(), out); });
}

/// A state for a function of the user: a copy, which it may keep, of int64, whose arithmetic does
/// not wrap around.
inline nb::object whole_numbers(std::span<const Bit> bits) {
  return make_array<std::int64_t>(
      {bits.size()}, [&](std::int64_t* out) { std::copy(bits.begin(), bits.end(), out); });
}

/// The number that a function of the user has returned. InputError when it is something else.
inline double number_from(nb::handle answer, const std::string& function) {
  if (PyFloat_Check(answer.ptr())) return PyFloat_AsDouble(answer.ptr());
  if (!PyUnicode_Check(answer.ptr()) && !PyBytes_Check(answer.ptr())) {  // float("3") is a number
    const nb::object number = nb::steal(PyNumber_Float(answer.ptr()));
    if (number.is_valid()) return PyFloat_AsDouble(number.ptr());
    PyErr_Clear();
  }
  throw InputError(function + " returned an object of type " + nb::inst_name(answer).c_str(),
                   "return a number");
}

/// A second Ctrl-C has come: functions of the user are not called any more, so that a run ends at
/// once however slow they are.
inline std::atomic<bool> abandoned = false;

/// What Python keeps for a thread of the library, from the first call of a function of the user
/// until the thread ends. Made for every call, it would cost more than most functions do.
class ThreadState {
 public:
  ThreadState() {
    if (PyGILState_GetThisThreadState()) return;  // a thread of Python
    lock_ = PyGILState_Ensure();
    kept_ = PyEval_SaveThread();
  }
  ThreadState(const ThreadState&) = delete;
  ThreadState& operator=(const ThreadState&) = delete;
  ~ThreadState() {
    if (!kept_) return;
    PyEval_RestoreThread(kept_);
    PyGILState_Release(lock_);
  }

 private:
  PyGILState_STATE lock_{};
  PyThreadState* kept_ = nullptr;
};

/// The interpreter's lock, to call a function of the user. KeyboardInterrupt when abandoned.
class CallLock {
 public:
  CallLock() {
    if (!abandoned.load(std::memory_order_relaxed)) return;
    PyErr_SetNone(PyExc_KeyboardInterrupt);
    throw nb::python_error();
  }

 private:
  struct KeepThreadState {
    KeepThreadState() { static thread_local const ThreadState kept; }
  };
  KeepThreadState first_;
  nb::gil_scoped_acquire lock_;
};

/// Facts as a dictionary; numbers that are not known (NaN) are None, as null in JSON.
nb::dict to_python(const Facts& facts);

/// "give {chains 4}" -> "give chains=4".
std::string with_keywords(std::string_view text);

inline Bits bits_from(const BitsIn& array) {
  return Bits(array.data(), array.data() + array.size());
}

void add_models(nb::module_& module);
void add_energies(nb::module_& module);
void add_statistics(nb::module_& module);
void add_runs(nb::module_& module);
void add_ranks(nb::module_& module);
void add_other_drivers(nb::module_& module);
void add_tuning(nb::module_& module);

}  // namespace nhot::python
