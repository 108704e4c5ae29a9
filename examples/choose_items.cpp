// The best 4 of 12 items: each has a value, and pairs that do not go together cost something.
#include <cstdio>
#include <nhot/nhot.hpp>

int main() {
  nhot::QuadraticTerms terms;
  terms.sites = 12;
  terms.convention = nhot::Convention::binary;  // E = sum_i linear_i x_i + sum_ij q_ij x_i x_j
  for (nhot::Site i = 0; i < terms.sites; ++i) terms.linear.push_back(-1.0 - 0.1 * i);
  for (nhot::Site i = 0; i + 1 < terms.sites; ++i) terms.couplings.push_back({i, i + 1, 2.0});
  const nhot::Model model("items", nhot::QuadraticModel(terms));
  const nhot::Shell shell(nhot::Bits(model.sites(), 0), 4);

  nhot::AnnealingPlan plan;
  plan.reads = 10;
  const nhot::AnnealingResult best = nhot::anneal(model, shell, plan);
  std::printf("energy %g with items", best.best_energy());
  for (nhot::Site i = 0; i < model.sites(); ++i)
    if (best.states.front().bits[i]) std::printf(" %u", i);
  std::printf("\n");
}
