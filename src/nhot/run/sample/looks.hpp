// When a run that ends as soon as it is good enough is looked at, and how long it warms up before.
//
// All of it is a function of the draws, so that a seed gives the same result on any number of
// threads, at any speed, and when the run was stopped and resumed.
#pragma once

#include <cstdint>
#include <span>

#include "nhot/trace/trace.hpp"

namespace nhot {

/// The run is judged when every chain has 150, 213, 300, 424, ... kept draws, each time sqrt(2)
/// times as many. It ends at the second of two looks in a row that find it good enough: a run that
/// happens to look good once while it grows goes on.
inline constexpr std::uint64_t first_look = 150;
std::uint64_t look_after(std::uint64_t draws);
inline bool is_look(std::uint64_t draws) { return draws > 0 && look_after(draws - 1) == draws; }

/// The warm-up comes in stages of 32, 64, 128, ... draws, and ends with the first stage that is
/// level: in which the first and the second half of a chain have the same mean energy, but for what
/// slow chains of about ten integrated times would differ by. At the latest after 9 stages.
inline constexpr std::uint64_t first_stage = 32;
inline constexpr std::uint64_t most_warmup_draws = first_stage * ((std::uint64_t{1} << 9) - 1);
/// The end of the stage that draw number `draws`, counted from 0, belongs to.
std::uint64_t stage_end(std::uint64_t draws);
/// Whether the last stage of a warm-up that ends with it was level. The root mean square over the
/// chains of the difference between halves is compared with the spread within them.
bool is_level(const Trace& warmup);

}  // namespace nhot
