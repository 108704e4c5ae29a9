// The parameters that walk moves share: length, bias, gamma. Declared and read in one place, so
// that they are written alike for every move.
#pragma once

#include <string>
#include <string_view>

#include "nhot/base/options.hpp"
#include "nhot/base/types.hpp"
#include "nhot/move/gamma.hpp"
#include "nhot/state/weight.hpp"

namespace nhot {

/// Lengths of a walk, drawn uniformly for every move.
struct LengthRange {
  Site min = 1;
  Site max = 1;
};

OptionSpec length_option(const std::string& help);
OptionSpec bias_option();

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
