#include <cstdint>
#include <cstdlib>
#include <vector>

#include <unistd.h>

// A neighbour that leaves others little of the caches that it shares with them: changes words of an
// array at random for as long as its parent lives. `bench/run --thrash` runs it on another core.
int main(int argc, char** argv) {
  const std::size_t megabytes = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 64;
  std::vector<std::uint64_t> words((megabytes << 17) + 1);
  const pid_t parent = getppid();
  std::uint64_t state = 1;
  while (getppid() == parent) {
    for (int k = 0; k < 1 << 20; ++k) {
      state = state * 6364136223846793005U + 1442695040888963407U;
      words[(state >> 33) % words.size()] ^= state;
    }
  }
  return words[0] == 1 ? 1 : 0;
}
