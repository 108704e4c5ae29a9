#include <cmath>

#include "contest.hpp"
#include "nhot/model/generators.hpp"
#include "nhot/random/stream.hpp"

namespace {

using namespace nhot;

/// Every site has `degree` / 2 random partners, with couplings +-1; about 4096 sites.
Model random_graph(Site sites, Site degree) {
  Xoshiro256 engine = make_stream(4, 0, 0, Purpose::test);
  QuadraticTerms terms;
  terms.sites = sites;
  for (Site i = 0; i < sites; ++i)
    for (Site k = 0; k < degree / 2; ++k) {
      const auto j = static_cast<Site>(engine() % sites);
      if (j != i) terms.couplings.push_back({i, j, engine() % 2 ? 1.0 : -1.0});
    }
  return {"random-graph", QuadraticModel(terms)};
}

}  // namespace

// How does the cost of a step grow with the number of neighbours?
int main(int argc, char** argv) {
  using namespace nhot::bench;
  Contest contest("degree", "How does the cost of a step grow with the number of neighbours?", 10,
                  argc, argv);
  for (const Site degree : {Site{2}, Site{4}, Site{8}, Site{16}, Site{32}, Site{64}, Site{128}}) {
    const Model model = random_graph(4096, degree);
    // At the temperature of the same order as the couplings of a site, so that all are alike.
    const double beta = 1 / std::sqrt(static_cast<double>(degree));
    for (const char* engine : {"classes", "tree"})
      contest.add("im, engine " + std::string(engine) + ", degree " + std::to_string(degree),
                  std::make_shared<Walker>(
                      model, 2048, "im:length=1..25,engine=" + std::string(engine), beta, 20'000),
                  {{"degree", degree}});
    contest.add("swap, degree " + std::to_string(degree),
                std::make_shared<Walker>(model, 2048, "swap", beta, 2'000'000),
                {{"degree", degree}});
  }
  contest.run();
  contest.ratio("classes, degree 64 / degree 4", "im, engine classes, degree 64",
                "im, engine classes, degree 4");
  return contest.print();
}
