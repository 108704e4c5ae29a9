// An open file of the operating system.
#pragma once

#include <unistd.h>

namespace nhot {

/// Closes the descriptor at the end of the scope. A negative one, of a file that could not be
/// opened, is left alone.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int number() const { return number_; }

 private:
  int number_;
};

}  // namespace nhot
