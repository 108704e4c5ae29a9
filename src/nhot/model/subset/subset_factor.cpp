#include "nhot/model/subset/subset_factor.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "nhot/base/contracts.hpp"

namespace nhot {
namespace {

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t r = 0; r < a.size(); ++r) sum += a[r] * b[r];
  return sum;
}

/// to += factor * from.
void add_scaled(double* to, double factor, const double* from, std::size_t count) {
  for (std::size_t k = 0; k < count; ++k) to[k] += factor * from[k];
}

/// The rest of the response is a squared length.
double at_least_zero(double rest) { return std::max(rest, 0.0); }

}  // namespace

SubsetFactor::SubsetFactor(std::shared_ptr<const Gram> gram, std::vector<double> response)
    : gram_(std::move(gram)),
      response_(std::move(response)),
      sites_(gram_->size()),
      columns_(sites_ + std::size_t{response_.empty() ? 0U : 1U}) {
  NHOT_EXPECTS(response_.empty() || response_.size() == sites_);
  set(Bits(sites_, 0));
}

void SubsetFactor::set(std::span<const Bit> bits) {
  NHOT_EXPECTS(bits.size() == sites_);
  members_.clear();
  place_.assign(sites_, outside);
  rows_.clear();
  duals_.clear();
  rest_.assign(columns_, 1 + Gram::ridge);
  if (!response_.empty()) {
    rest_.back() = 1;
    cross_ = response_;
  }
  for (Site i = 0; i < sites_; ++i)
    if (bits[i]) add(i);
  flips_ = 0;
}

void SubsetFactor::flip(Site i) {
  NHOT_EXPECTS(i < sites_);
  if (++flips_ > refresh_interval) {
    Bits bits(sites_, 0);
    for (const Site m : members_) bits[m] = 1;
    bits[i] ^= 1;
    set(bits);
    return;
  }
  if (contains(i))
    remove(i);
  else
    add(i);
}

void SubsetFactor::add(Site i) {
  work_.resize(columns_);
  gram_->row(i, work_);
  if (!response_.empty()) work_.back() = response_[i];
  for (std::size_t r = 0; r < rank(); ++r) add_scaled(work_.data(), -row(r)[i], row(r), columns_);
  // The rest of the new member, computed afresh: rest_[i] carries older roundings.
  const double length = std::sqrt(std::max(work_[i], Gram::ridge));
  for (double& value : work_) value /= length;
  for (std::size_t k = 0; k < columns_; ++k) rest_[k] -= work_[k] * work_[k];
  if (!cross_.empty())
    for (Site j = 0; j < sites_; ++j) cross_[j] -= work_[j] * work_.back();

  for (std::vector<double>& w : duals_) w.push_back(-dot_coordinates(w, i) / length);
  duals_.emplace_back(rank() + 1, 0.0).back() = 1 / length;
  rows_.insert(rows_.end(), work_.begin(), work_.end());
  place_[i] = static_cast<Site>(members_.size());
  members_.push_back(i);
}

void SubsetFactor::remove(Site i) {
  const std::size_t last = rank() - 1;
  std::vector<double> mirror = std::move(duals_[place_[i]]);
  const double length = std::sqrt(dot(mirror, mirror));
  for (double& value : mirror) value /= length;
  // The reflection v - scale mirror (mirror . v) takes the direction of w_i to the last one.
  const double tip = mirror[last];
  mirror[last] += tip < 0 ? -1 : 1;
  const double scale = 1 / (1 + std::abs(tip));

  work_.assign(columns_, 0);
  for (std::size_t r = 0; r <= last; ++r) add_scaled(work_.data(), mirror[r], row(r), columns_);
  for (std::size_t r = 0; r <= last; ++r)
    add_scaled(row(r), -scale * mirror[r], work_.data(), columns_);
  const double* const dropped = row(last);
  for (std::size_t k = 0; k < columns_; ++k) rest_[k] += dropped[k] * dropped[k];
  if (!cross_.empty())
    for (Site j = 0; j < sites_; ++j) cross_[j] += dropped[j] * dropped[sites_];
  rows_.resize(last * columns_);

  const Site place = place_[i];
  members_[place] = members_.back();
  place_[members_[place]] = place;
  members_.pop_back();
  place_[i] = outside;
  if (place != last) duals_[place] = std::move(duals_[last]);
  duals_.pop_back();
  for (std::vector<double>& w : duals_) {
    const double along = scale * dot(w, mirror);
    for (std::size_t r = 0; r < last; ++r) w[r] -= along * mirror[r];
    w.pop_back();  // no member has a part in the dropped direction
  }
}

double SubsetFactor::rest() const { return response_.empty() ? 0 : at_least_zero(rest_.back()); }

double SubsetFactor::rest_of(Site j) const { return std::max(rest_[j], Gram::ridge); }

double SubsetFactor::dot_coordinates(const std::vector<double>& dual, std::size_t column) const {
  double sum = 0;
  for (std::size_t r = 0; r < rank(); ++r) sum += dual[r] * row(r)[column];
  return sum;
}

double SubsetFactor::rest_after(Site i) const {
  if (response_.empty()) return 0;
  if (!contains(i)) return at_least_zero(rest_.back() - cross_[i] * cross_[i] / rest_of(i));
  const std::vector<double>& w = dual(i);
  const double part = dot_coordinates(w, sites_);
  return at_least_zero(rest_.back() + part * part / dot(w, w));
}

SubsetChange SubsetFactor::change(Site i) const {
  const double factor = contains(i) ? dot(dual(i), dual(i)) : rest_of(i);
  return {std::log(factor), rest_after(i)};
}

SubsetChange SubsetFactor::change(Site i, Site j) const {
  NHOT_EXPECTS(i != j);
  const bool fitted = !response_.empty();
  if (contains(j) && !contains(i)) std::swap(i, j);
  double rest = fitted ? rest_.back() : 0;
  if (contains(j)) {  // both leave
    const std::vector<double>& first = dual(i);
    const std::vector<double>& second = dual(j);
    const double square = dot(first, first);
    const double share = dot(first, second) / square;
    // At least 1 / G_jj, as a diagonal entry of an inverse.
    const double other = std::max(dot(second, second) - share * share * square, 0.5);
    if (fitted) {
      const double part = dot_coordinates(first, sites_);
      const double own = dot_coordinates(second, sites_) - share * part;
      rest += part * part / square + own * own / other;
    }
    return {std::log(square) + std::log(other), at_least_zero(rest)};
  }
  double before = 0;    // log of the first factor
  double d = rest_[j];  // then of j, after the flip of i
  double b = fitted ? cross_[j] : 0;
  if (contains(i)) {
    const std::vector<double>& w = dual(i);
    const double square = dot(w, w);
    const double along = dot_coordinates(w, j);
    before = std::log(square);
    d += along * along / square;
    if (fitted) {
      const double part = dot_coordinates(w, sites_);
      rest += part * part / square;
      b += along * part / square;
    }
  } else {
    double product = (*gram_)(i, j);  // of the rests of i and j
    for (std::size_t r = 0; r < rank(); ++r) product -= row(r)[i] * row(r)[j];
    const double first = rest_of(i);
    before = std::log(first);
    d -= product * product / first;
    if (fitted) {
      rest -= cross_[i] * cross_[i] / first;
      b -= product * cross_[i] / first;
    }
  }
  d = std::max(d, Gram::ridge);
  if (fitted) rest -= b * b / d;
  return {before + std::log(d), at_least_zero(rest)};
}

void SubsetFactor::save(ByteWriter& out) const {
  out.put(members_);
  out.put(rows_);
  for (const std::vector<double>& w : duals_) out.put(w);
  out.put(rest_);
  out.put(cross_);
  out.put(flips_);
}

void SubsetFactor::restore(ByteReader& in) {
  SubsetFactor found = *this;
  in.get_sized(found.members_, members_.size());
  in.get_sized(found.rows_, rows_.size());
  found.place_.assign(sites_, outside);
  for (std::size_t m = 0; m < rank(); ++m) {
    in.get_sized(found.duals_[m], rank());
    const Site i = found.members_[m];
    if (i >= sites_ || !contains(i) || found.contains(i)) ByteReader::damaged();
    found.place_[i] = static_cast<Site>(m);
  }
  in.get_sized(found.rest_, rest_.size());
  in.get_sized(found.cross_, cross_.size());
  in.get(found.flips_);
  const auto near = [](double a, double b) { return std::abs(a - b) <= 1e-6; };
  for (std::size_t k = 0; k < columns_; ++k)
    if (!near(rest_[k], found.rest_[k])) ByteReader::damaged();
  for (std::size_t k = 0; k < cross_.size(); ++k)
    if (!near(cross_[k], found.cross_[k])) ByteReader::damaged();
  *this = std::move(found);
}

}  // namespace nhot
