// Energies given as code, for tests: small, with three-body terms, and with as much or as little
// said of them as one likes.
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "nhot/model/model.hpp"

namespace nhot::test {

/// sum_t v_t x_a x_b x_c + sum_i h_i x_i, by its definition and nothing else.
class Triples : public Energy {
 public:
  struct Term {
    std::array<Site, 3> sites;
    double value;
  };

  Triples(std::vector<double> fields, std::vector<Term> terms)
      : fields_(std::move(fields)), terms_(std::move(terms)) {}

  Site sites() const override { return static_cast<Site>(fields_.size()); }
  double energy(std::span<const Bit> x) const override {
    double sum = 0;
    for (Site i = 0; i < sites(); ++i) sum += fields_[i] * x[i];
    for (const Term& t : terms_) sum += t.value * x[t.sites[0]] * x[t.sites[1]] * x[t.sites[2]];
    return sum;
  }

 protected:
  std::vector<double> fields_;
  std::vector<Term> terms_;
};

/// The same, which says what a flip costs and what it touches.
class LocalTriples : public Triples {
 public:
  LocalTriples(std::vector<double> fields, std::vector<Term> terms)
      : Triples(std::move(fields), std::move(terms)), touched_(sites()), of_site_(sites()) {
    for (const Term& t : terms_)
      for (const Site i : t.sites) {
        of_site_[i].push_back(&t);
        for (const Site j : t.sites)
          if (j != i) touched_[i].push_back(j);
      }
    for (std::vector<Site>& list : touched_) {
      std::sort(list.begin(), list.end());
      list.erase(std::unique(list.begin(), list.end()), list.end());
    }
  }
  LocalTriples(const LocalTriples&) = delete;
  LocalTriples& operator=(const LocalTriples&) = delete;

  double change(std::span<const Bit> x, Site i) const override {
    double sum = fields_[i];
    for (const Term* t : of_site_[i]) {
      double others = t->value;
      for (const Site j : t->sites)
        if (j != i) others *= x[j];
      sum += others;
    }
    return x[i] ? -sum : sum;
  }
  std::optional<std::span<const Site>> touched(Site i) const override { return touched_[i]; }

 private:
  std::vector<std::vector<Site>> touched_;
  std::vector<std::vector<const Term*>> of_site_;
};

/// The same, which says what all flips cost in one pass over the terms, and not what they touch.
class TriplesAtOnce : public Triples {
 public:
  using Triples::Triples;

  void changes(std::span<const Bit> x, std::span<double> all) const override {
    for (Site i = 0; i < sites(); ++i) all[i] = fields_[i];
    for (const Term& t : terms_) {
      const auto [a, b, c] = t.sites;
      all[a] += t.value * x[b] * x[c];
      all[b] += t.value * x[a] * x[c];
      all[c] += t.value * x[a] * x[b];
    }
    for (Site i = 0; i < sites(); ++i)
      if (x[i]) all[i] = -all[i];
  }
};

/// Two groups of three sites and a bridge, with real values.
template <class Kind = Triples>
Model triples_model(std::string name = "triples") {
  return {std::move(name), std::make_shared<const Kind>(
                               std::vector<double>{0.31, -0.47, 0.083, 0.62, -0.15, 0.271},
                               std::vector<Triples::Term>{
                                   {{0, 1, 2}, -1.377}, {{3, 4, 5}, 0.912}, {{1, 3, 5}, 0.713}})};
}

/// Two groups of three sites and a site on its own, with everything said of them.
inline Model local_triples_model() {
  return {"local-triples",
          std::make_shared<const LocalTriples>(
              std::vector<double>{0.31, -0.47, 0.083, 0.62, -0.15, 0.271, 0.4},
              std::vector<Triples::Term>{{{0, 1, 2}, -1.377}, {{3, 4, 5}, 0.912}})};
}

/// Twenty-four sites in a ring, each with the next two.
inline Model ring_of_triples() {
  std::vector<double> fields;
  std::vector<Triples::Term> terms;
  for (Site i = 0; i < 24; ++i) {
    fields.push_back(0.1 * static_cast<double>(i % 5) - 0.21);
    terms.push_back({{i, (i + 1) % 24, (i + 2) % 24}, i % 3 == 0 ? 0.83 : -0.59});
  }
  return {"ring-of-triples",
          std::make_shared<const LocalTriples>(std::move(fields), std::move(terms))};
}

}  // namespace nhot::test
