// What the page's worker calls: plain functions on numbers and pointers into the module's memory.
// A function that fails returns null or 0; sampler_error() then says why.
#include <emscripten/emscripten.h>

#include <cstdint>
#include <exception>
#include <optional>
#include <string>
#include <vector>

#include "live_chain.hpp"
#include "nhot/base/error.hpp"
#include "nhot/model/generators.hpp"

namespace {

using nhot::web::LiveChain;

std::string last_error;

/// Runs `work`; what it throws becomes the error text and `otherwise` the result.
template <class Work, class Result>
Result guarded(Result otherwise, Work&& work) {
  try {
    return work();
  } catch (const nhot::Error& error) {
    last_error = error.what();
    if (!error.hint().empty()) last_error += "; " + error.hint();
  } catch (const std::exception& error) {
    last_error = error.what();
  }
  return otherwise;
}

}  // namespace

extern "C" {

EMSCRIPTEN_KEEPALIVE const char* sampler_error() { return last_error.c_str(); }

/// A cubic lattice of so many dimensions, periodic: a ferromagnet, or a spin glass of couplings
/// +-1.
EMSCRIPTEN_KEEPALIVE nhot::Model* model_ferromagnet(std::uint32_t side, std::uint32_t dimensions) {
  return guarded(static_cast<nhot::Model*>(nullptr), [&] {
    return new nhot::Model(nhot::ferromagnet({std::vector<nhot::Site>(dimensions, side)}));
  });
}
EMSCRIPTEN_KEEPALIVE nhot::Model* model_spin_glass(std::uint32_t side, std::uint32_t dimensions,
                                                   double seed) {
  return guarded(static_cast<nhot::Model*>(nullptr), [&] {
    return new nhot::Model(nhot::spin_glass({std::vector<nhot::Site>(dimensions, side)},
                                            nhot::CouplingLaw::plus_minus,
                                            static_cast<std::uint64_t>(seed)));
  });
}

/// E(x) = sum_i linear_i x_i + sum_k values_k x_i x_j over the pairs (i, j) of `pairs`.
EMSCRIPTEN_KEEPALIVE nhot::Model* model_from_terms(std::uint32_t sites, const double* linear,
                                                   std::uint32_t count, const std::uint32_t* pairs,
                                                   const double* values) {
  return guarded(static_cast<nhot::Model*>(nullptr), [&] {
    nhot::QuadraticTerms terms;
    terms.sites = sites;
    terms.convention = nhot::Convention::binary;
    terms.linear.assign(linear, linear + sites);
    for (std::uint32_t k = 0; k < count; ++k)
      terms.couplings.push_back({pairs[2 * k], pairs[2 * k + 1], values[k]});
    return new nhot::Model("graph", nhot::QuadraticModel(std::move(terms)));
  });
}

EMSCRIPTEN_KEEPALIVE std::uint32_t model_sites(const nhot::Model* model) { return model->sites(); }
EMSCRIPTEN_KEEPALIVE void model_free(const nhot::Model* model) { delete model; }

/// `start` is null, or one byte per site.
EMSCRIPTEN_KEEPALIVE LiveChain* chain_make(const nhot::Model* model, std::uint32_t distance,
                                           double beta, const char* move, double seed,
                                           const std::uint8_t* start) {
  return guarded(static_cast<LiveChain*>(nullptr), [&] {
    std::optional<nhot::Bits> given;
    if (start) given.emplace(start, start + model->sites());
    return new LiveChain(*model, distance, beta, move, static_cast<std::uint64_t>(seed),
                         given ? &*given : nullptr);
  });
}

EMSCRIPTEN_KEEPALIVE void chain_free(const LiveChain* chain) { delete chain; }
EMSCRIPTEN_KEEPALIVE void chain_advance(LiveChain* chain, double moves) {
  chain->advance(static_cast<std::uint64_t>(moves));
}
EMSCRIPTEN_KEEPALIVE int chain_set_beta(LiveChain* chain, double beta) {
  return guarded(0, [&] {
    chain->set_beta(beta);
    return 1;
  });
}
EMSCRIPTEN_KEEPALIVE void chain_clear(LiveChain* chain) { chain->clear(); }

/// One byte per site; good until the next call.
EMSCRIPTEN_KEEPALIVE const std::uint8_t* chain_bits(LiveChain* chain) {
  return chain->bits().data();
}
/// The numbers of LiveSummary, in its order.
EMSCRIPTEN_KEEPALIVE const double* chain_summary(LiveChain* chain) {
  static_assert(sizeof(nhot::web::LiveSummary) % sizeof(double) == 0);
  return reinterpret_cast<const double*>(&chain->summary());
}
/// The draws kept, as many as the summary says.
EMSCRIPTEN_KEEPALIVE const double* chain_energies(const LiveChain* chain) {
  return chain->energies().data();
}
/// As of the last summary: as many lags as it used draws, or none.
EMSCRIPTEN_KEEPALIVE const double* chain_autocorrelation(const LiveChain* chain) {
  return chain->autocorrelation().data();
}
EMSCRIPTEN_KEEPALIVE std::uint32_t chain_lags(const LiveChain* chain) {
  return static_cast<std::uint32_t>(chain->autocorrelation().size());
}
EMSCRIPTEN_KEEPALIVE const char* chain_move(const LiveChain* chain) {
  return chain->move().c_str();
}
}
