// What a run file holds besides its draws.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "nhot/base/types.hpp"
#include "nhot/model/model.hpp"
#include "nhot/model/site_names.hpp"
#include "nhot/trace/trace.hpp"

namespace nhot {

/// Version of the layout; a reader refuses files of a later one. In files of version 1 truth values
/// and lists of numbers among the attributes are texts.
inline constexpr int run_format = 2;
/// Rows of an RBM's W that a run file keeps, for pictures.
inline constexpr std::size_t max_stored_filters = 64;
/// Graphs of up to so many sites are kept with so many of their strongest couplings, to be drawn.
inline constexpr std::size_t max_drawn_sites = 2'000;
inline constexpr std::size_t max_drawn_couplings = 6'000;

/// Facts about the run that do not change while it goes on.
struct RunFacts {
  Metadata metadata;  // in order
  std::uint64_t chains = 0;
  Site sites = 0;
  LatticeShape lattice;  // no sides: not a lattice
  Site rbm_visible = 0;  // 0: not an RBM
  Site rbm_hidden = 0;
  std::vector<std::vector<float>> filters;  // the first rows of W, visible units each
  Bits reference;                           // empty: all zero
  SiteNames names;
  std::vector<std::array<Site, 2>> graph;  // couplings to draw; empty: nothing to draw
};

/// The chains as they were after some draw, to go on from there.
struct StoredCheckpoint {
  std::vector<std::vector<std::byte>> chains;  // AnyChain::save; empty: no checkpoint
  Metadata plan;
  std::uint64_t warmup_draws = 0;  // draws per chain that come before it
  std::uint64_t draws = 0;
};

/// The couplings that a picture of the model shows: all, or the strongest; none of a lattice, an
/// RBM, an energy given as code or too many sites.
std::vector<std::array<Site, 2>> drawn_graph(const Model& model);

/// The value of a key, if there is one.
std::optional<std::string> find_value(const Metadata& metadata, std::string_view key);

}  // namespace nhot
