#include "nhot/model/model.hpp"

#include <bit>
#include <cstdint>
#include <utility>

#include "nhot/base/error.hpp"

namespace nhot {
namespace {

// Takes in 64-bit words by value, so that the digest does not depend on the byte order.
class Digest {
 public:
  void add(std::uint64_t word) {
    // Multiplication and rotation spread the word; the state carries the order.
    state_ = std::rotl(state_ ^ spread(word), 29) * 0x9fb21c651e98df25ULL + 0x3c79ac492ba7b653ULL;
  }
  // Numbers that compare equal have equal digests: -0 counts as 0.
  void add(double value) { add(std::bit_cast<std::uint64_t>(value == 0 ? 0.0 : value)); }

  std::string hex() const {
    static const char* digits = "0123456789abcdef";
    const std::uint64_t value = spread(state_);
    std::string text(16, '0');
    for (std::size_t k = 0; k < 16; ++k) text[k] = digits[(value >> (60 - 4 * k)) & 15];
    return text;
  }

 private:
  static std::uint64_t spread(std::uint64_t z) {
    z = (z ^ (z >> 32)) * 0xd6e8feb86659fd93ULL;
    z = (z ^ (z >> 32)) * 0xd6e8feb86659fd93ULL;
    return z ^ (z >> 32);
  }
  std::uint64_t state_ = 0x6e686f742d6d6f64ULL;
};

std::string digest(const QuadraticModel& model) {
  Digest digest;
  digest.add(std::uint64_t{1});
  digest.add(std::uint64_t{model.convention() == Convention::spin});
  digest.add(std::uint64_t{model.sites()});
  digest.add(model.offset());
  for (const double h : model.linear()) digest.add(h);
  for (Site i = 0; i < model.sites(); ++i) {
    const QuadraticModel::Row row = model.row(i);
    for (std::size_t k = 0; k < row.sites.size(); ++k) {
      if (row.sites[k] < i) continue;
      digest.add((std::uint64_t{i} << 32) | row.sites[k]);
      digest.add(row.values[k]);
    }
  }
  return digest.hex();
}

std::string digest(const Rbm& rbm) {
  Digest digest;
  digest.add(std::uint64_t{2});
  digest.add(std::uint64_t{rbm.visible()});
  digest.add(std::uint64_t{rbm.hidden()});
  for (const double w : rbm.weights().weights) digest.add(w);
  for (const double b : rbm.weights().hidden_bias) digest.add(b);
  for (const double c : rbm.weights().visible_bias) digest.add(c);
  return digest.hex();
}

std::string digest(const Energy& energy) {
  Digest digest;
  digest.add(std::uint64_t{3});
  digest.add(fingerprint(energy));
  return digest.hex();
}

template <class Held, class Data>
std::shared_ptr<const Held> held(const Data& data) {
  const auto* found = std::get_if<std::shared_ptr<const Held>>(&data);
  return found ? *found : nullptr;
}
/// Without counting a reference: loops ask for it.
template <class Held, class Data>
const Held* pointer(const Data& data) {
  const auto* found = std::get_if<std::shared_ptr<const Held>>(&data);
  return found ? found->get() : nullptr;
}

std::size_t couplings_of(const Energy& energy) { return touching_pairs(energy); }
template <class Data>
std::size_t couplings_of(const Data& data) {
  return data.couplings();
}

/// Energies given as code are taken as they are.
const FixedPoint& fixed_point_of(const Energy&) {
  static const FixedPoint none;
  return none;
}
template <class Data>
const FixedPoint& fixed_point_of(const Data& data) {
  return data.fixed_point();
}

}  // namespace

Model::Model(std::string name, QuadraticModel quadratic, LatticeShape lattice)
    : name_(std::move(name)),
      data_(std::make_shared<const QuadraticModel>(std::move(quadratic))),
      lattice_(std::move(lattice)) {}

Model::Model(std::string name, Rbm rbm)
    : name_(std::move(name)), data_(std::make_shared<const Rbm>(std::move(rbm))) {}

Model::Model(std::string name, std::shared_ptr<const Energy> energy)
    : name_(std::move(name)), data_(std::move(energy)) {
  if (!custom())
    throw InputError("the model '" + name_ + "' has no energy",
                     "give a pointer to an object derived from nhot::Energy");
  check_energy(*custom(), name_);
}

std::string Model::kind() const {
  if (custom()) return "custom";
  return rbm() ? "rbm" : "quadratic";
}

Site Model::sites() const {
  return std::visit([](const auto& model) { return model->sites(); }, data_);
}

std::size_t Model::couplings() const {
  return std::visit([](const auto& model) { return couplings_of(*model); }, data_);
}

const FixedPoint& Model::fixed_point() const {
  return std::visit([](const auto& model) -> const FixedPoint& { return fixed_point_of(*model); },
                    data_);
}

double Model::energy(std::span<const Bit> bits) const {
  return std::visit([bits](const auto& model) { return model->energy(bits); }, data_);
}

std::shared_ptr<const QuadraticModel> Model::shared_quadratic() const {
  return held<QuadraticModel>(data_);
}
std::shared_ptr<const Rbm> Model::shared_rbm() const { return held<Rbm>(data_); }
std::shared_ptr<const Energy> Model::shared_custom() const { return held<Energy>(data_); }

const QuadraticModel* Model::quadratic() const { return pointer<QuadraticModel>(data_); }
const Rbm* Model::rbm() const { return pointer<Rbm>(data_); }
const Energy* Model::custom() const { return pointer<Energy>(data_); }

std::string Model::hash() const {
  return std::visit([](const auto& model) { return digest(*model); }, data_);
}

QuadraticTerms quadratic_terms(const Model& model) {
  if (model.quadratic()) return model.quadratic()->terms();
  if (model.custom())
    throw InputError("'" + model.name() + "' is an energy given as code, which has no couplings",
                     "give the model as couplings to write it to a file");
  const RbmWeights& w = model.rbm()->weights();
  QuadraticTerms terms;
  terms.sites = model.sites();
  terms.convention = Convention::binary;
  terms.linear.reserve(terms.sites);
  for (const double c : w.visible_bias) terms.linear.push_back(-c);
  for (const double b : w.hidden_bias) terms.linear.push_back(-b);
  terms.couplings.reserve(w.weights.size());
  for (Site v = 0; v < w.visible; ++v) {
    for (Site h = 0; h < w.hidden; ++h) {
      const double weight = w.weights[std::size_t{h} * w.visible + v];
      if (weight != 0) terms.couplings.push_back({v, w.visible + h, -weight});
    }
  }
  return terms;
}

}  // namespace nhot
