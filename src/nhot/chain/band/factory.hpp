// From a model, a reference and a band of distances to chains over the band.
//
//     const BandFactory chains(model, Bits(64, 0), {0, 64}, 0.44);
//     const auto chain = chains.make(stream, start);
//     chain->set_weights(weights);
//     chain->advance(100'000);
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "nhot/chain/band/band_chain.hpp"
#include "nhot/model/model.hpp"
#include "nhot/random/xoshiro.hpp"
#include "nhot/shell/shell.hpp"

namespace nhot {

class BandFactory {
 public:
  /// InputError when the band is empty, is one shell, or leaves the model, or when beta and the
  /// model's energies overflow together.
  BandFactory(Model model, Bits reference, ShellBand band, double beta);

  const Model& model() const { return model_; }
  const Bits& reference() const { return reference_; }
  ShellBand band() const { return band_; }
  double beta() const { return beta_; }
  /// Name of the engine that selects sites.
  const std::string& engine() const;
  /// What the user should know.
  const std::vector<std::string>& notes() const;
  Shell shell(Site distance) const { return {reference_, distance}; }

  /// Draws come from `stream`; the start is in the model's bits and in the band.
  std::unique_ptr<BandChain> make(const Xoshiro256& stream, const Bits& start) const;

 private:
  Model model_;
  Bits reference_;
  ShellBand band_;
  double beta_;
  std::shared_ptr<const class ChainSetup> setup_;
};

/// "10..40".
std::string band_text(ShellBand band);

}  // namespace nhot
