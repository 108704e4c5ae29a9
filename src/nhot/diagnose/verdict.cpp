#include "nhot/diagnose/verdict.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "nhot/diagnose/say.hpp"

namespace nhot {
namespace {

// Judges observable after observable, collecting what speaks against the run and the extremes that
// the closing sentences quote.
class Judge {
 public:
  Judge(const JudgedRun& run, const VerdictLimits& limits) : run_(run), limits_(limits) {}

  void check_run() {
    if (run_.chains == 0) return object("There are no chains.");
    if (!run_.unreachable_reason.empty())
      object("The moves do not reach every state: " + run_.unreachable_reason + ".");
    if (run_.chains == 1) {
      object(
          "There is only one chain: whether it explored the whole law cannot be judged. Run at "
          "least "
          "two chains, better four.");
    }
    const auto stuck = std::count(run_.changed.begin(), run_.changed.end(), 0.0);
    stuck_ = stuck > 0;
    if (!stuck_) return;
    trapped_ = true;
    if (static_cast<std::size_t>(stuck) == run_.changed.size()) {
      object("No move of any chain led to another state: the chains never moved.");
    } else {
      object(say("No move led to another state in %td of %zu chains: they never moved.", stuck,
                 run_.changed.size()));
    }
  }

  void check_witness() {
    if (!run_.witness.sentence.empty() && !run_.witness.agrees) object(run_.witness.sentence);
  }

  void check_comparison() {
    if (run_.chains < 2 || run_.comparison == nullptr || stuck_) return;
    const ChainComparison& c = *run_.comparison;
    if (c.states == 0) {
      return object(
          say("There are too few states to compare the chains site by site: at least %zu per chain "
              "are needed.",
              fewest_compared_states));
    }
    const char* means = "the means of the sites";
    const char* pairs = "how pairs of sites go together";
    const bool means_differ = check_spread(means, c.sites);
    const bool pairs_differ = check_spread(pairs, c.covariance);
    if (!means_differ) check_pattern(means, c.site_pattern);
    if (!pairs_differ) check_pattern(pairs, c.covariance_pattern);
    if (!means_differ && c.worst_site.probability < limits_.probability) {
      trapped_ = trapped_ || !growing_;
      object(say(
          "The chains disagree on site %u: its mean goes from %.3f to %.3f over the halves "
          "of the chains, which comes up by chance with probability %.1g.",
          c.worst_site.site, c.worst_site.lowest, c.worst_site.highest, c.worst_site.probability));
    }
  }

  // Adding zero turns a negative zero into a plain one.
  void hear(const std::string& name, const ObservableSummary& s) {
    const char* called = name.c_str();
    if (!s.finite) return object(say("%s holds values that are not finite numbers.", called));
    if (s.draws < 4 || s.chains == 0) {
      return object(say("%s has only %zu draws per chain; at least 4 are needed to say anything.",
                        called, s.draws));
    }
    if (s.constant) {
      return remark(
          say("%s is the same in every draw of every chain (%.6g).", called, s.mean + 0.0));
    }
    if (s.frozen_chains == s.chains) {
      trapped_ = true;
      return object(
          say("%s never changed within a chain, yet differs between chains (from %.6g to "
              "%.6g): the chains never moved.",
              called, s.smallest + 0.0, s.largest + 0.0));
    }
    ++varying_;
    check_rhat(called, s);
    check_ess(called, s);
    check_length(called, s);
  }

  Verdict close() && {
    if (!objections_.empty()) return {false, std::move(objections_), longer_, trapped_};
    if (varying_ == 0 && remarks_.empty()) return {false, {"There is no observable to judge by."}};
    std::vector<std::string> reasons;
    if (varying_ > 0) {
      reasons.push_back(
          largest_rhat_ > 0.0
              ? say("%zu chains agree: largest R-hat %.4f (%s), below %.4g.", run_.chains,
                    largest_rhat_, rhat_name_.c_str(), limits_.rhat)
              : say("%zu chains ran, but no observable has more than one series to compare.",
                    run_.chains));
      reasons.push_back(say("The draws are enough: smallest ESS %.0f (%s), %.0f demanded.",
                            smallest_ess_, ess_name_.c_str(), ess_demand_));
      reasons.push_back(say("The chains are long enough: at least %.0f integrated times (%s).",
                            shortest_length_, length_name_.c_str()));
    }
    if (run_.comparison != nullptr && run_.chains >= 2 && !std::isnan(run_.comparison->sites.ratio))
      reasons.push_back(say(
          "The chains visit the same states: the halves of the chains differ %.2f times as "
          "much as chance would have it in the means of the sites, %.2f times in pairs of them.",
          run_.comparison->sites.ratio, run_.comparison->covariance.ratio));
    reasons.insert(reasons.end(), remarks_.begin(), remarks_.end());
    reasons.push_back(run_.witness.sentence.empty()
                          ? "Not excluded: states that none of the chains has found (the option "
                            "verify looks for them)."
                          : run_.witness.sentence);
    return {true, std::move(reasons)};
  }

 private:
  void object(std::string sentence) { objections_.push_back(std::move(sentence)); }
  void remark(std::string sentence) { remarks_.push_back(std::move(sentence)); }

  /// A demand that would be met by chains so many times as long.
  void need(double times) {
    growing_ = true;
    if (times > longer_) longer_ = times;
  }
  /// R-hat^2 - 1 falls as one over the length, once the chains are long against their slowest mode.
  static double times_for(double rhat, double limit) {
    return (rhat * rhat - 1) / (limit * limit - 1);
  }

  bool check_spread(const char* what, const GroupSpread& spread) {
    if (!(spread.ratio > limits_.spread && spread.probability < limits_.probability)) return false;
    // Batches that are independent by all that single observables say, and halves that differ.
    trapped_ = trapped_ || !growing_;
    object(
        say("The chains do not visit the same states: in %s the halves of the chains differ "
            "%.3g times as much as chance would have it (probability %.2g).",
            what, spread.ratio, spread.probability));
    return true;
  }

  void check_pattern(const char* what, const ObservableSummary& s) {
    if (s.draws < 4 || s.constant) return;
    const double demand = limits_.pattern_ess_per_chain * static_cast<double>(s.chains);
    if (s.rhat < limits_.pattern_rhat && s.ess_bulk >= demand) return;
    need(std::max(demand / s.ess_bulk, times_for(s.rhat, limits_.pattern_rhat)));
    object(
        say("The chains are too short for the slowest change in %s: R-hat %.3f (must be below "
            "%.3g), ESS %.0f (%.0f demanded).",
            what, s.rhat, limits_.pattern_rhat, s.ess_bulk, demand));
  }

  void check_rhat(const char* name, const ObservableSummary& s) {
    if (s.chains < 2) {
      if (run_.chains >= 2) remark(say("%s is a single series, so it has no R-hat.", name));
      return;
    }
    const bool of_pairs = s.chains < run_.chains;
    const double limit = of_pairs ? limits_.pair_rhat : limits_.rhat;
    if (!(s.rhat < limit)) {
      // Chains that are long against their own times, and disagree, will go on to do so.
      const double length = static_cast<double>(s.draws) / std::max(s.tau, 1.0);
      if (s.frozen_chains > 0 || (s.tau_closed && length >= limits_.lengths_in_tau))
        trapped_ = true;
      else
        need(times_for(s.rhat, limit));
      const auto [low, high] = std::minmax_element(s.chain_means.begin(), s.chain_means.end());
      std::string sentence =
          say("The chains disagree on %s: R-hat %.4f (must be below %.4g)", name, s.rhat, limit);
      // A folded R-hat that fails alone means equal centres and different widths.
      sentence += s.rhat_bulk < limit
                      ? say(", in its spread rather than its mean")
                      : say(", chain means from %.6g to %.6g with sd %.3g", *low, *high, s.sd);
      if (s.frozen_chains > 0) {
        sentence += say("; it never changed in %zu of %zu chains", s.frozen_chains, s.chains);
      }
      return object(sentence + ".");
    }
    if (s.rhat > largest_rhat_ && !of_pairs) {
      largest_rhat_ = s.rhat;
      rhat_name_ = name;
    }
  }

  void check_ess(const char* name, const ObservableSummary& s) {
    const double demand = limits_.ess_per_chain * static_cast<double>(s.chains);
    const bool bulk = s.ess_bulk >= demand, tails = s.ess_tail >= demand;
    if (!bulk || !tails) {
      need(demand / std::min(s.ess_bulk, s.ess_tail));
      const char* which = bulk ? "tail" : tails ? "bulk" : "bulk and tail";
      return object(
          say("%s has too few effective draws in the %s: ESS %.0f bulk, %.0f tail, %.0f "
              "demanded (%.0f per chain).",
              name, which, s.ess_bulk, s.ess_tail, demand, limits_.ess_per_chain));
    }
    const double ess = std::min(s.ess_bulk, s.ess_tail);
    if (ess < smallest_ess_) {
      smallest_ess_ = ess;
      ess_demand_ = demand;
      ess_name_ = std::string(name) + (s.ess_bulk <= s.ess_tail ? ", bulk" : ", tail");
    }
  }

  void check_length(const char* name, const ObservableSummary& s) {
    const double length = static_cast<double>(s.draws) / std::max(s.tau, 1.0);
    if (!s.tau_closed || !(length >= limits_.lengths_in_tau)) need(limits_.lengths_in_tau / length);
    if (!s.tau_closed) {
      return object(
          say("The chains are too short to measure the autocorrelation time of %s: above "
              "%.3g draws, in chains of %zu.",
              name, s.tau, s.draws));
    }
    if (!(length >= limits_.lengths_in_tau)) {
      return object(
          say("The chains are short against the autocorrelation time of %s: %zu draws are "
              "%.1f times %.3g, at least %.0f times are demanded.",
              name, s.draws, length, s.tau, limits_.lengths_in_tau));
    }
    if (length < shortest_length_) {
      shortest_length_ = length;
      length_name_ = name;
    }
  }

  const JudgedRun& run_;
  const VerdictLimits& limits_;
  std::vector<std::string> objections_;
  std::vector<std::string> remarks_;
  bool stuck_ = false;    // some chain never changed its state
  bool growing_ = false;  // a demand failed that longer chains meet
  bool trapped_ = false;
  double longer_ = 1;
  std::size_t varying_ = 0;
  double largest_rhat_ = 0.0;
  double smallest_ess_ = std::numeric_limits<double>::infinity();
  double ess_demand_ = 1.0;
  double shortest_length_ = std::numeric_limits<double>::infinity();
  std::string rhat_name_, ess_name_, length_name_;
};

}  // namespace

Verdict judge(std::span<const NamedSummary> observables, const JudgedRun& run,
              const VerdictLimits& limits) {
  if (run.single_state) {
    return {true, {"The shell holds a single state, so every draw is exact."}};
  }
  Judge judge(run, limits);
  judge.check_run();
  for (const NamedSummary& observable : observables)
    judge.hear(observable.name, observable.summary);
  judge.check_comparison();
  judge.check_witness();
  return std::move(judge).close();
}

}  // namespace nhot
