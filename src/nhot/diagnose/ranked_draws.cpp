#include "nhot/diagnose/ranked_draws.hpp"

#include <algorithm>
#include <cmath>

#include "nhot/base/contracts.hpp"
#include "nhot/diagnose/normal_quantile.hpp"

namespace nhot {

RankedDraws::RankedDraws(const ChainsView& chains)
    : chains_(chains.chains()), draws_(chains.draws()) {
  NHOT_EXPECTS(!chains.empty());
  sorted_.reserve(chains.size());
  for (const ChainsView::Chain chain : chains) {
    for (const double value : chain) sorted_.push_back({value, sorted_.size()});
  }
  std::sort(sorted_.begin(), sorted_.end(),
            [](const Entry& a, const Entry& b) { return a.value < b.value; });
}

double RankedDraws::quantile(double probability) const {
  const auto count = static_cast<double>(sorted_.size());
  if (sorted_.size() == 1) return sorted_.front().value;
  const double position = count * probability + (1.0 - probability);  // counted from one
  const double below = std::floor(std::clamp(position, 1.0, count - 1.0));
  const double weight = std::clamp(position - below, 0.0, 1.0);
  const auto k = static_cast<std::size_t>(below);
  // Two rounded products and one sum, on purpose also where both neighbours are equal: the tail ESS
  // asks which draws are <= this value, and on discrete draws a last digit decides. ArviZ computes
  // it this way; volatile keeps a compiler from fusing the operations.
  const volatile double lower = (1.0 - weight) * sorted_[k - 1].value;
  const volatile double upper = weight * sorted_[k].value;
  return lower + upper;
}

std::vector<RankedDraws::Entry> RankedDraws::without_middle() const {
  if (draws_ % 2 == 0) return sorted_;
  std::vector<Entry> kept;
  kept.reserve(sorted_.size() - chains_);
  std::copy_if(sorted_.begin(), sorted_.end(), std::back_inserter(kept),
               [this](const Entry& entry) { return entry.place % draws_ != draws_ / 2; });
  return kept;
}

Scores RankedDraws::score(const std::vector<Entry>& sorted) const {
  Scores scores{std::vector<double>(chains_ * draws_, 0.0), chains_, draws_};
  const double scale = static_cast<double>(sorted.size()) + 0.25;
  for (std::size_t first = 0; first < sorted.size();) {
    std::size_t end = first + 1;
    while (end < sorted.size() && sorted[end].value == sorted[first].value) ++end;
    const double rank = 0.5 * static_cast<double>(first + 1 + end);  // average of first+1 .. end
    const double z = normal_quantile((rank - 0.375) / scale);
    for (; first < end; ++first) scores.values[sorted[first].place] = z;
  }
  return scores;
}

Scores RankedDraws::normal_scores() const { return score(without_middle()); }

Scores RankedDraws::folded_scores() const {
  const std::vector<Entry> kept = without_middle();
  const std::size_t count = kept.size();
  if (count == 0) return score(kept);
  const double median = count % 2 == 1 ? kept[count / 2].value
                                       : (kept[count / 2 - 1].value + kept[count / 2].value) / 2.0;
  // Subtraction rounds monotonically, so distances grow away from the median on both sides and the
  // two sides merge into sorted order without a second sort.
  const auto distance = [median](const Entry& entry) { return std::abs(entry.value - median); };
  std::vector<Entry> folded;
  folded.reserve(count);
  std::size_t right = count / 2;
  std::size_t left = right;  // one past the next entry on the left
  while (left > 0 || right < count) {
    const bool take_left =
        right == count || (left > 0 && distance(kept[left - 1]) <= distance(kept[right]));
    const Entry& next = take_left ? kept[--left] : kept[right++];
    folded.push_back({distance(next), next.place});
  }
  return score(folded);
}

}  // namespace nhot
