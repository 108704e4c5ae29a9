// Energies given as code: what is asked of them, and what is said when they contradict themselves.
#include "nhot/model/energy.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <optional>

#include "nhot/model/generators.hpp"
#include "support/custom_energies.hpp"
#include "support/messages.hpp"

namespace nhot::test {
namespace {

/// A ring of nine sites, E = sum x_i x_{i+1}, with members that can be made wrong.
class Ring : public Energy {
 public:
  Site sites() const override { return size; }
  double energy(std::span<const Bit> x) const override {
    double sum = 0;
    for (Site i = 0; i < 9; ++i) sum += x[i] * x[(i + 1) % 9];
    return x[0] && x[4] ? sum + at_0_and_4 : sum;
  }
  double change(std::span<const Bit> x, Site i) const override {
    return wrong_sign * Energy::change(x, i);
  }
  std::optional<std::span<const Site>> touched(Site i) const override { return lists[i]; }

  Site size = 9;
  double at_0_and_4 = 0;
  double wrong_sign = 1;
  std::vector<std::vector<Site>> lists = {{1, 8}, {0, 2}, {1, 3}, {2, 4}, {3, 5},
                                          {4, 6}, {5, 7}, {6, 8}, {0, 7}};
};

std::string said(const Ring& ring) {
  return whole_of(refusal([&] { Model("ring", std::make_shared<const Ring>(ring)); }));
}

TEST(CustomEnergy, IsAModel) {
  const Model model("ring", std::make_shared<const Ring>());
  EXPECT_EQ(model.sites(), 9U);
  EXPECT_EQ(model.couplings(), 9U);
  EXPECT_EQ(model.kind(), "custom");
  EXPECT_EQ(model.quadratic(), nullptr);
  EXPECT_EQ(model.rbm(), nullptr);
  const Bits bits = {1, 1, 0, 1, 1, 1, 0, 0, 1};
  EXPECT_EQ(model.energy(bits), 4);
  EXPECT_EQ(model.data().flip_costs(bits), (std::vector<double>{-2, -1, 2, -1, -2, -1, 1, 1, -1}));
  EXPECT_NE(whole_of(refusal([&] { quadratic_terms(model); })).find("given as code"),
            std::string::npos);
}

TEST(CustomEnergy, ItsHashIsThatOfItsValues) {
  const Model ring("ring", std::make_shared<const Ring>());
  const Model same("another name", std::make_shared<const Ring>());
  Ring changed;
  changed.lists[0] = {1, 4, 8};
  changed.lists[4] = {0, 3, 5};
  changed.at_0_and_4 = 1e-9;
  const Model other("ring", std::make_shared<const Ring>(changed));
  EXPECT_EQ(ring.hash(), same.hash());
  EXPECT_NE(ring.hash(), other.hash());
  EXPECT_EQ(ring.hash().size(), 16U);
}

TEST(CustomEnergy, WithoutListsEverySiteTouchesAllOthers) {
  EXPECT_EQ(triples_model().couplings(), 15U);
  EXPECT_EQ(local_triples_model().couplings(), 6U);
}

TEST(CustomEnergy, ContradictionsAreRefused) {
  EXPECT_NE(whole_of(refusal([] {
              Model("none", std::shared_ptr<const Energy>());
            })).find("the model 'none' has no energy"),
            std::string::npos);
  Ring none;
  none.size = 0;
  EXPECT_EQ(said(none), "the energy of 'ring': it has no sites | give sites() above 0");
  Ring outside;
  outside.lists[3] = {2, 9};
  EXPECT_NE(said(outside).find("touched(3) holds 9 | give sites below 9"), std::string::npos);
  Ring itself;
  itself.lists[3] = {2, 3};
  EXPECT_NE(said(itself).find("touched(3) holds 3"), std::string::npos);
  Ring unordered;
  unordered.lists[3] = {4, 2};
  EXPECT_NE(said(unordered).find("touched(3) holds 2"), std::string::npos);
  Ring one_sided;
  one_sided.lists[3] = {2};
  EXPECT_NE(said(one_sided).find("touched(4) holds 3 but not the other way round"),
            std::string::npos);
  Ring wrong;
  wrong.wrong_sign = -1;
  EXPECT_NE(said(wrong).find("where the energies differ by"), std::string::npos);
  Ring incomplete;
  incomplete.at_0_and_4 = 5;
  EXPECT_NE(said(incomplete).find("which touched() does not say"), std::string::npos)
      << said(incomplete);
  for (const double value :
       {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
    Ring infinite;
    infinite.at_0_and_4 = value;
    EXPECT_NE(said(infinite).find("give finite numbers"), std::string::npos) << said(infinite);
  }
  EXPECT_EQ(said(Ring()), "(not refused) | (not refused)");
}

/// E = sum_i h_i x_i, which says all changes at once, wrongly for one site or for ones if asked to.
class Fields : public Energy {
 public:
  explicit Fields(Site size) : size_(size) {}
  Site sites() const override { return size_; }
  double energy(std::span<const Bit> x) const override {
    double sum = 0;
    for (Site i = 0; i < size_; ++i) sum += field(i) * x[i];
    return sum;
  }
  void changes(std::span<const Bit> x, std::span<double> all) const override {
    for (Site i = 0; i < size_; ++i)
      all[i] = (x[i] && !forgets_ones ? -field(i) : field(i)) + (i == wrong_site ? wrong_by : 0);
  }

  bool forgets_ones = false;
  std::optional<Site> wrong_site;
  double wrong_by = 0.25;

 private:
  static double field(Site i) { return 0.5 + 0.125 * (i % 3); }
  Site size_;
};

std::string said(const Fields& fields) {
  return whole_of(refusal([&] { Model("fields", std::make_shared<const Fields>(fields)); }));
}

TEST(CustomEnergy, AllChangesAtOnceAreUsed) {
  const Model model("fields", std::make_shared<const Fields>(4));
  EXPECT_EQ(model.data().flip_costs(Bits{0, 1, 1, 0}),
            (std::vector<double>{0.5, -0.625, -0.75, 0.5}));
}

TEST(CustomEnergy, ChangesThatContradictTheEnergyAreRefused) {
  for (const Site size : {1U, 2U, 3U, 6U, 11U, 32U, 33U, 100U, 1000U}) {
    SCOPED_TRACE(size);
    Fields fields(size);
    EXPECT_EQ(said(fields), "(not refused) | (not refused)");
    for (const Site site : {Site{0}, size - 1}) {
      fields.wrong_site = site;
      for (const double by : {0.25, -1e-3, std::numeric_limits<double>::quiet_NaN()}) {
        fields.wrong_by = by;
        const std::string text = said(fields);
        EXPECT_NE(text.find("the energy of 'fields': changes() says "), std::string::npos) << text;
        EXPECT_NE(text.find(" of site " + std::to_string(site) + " where change() says "),
                  std::string::npos)
            << text;
        EXPECT_NE(text.find(" | changes() holds change() of every site"), std::string::npos)
            << text;
      }
    }
    fields.wrong_site.reset();
    fields.forgets_ones = true;  // right in a state of zeros
    EXPECT_NE(said(fields).find("changes() says "), std::string::npos) << said(fields);
  }
}

}  // namespace
}  // namespace nhot::test
