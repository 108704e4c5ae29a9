// An energy of one's own: three-body terms on a ring, a gas of particles that like to come in
// threes.
#include <algorithm>
#include <cstdio>
#include <memory>
#include <nhot/exact/check_model.hpp>
#include <nhot/io/run/run_record.hpp>
#include <nhot/nhot.hpp>

class Triplets : public nhot::Energy {
 public:
  explicit Triplets(nhot::Site sites) : touched_(sites) {
    for (nhot::Site i = 0; i < sites; ++i) {
      for (const nhot::Site d : {1U, 2U, sites - 2, sites - 1})
        touched_[i].push_back((i + d) % sites);
      std::sort(touched_[i].begin(), touched_[i].end());
    }
  }
  nhot::Site sites() const override { return static_cast<nhot::Site>(touched_.size()); }
  double energy(std::span<const nhot::Bit> x) const override {
    int triplets = 0;
    for (std::size_t i = 0; i < x.size(); ++i)
      triplets += x[i] & x[(i + 1) % x.size()] & x[(i + 2) % x.size()];
    return -triplets;
  }
  double change(std::span<const nhot::Bit> x, nhot::Site i) const override {
    const auto at = [&](std::size_t d) { return int{x[(i + d) % x.size()]}; };
    const std::size_t n = x.size();
    const int threes = at(n - 2) * at(n - 1) + at(n - 1) * at(1) + at(1) * at(2);
    return x[i] ? threes : -threes;
  }
  std::optional<std::span<const nhot::Site>> touched(nhot::Site i) const override {
    return touched_[i];
  }

 private:
  std::vector<std::vector<nhot::Site>> touched_;
};

int main(int argc, char** argv) {
  // Every move and engine on a small sister of the model, without statistics.
  const nhot::Model small("triplets", std::make_shared<const Triplets>(6));
  const nhot::exact::Findings found = nhot::exact::check_model(small);
  std::printf("%s\n", found.text().c_str());
  if (argc != 2 || !found.passed()) return 1;

  const nhot::Model model("triplets", std::make_shared<const Triplets>(60));
  const nhot::Shell shell(nhot::Bits(model.sites(), 0), 20);
  for (const std::string move : {"im", "swap"}) {
    const nhot::ChainFactory chains(model, shell, move, 1.2);
    nhot::RunPlan plan;
    plan.moves = 20'000;
    nhot::RunWriter file(std::string(argv[1]) + "-" + move + ".nc", nhot::attributes_of(chains),
                         model, plan.chains, false);
    nhot::RunHooks hooks;
    nhot::write_to(file, hooks);
    const nhot::RunReport report = nhot::sample(chains, plan, hooks).report;
    file.finish(nhot::results_of(report));
    const nhot::ObservableSummary& energy = report.observables.front().summary;
    std::printf("%s: energy %.3f +- %.3f, converged: %s\n", move.c_str(), energy.mean, energy.mcse,
                report.verdict.converged ? "yes" : "no");
  }
}
