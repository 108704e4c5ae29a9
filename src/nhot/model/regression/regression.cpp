#include "nhot/model/regression/regression.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "nhot/base/error.hpp"
#include "nhot/base/nearest.hpp"
#include "nhot/model/regression/columns.hpp"
#include "nhot/model/subset/subset_factor.hpp"
#include "nhot/model/subset/volume.hpp"

namespace nhot {
namespace {

constexpr double least_rest = Gram::ridge;

class RegressionTable final : public ChangeTable {
 public:
  RegressionTable(const Regression& energy, std::shared_ptr<const Gram> gram,
                  std::vector<double> products)
      : energy_(energy), factor_(std::move(gram), std::move(products)), changes_(energy.sites()) {}

  void set(std::span<const Bit> bits) override {
    factor_.set(bits);
    update();
  }
  void flip(Site i) override {
    factor_.flip(i);
    update();
  }
  std::span<const double> changes() const override { return changes_; }
  double pair_change(Site i, Site j) const override {
    const std::size_t size = factor_.members().size() + step(i) + step(j);
    return energy_.energy_of(size, factor_.change(i, j).rest) - here_;
  }

  void save(ByteWriter& out) const override { factor_.save(out); }
  void restore(ByteReader& in) override {
    factor_.restore(in);
    update();
  }

 private:
  /// One column more, or one less, modulo 2^64.
  std::size_t step(Site i) const { return factor_.contains(i) ? ~std::size_t{0} : 1; }

  void update() {
    const std::size_t size = factor_.members().size();
    here_ = energy_.energy_of(size, factor_.rest());
    for (Site i = 0; i < changes_.size(); ++i)
      changes_[i] = energy_.energy_of(size + step(i), factor_.rest_after(i)) - here_;
  }

  const Regression& energy_;  // outlives its tables
  SubsetFactor factor_;
  std::vector<double> changes_;
  double here_ = 0;
};

}  // namespace

CoefficientPrior prior_from(std::string_view name) {
  for (std::size_t k = 0; k < std::size(prior_names); ++k)
    if (name == prior_names[k]) return static_cast<CoefficientPrior>(k);
  const std::vector<std::string> known(std::begin(prior_names), std::end(prior_names));
  throw InputError("unknown prior '" + std::string(name) + "'",
                   unknown_name_hint(std::string(name), known));
}

Regression::Regression(RegressionData data, CoefficientPrior prior)
    : data_(std::move(data)), prior_(prior) {
  ScaledColumns scaled = scale_columns(data_);
  const auto columns = static_cast<Site>(names().size());
  gram_ = std::make_shared<const Gram>(Gram::of_coordinates(columns, std::move(scaled.predictors)));
  products_ = std::move(scaled.products);
  const auto n = static_cast<double>(rows());
  const double p = columns;
  if (prior == CoefficientPrior::unit) g_ = n;
  if (prior == CoefficientPrior::benchmark) g_ = std::max(n, p * p);
  size_cost_ = prior == CoefficientPrior::bic ? std::log(n) / 2 : std::log1p(g_) / 2;
}

double Regression::energy_of(std::size_t columns, double rest) const {
  const double size = size_cost_ * static_cast<double>(columns);
  const auto n = static_cast<double>(rows());
  rest = std::max(rest, least_rest);
  if (prior_ == CoefficientPrior::bic) return size + n / 2 * std::log(rest);
  return size + (n - 1) / 2 * std::log((1 + g_ * rest) / (1 + g_));
}

double Regression::r_squared(std::span<const Bit> bits) const {
  return 1 - SubsetVolume(*gram_, bits).rest(products_);
}

double Regression::energy(std::span<const Bit> bits) const {
  const auto columns =
      static_cast<std::size_t>(std::ranges::count_if(bits, [](Bit b) { return b; }));
  return energy_of(columns, SubsetVolume(*gram_, bits).rest(products_));
}

void Regression::changes(std::span<const Bit> bits, std::span<double> all) const {
  const std::unique_ptr<ChangeTable> table = make_table();
  table->set(bits);
  std::ranges::copy(table->changes(), all.begin());
}

std::unique_ptr<ChangeTable> Regression::make_table() const {
  return std::make_unique<RegressionTable>(*this, gram_, products_);
}

double Regression::largest_change() const {
  return size_cost_ + std::abs(energy_of(0, least_rest));
}

void Regression::add_to(Digest& digest) const {
  digest.add(std::uint64_t{5});
  digest.add(std::uint64_t{rows()});
  digest.add(static_cast<std::uint64_t>(prior_));
  for (const double value : data_.predictors) digest.add(value);
  for (const double value : data_.response) digest.add(value);
}

void Regression::describe(Facts& facts) const {
  facts.emplace_back("rows", std::uint64_t{rows()});
  facts.emplace_back("prior", std::string(prior_names[static_cast<std::size_t>(prior_)]));
  if (g_ > 0) facts.emplace_back("g", g_);
}

Model regression(std::string name, RegressionData data, CoefficientPrior prior) {
  return {std::move(name), std::make_shared<const Regression>(std::move(data), prior)};
}

}  // namespace nhot
