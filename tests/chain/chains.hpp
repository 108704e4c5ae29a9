// The chains that tests of this room run through: every kernel with every engine of it and moves of
// every registered kind.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/kernels.hpp"
#include "nhot/base/inline.hpp"  // NHOT_SANITIZED
#include "nhot/chain/setup.hpp"
#include "nhot/random/stream.hpp"
#include "support/custom_energies.hpp"

namespace nhot::test {

/// Everything that a chain keeps, to the bit.
inline std::vector<std::byte> archive_of(const AnyChain& chain) {
  ByteWriter out;
  chain.save(out);
  return out.take();
}

struct ChainCase {
  std::string name;
  Model model;
  std::shared_ptr<const Shell> shell;
  std::shared_ptr<const ChainSetup> setup;

  Bits start(std::uint64_t seed) const {
    RandomDraws draws(make_stream(seed, 0, 0, Purpose::start));
    return shell->draw_uniform(draws);
  }
  std::unique_ptr<AnyChain> make(std::uint64_t seed) const {
    return setup->make(RandomDraws(make_stream(seed, 0, 0, Purpose::moves)), start(seed));
  }
};

/// Of the settings of a move that the exact suite goes through, every how many-th is tried here.
/// Sanitizers look at memory, which most settings of one move use alike.
#ifdef NHOT_SANITIZED
inline constexpr std::size_t setting_stride = 25;
#else
inline constexpr std::size_t setting_stride = 5;
#endif

/// Kinds that are not for a model are left out for it; every kind must be for some model.
inline std::vector<ChainCase> make_all_chain_cases() {
  std::vector<ChainCase> cases;
  const std::pair<std::string_view, Model> models[] = {
      {"integer", integer_model()}, {"integer", few_levels_model()},
      {"real", gaussian_model()},   {"dense", complete_model()},
      {"rbm", rbm_model()},         {"custom", ring_of_triples()}};
  for (const auto& named : models) {
    const std::string_view kernel = named.first;
    const Model& model = named.second;
    const Bits reference = random_bits(model.sites(), 5);
    const auto shell = std::make_shared<const Shell>(reference, model.sites() / 3);
    const auto add = [&](const std::string& move) {
      try {
        const auto setup = std::make_shared<const ChainSetup>(model, shell, move, 0.4, kernel);
        cases.push_back({std::string(kernel) + " " + setup->move(), model, shell, setup});
      } catch (const InputError&) {
      }
    };
    for (const MoveKind& kind : move_kinds()) {
      const bool has_engine =
          std::any_of(kind.options.begin(), kind.options.end(), [](const OptionSpec& option) {
            return option.name == "engine" && option.choices.size() > 2;
          });  // swap has one of another kind
      std::vector<std::string> engines = {""};
      if (has_engine) engines = engines_for(kernel);
      for (std::string& engine : engines)
        if (!engine.empty()) engine.insert(0, "engine=");
      for (const std::string& engine : engines)
        for (std::size_t k = 0; k < kind.exact_cases.size(); k += setting_stride) {
          std::string text = kind.name;
          const char* separator = ":";
          for (const std::string& part : {kind.exact_cases[k], engine}) {
            if (part.empty()) continue;
            text += separator;
            text += part;
            separator = ",";
          }
          add(text);
        }
    }
    for (const std::string& engine : engines_for(kernel))
      add("0.5*im:length=1..6,gamma=0.8beta,engine=" + engine + " + 0.3*swap + 0.2*kawasaki");
  }
  return cases;
}

inline const std::vector<ChainCase>& all_chain_cases() {
  static const std::vector<ChainCase> cases = make_all_chain_cases();
  return cases;
}

}  // namespace nhot::test
