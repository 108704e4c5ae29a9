// The parameters that walk moves share: length, bias, gamma. Declared and read in one place, so
// that they are written alike for every move.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include "nhot/base/options.hpp"
#include "nhot/base/types.hpp"
#include "nhot/move/gamma.hpp"
#include "nhot/shell/shell.hpp"
#include "nhot/state/weight.hpp"

namespace nhot {

/// Lengths of a walk, drawn uniformly for every move.
struct LengthRange {
  Site min = 1;
  Site max = 1;

  /// What is left of it where no more than `limit` steps fit: the limit at least.
  LengthRange within(Site limit) const { return {std::min(min, limit), std::min(max, limit)}; }
};

/// Which half of a walk comes first: that towards the reference (up) or the other.
enum class WalkOrder { up_down, down_up, random };

/// The side that a walk must fit first.
Shell::Start start_side(WalkOrder order);

OptionSpec length_option(const std::string& help);
OptionSpec bias_option();
OptionSpec order_option();
OptionSpec engine_option();

WalkOrder parse_order(const std::string& text);

/// A whole number >= 1 or a range; the examples are for the message.
LengthRange parse_range(const std::string& text, std::string_view where, std::string_view number,
                        std::string_view range);

Bias parse_bias(const std::string& text);
std::string to_text(Bias bias);

/// `where` names the parameter in messages, for example "move im: gamma-up".
GammaValue parse_gamma(std::string_view text, std::string_view where);
/// Values by step, separated by '/'.
GammaSchedule parse_schedule(std::string_view text, std::string_view where);
std::string to_text(const GammaValue& gamma);
std::string to_text(const GammaSchedule& schedule);

/// The option "length" of a move: 1 to 10 for auto, or what the user gave, refused when it is more
/// than `longest`. `place` tells the user on which shell. Lengths are 0 only when longest is.
LengthRange read_length(const OptionValues& values, std::string_view move, Site longest,
                        const std::string& place);
/// As an option value. A single state has no walk; "auto" keeps the text valid for other shells.
std::string to_text(LengthRange range);

}  // namespace nhot
