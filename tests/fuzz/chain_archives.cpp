// The saved states of chains, damaged here and there: what is restored goes on as a chain does.
#include <fuzzer/FuzzedDataProvider.h>

#include <algorithm>
#include <cmath>

#include "chain/chains.hpp"
#include "fuzz/damage.hpp"
#include "fuzz/parser.hpp"

namespace nhot::fuzz {
namespace {

struct Subject {
  const test::ChainCase* what;
  std::vector<std::byte> archive;
};

std::vector<Subject> make_subjects() {
  std::vector<Subject> subjects;
  for (const test::ChainCase& what : test::all_chain_cases()) {
    const auto chain = what.make(1);
    chain->advance(3);
    subjects.push_back({&what, test::archive_of(*chain)});
  }
  return subjects;
}

const Parser chain("chain", [](std::string_view bytes) {
  static const std::vector<Subject> subjects = make_subjects();
  FuzzedDataProvider plan(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
  const Subject& subject =
      subjects[plan.ConsumeIntegralInRange<std::size_t>(0, subjects.size() - 1)];
  const std::vector<std::byte> archive = damaged(subject.archive, plan);
  const auto chain = subject.what->make(2);
  ByteReader reader(archive);
  chain->restore(reader);
  chain->advance(3);
  require(subject.what->shell->contains(chain->bits()), "a chain that left its shell");
  const double energy = subject.what->model.energy(chain->bits());
  require(std::abs(chain->energy() - energy) <= 1e-6 * std::max(1.0, std::abs(energy)),
          "an energy of another state");
});

}  // namespace
}  // namespace nhot::fuzz
