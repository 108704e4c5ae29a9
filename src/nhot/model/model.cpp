#include "nhot/model/model.hpp"

#include <bit>
#include <cstdint>
#include <utility>

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

}  // namespace

Model::Model(std::string name, QuadraticModel quadratic, LatticeShape lattice)
    : name_(std::move(name)),
      data_(std::make_shared<const QuadraticModel>(std::move(quadratic))),
      lattice_(std::move(lattice)) {}

Model::Model(std::string name, Rbm rbm)
    : name_(std::move(name)), data_(std::make_shared<const Rbm>(std::move(rbm))) {}

Site Model::sites() const {
  return std::visit([](const auto& model) { return model->sites(); }, data_);
}

std::size_t Model::couplings() const {
  return std::visit([](const auto& model) { return model->couplings(); }, data_);
}

const FixedPoint& Model::fixed_point() const {
  return std::visit([](const auto& model) -> const FixedPoint& { return model->fixed_point(); },
                    data_);
}

double Model::energy(std::span<const Bit> bits) const {
  return std::visit([bits](const auto& model) { return model->energy(bits); }, data_);
}

const QuadraticModel* Model::quadratic() const {
  const auto* held = std::get_if<std::shared_ptr<const QuadraticModel>>(&data_);
  return held ? held->get() : nullptr;
}

std::shared_ptr<const QuadraticModel> Model::shared_quadratic() const {
  const auto* held = std::get_if<std::shared_ptr<const QuadraticModel>>(&data_);
  return held ? *held : nullptr;
}

std::shared_ptr<const Rbm> Model::shared_rbm() const {
  const auto* held = std::get_if<std::shared_ptr<const Rbm>>(&data_);
  return held ? *held : nullptr;
}

const Rbm* Model::rbm() const {
  const auto* held = std::get_if<std::shared_ptr<const Rbm>>(&data_);
  return held ? held->get() : nullptr;
}

std::string Model::hash() const {
  return std::visit([](const auto& model) { return digest(*model); }, data_);
}

QuadraticTerms quadratic_terms(const Model& model) {
  if (model.quadratic()) return model.quadratic()->terms();
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
