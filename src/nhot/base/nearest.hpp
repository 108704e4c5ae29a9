// "Did you mean ...?": the known name nearest to what was typed.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace nhot {

/// Least number of insertions, deletions, substitutions and adjacent transpositions from a to b.
int edit_distance(std::string_view a, std::string_view b);

/// The name nearest to `typed`, or the only one that begins with it; an empty string when none is
/// near enough to be a likely slip.
std::string nearest_name(std::string_view typed, std::span<const std::string> known);

/// A hint for an unknown name: "did you mean 'swap'? " when one is near, then "known: a, b, c".
std::string unknown_name_hint(std::string_view typed, std::span<const std::string> known);

}  // namespace nhot
