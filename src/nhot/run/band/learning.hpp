// Weights that make a chain visit every shell of a band equally: w_n ~ 1 / Z_n.
#pragma once

#include <functional>
#include <optional>

#include "nhot/run/band/band_team.hpp"

namespace nhot {

/// The weights by what has been tallied. Relative to free sites,
///
///     Z_{n+1} / Z_n = (M - n) / (n + 1) exp(m_n),
///
/// and m_n is smooth in most models: where two neighbouring shells have been visited m_n is their
/// ratio; next to a shell that was visited alone it is guessed from the mean weights of its sides;
/// between those, interpolated; beyond them, constant. So chains that were only at a few shells,
/// even unequilibrated, are led to all others.
BandWeights weights_from(const BandTally& tally, ShellBand band, Site sites);

/// How long weights are learned.
struct LearningLimit {
  std::optional<std::uint64_t> moves;  // per chain
  double seconds = 0;
};

/// `warmup` moves where that is given, else a quarter of the moves or a fifth of the seconds of a
/// run.
LearningLimit learning_limit(std::optional<std::uint64_t> warmup,
                             std::optional<std::uint64_t> moves, std::optional<double> seconds);

/// Learns in rounds, each twice as long as the one before: at the end of a round the weights follow
/// from its tallies and, faded, those of the rounds before. Begins with those of free sites. In the
/// rounds every chain keeps to a part of the band (see BandTeam::confine_to_parts()), as a chain
/// crosses the whole band in far fewer steps than its states need to follow. The second half is
/// for weights that are frozen and then refined by the steps taken under them. The chains are left
/// where they are, with the weights set. Ends at the limit, or when the team is stopped;
/// tell(share, moves per chain) comes after every piece.
BandWeights learn_weights(BandTeam& team, ShellBand band, Site sites, const LearningLimit& limit,
                          const std::function<void(double, std::uint64_t)>& tell);

}  // namespace nhot
