#include "nhot/chain/band/factory.hpp"

#include <algorithm>
#include <utility>

#include "nhot/base/error.hpp"
#include "nhot/chain/band/weighted_band_chain.hpp"
#include "nhot/chain/setup.hpp"

namespace nhot {
namespace {

void check_band(const Model& model, const Bits& reference, ShellBand band) {
  const Site sites = model.sites();
  const std::string whole = "give {distance 0.." + std::to_string(sites) + "} for all of them";
  if (reference.size() != sites)
    throw InputError("the reference has " + std::to_string(reference.size()) +
                         " bits but the model has " + std::to_string(sites) + " sites",
                     "give one bit per site");
  if (band.last > sites)
    throw InputError("the band " + band_text(band) + " goes beyond the " + std::to_string(sites) +
                         " sites of " + model.name(),
                     whole);
  if (band.first > band.last)
    throw InputError("the band " + band_text(band) + " runs backwards",
                     "give {distance " + band_text({band.last, band.first}) + "}");
  if (band.first == band.last)
    throw InputError("the band " + band_text(band) + " is a single shell",
                     "give {distance " + std::to_string(band.first) + "}, or two shells at least");
  if (sites < 2)
    throw InputError("a band needs two sites at least, and " + model.name() + " has one");
}

}  // namespace

std::string band_text(ShellBand band) {
  return std::to_string(band.first) + ".." + std::to_string(band.last);
}

BandFactory::BandFactory(Model model, Bits reference, ShellBand band, double beta)
    : model_(std::move(model)), reference_(std::move(reference)), band_(band), beta_(beta) {
  check_band(model_, reference_, band_);
  // A shell on which a walk of one step fits: kernel and engine do not depend on which.
  const Site middle = std::clamp<Site>(band_.first, 1, model_.sites() - 1);
  setup_ = std::make_shared<const ChainSetup>(
      model_, std::make_shared<const Shell>(reference_, middle), "im:length=1", beta_);
}

const std::string& BandFactory::engine() const { return setup_->engine(); }
const std::vector<std::string>& BandFactory::notes() const { return setup_->notes(); }

std::unique_ptr<BandChain> BandFactory::make(const Xoshiro256& stream, const Bits& start) const {
  return make_band_chain(*setup_, reference_, band_, beta_, RandomDraws(stream), start);
}

}  // namespace nhot
