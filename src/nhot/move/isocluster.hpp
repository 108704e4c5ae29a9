// Exchange between two replicas of clusters of sites in which they differ, at fixed distance.
//
// Two states a and b of one shell, at one temperature. On the sites where they differ, join those
// that are coupled: the components are clusters. Exchanging the bits of a and b on any union of
// clusters keeps E(a) + E(b): a coupling between a cluster and the rest leads to a site where a and
// b are equal. It keeps both distances when the union is balanced: as many sites at which only a
// differs from the reference as sites at which only b does.
//
// The union is the shortest balanced prefix of a uniformly random order of the clusters. The
// exchange leaves the clusters as they are and negates the balance of those in the union; in the
// new states the same order has the negated partial sums up to the end of the union, and so the
// same shortest balanced prefix. Every order is its own reverse: the proposal is symmetric, and as
// pi(a) pi(b) depends on E(a) + E(b) alone, the exchange is always accepted. All clusters together
// are balanced, so such a prefix exists.
//
// By itself the exchange reaches few states; it is run between moves of the two chains. It helps
// where the clusters are small: low-dimensional or sparse couplings, not too hot. Where one cluster
// holds most sites it does little more than swap the replicas' names, and on a model in which most
// sites are coupled (RBM, Boltzmann machine) there is one cluster only.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "nhot/base/contracts.hpp"
#include "nhot/base/error.hpp"
#include "nhot/base/types.hpp"
#include "nhot/model/model.hpp"
#include "nhot/random/draws.hpp"
#include "nhot/shell/shell.hpp"

namespace nhot {

class IsoclusterExchange {
 public:
  /// InputError for models whose couplings leave a single cluster.
  IsoclusterExchange(const Model& model, std::shared_ptr<const Shell> shell)
      : model_(model.shared_quadratic()), shell_(std::move(shell)) {
    if (model.custom())
      throw InputError("isocluster: it is for pairwise couplings, and this energy is given as code",
                       "temper without isocluster");
    if (!model_)
      throw InputError(
          "isocluster: every unit of an RBM is coupled to all units of the other layer, so two "
          "replicas differ in a single cluster",
          "temper without isocluster; it is for sparse couplings such as lattices");
    const std::size_t sites = model_->sites();
    if (sites > 2 && model_->couplings() == sites * (sites - 1) / 2)
      throw InputError(
          "isocluster: all sites are coupled to each other, so two replicas differ in a single "
          "cluster",
          "temper without isocluster; it is for sparse couplings such as lattices");
  }

  /// Sites on which to exchange the bits of a and b, both of the shell, in the model's own bits;
  /// none when the two are equal. Exchanging on all sites in which they differ is possible too.
  /// O(sites + couplings of the sites in which they differ).
  template <DrawSource Draws>
  const std::vector<Site>& draw(const Bits& a, const Bits& b, Draws& draws) {
    NHOT_EXPECTS(shell_->contains(a) && shell_->contains(b));
    find_clusters(a, b);
    chosen_.clear();
    const Group groups = shell_->groups();
    balance_.assign(groups, 0);
    // The order is drawn as far as it is needed: each next cluster uniform among the rest.
    for (std::size_t k = 0; k < order_.size(); ++k) {
      const std::size_t left = order_.size() - k;
      std::swap(order_[k], order_[k + (left > 1 ? draws.below(left) : 0)]);
      const std::uint32_t cluster = order_[k];
      for (std::size_t s = begin_[cluster]; s < begin_[cluster + std::size_t{1}]; ++s) {
        const Site i = members_[s];
        chosen_.push_back(i);
        balance_[shell_->group_of(i)] += a[i] != shell_->reference()[i] ? 1 : -1;
      }
      bool balanced = true;
      for (const std::int64_t sum : balance_) balanced &= sum == 0;
      if (balanced) break;
    }
    return chosen_;
  }

  /// Clusters found by the latest draw.
  std::size_t clusters() const { return order_.size(); }

 private:
  /// Components of the sites in which a and b differ, in order of their lowest sites.
  void find_clusters(const Bits& a, const Bits& b) {
    members_.clear();
    begin_.assign(1, 0);
    order_.clear();
    seen_.assign(a.size(), 0);
    for (Site seed = 0; seed < a.size(); ++seed) {
      if (a[seed] == b[seed] || seen_[seed]) continue;
      seen_[seed] = 1;
      members_.push_back(seed);
      for (std::size_t next = begin_.back(); next < members_.size(); ++next) {
        for (const Site j : model_->row(members_[next]).sites) {
          if (a[j] == b[j] || seen_[j]) continue;
          seen_[j] = 1;
          members_.push_back(j);
        }
      }
      order_.push_back(static_cast<std::uint32_t>(order_.size()));
      begin_.push_back(members_.size());
    }
  }

  std::shared_ptr<const QuadraticModel> model_;
  std::shared_ptr<const Shell> shell_;
  // Scratch.
  Bits seen_;
  std::vector<Site> members_;       // cluster after cluster
  std::vector<std::size_t> begin_;  // of each cluster, and the end
  std::vector<std::uint32_t> order_;
  std::vector<std::int64_t> balance_;  // by group
  std::vector<Site> chosen_;
};

/// Exchanges the bits of two states on the given sites.
inline void exchange_sites(const std::vector<Site>& sites, Bits& a, Bits& b) {
  for (const Site i : sites) std::swap(a[i], b[i]);
}

}  // namespace nhot
