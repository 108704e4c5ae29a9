// The RBM with Gabor-like filters; doc/models.md gives the formula and the reasons for the numbers.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "nhot/base/error.hpp"
#include "nhot/model/generators.hpp"
#include "nhot/random/normal.hpp"
#include "nhot/random/stream.hpp"

namespace nhot {
namespace {

constexpr double filter_norm = 4.0;          // Euclidean norm of the weights of every hidden unit
constexpr double shortest_wavelength = 4.0;  // pixels
constexpr double longest_wavelength = 10.0;  // pixels; at most the longer side of the image
constexpr double envelope_per_wavelength = 0.4;
constexpr double aspect = 0.6;  // width of the envelope across over along the wave front
constexpr double hidden_bias_mean = -1.0;
constexpr double hidden_bias_sd = 0.5;
constexpr double visible_bias_sd = 0.5;
constexpr double negligible = 1e-2;  // weights below this part of the largest are set to 0

struct Image {
  Site width;
  Site height;
};

// The factorisation of the visible units nearest to a square, not higher than wide.
Image image_of(Site visible) {
  auto height = static_cast<Site>(std::sqrt(static_cast<double>(visible)));
  while (height > 1 && visible % height != 0) --height;
  return {visible / height, height};
}

struct Filter {
  double centre_x, centre_y, angle, wavelength, phase;
};

Filter draw_filter(const Image& image, Xoshiro256& engine) {
  Filter filter{};
  filter.centre_x = uniform(engine) * image.width - 0.5;
  filter.centre_y = uniform(engine) * image.height - 0.5;
  filter.angle = uniform(engine) * std::numbers::pi;
  const double longest = std::clamp<double>(image.width, shortest_wavelength, longest_wavelength);
  filter.wavelength =
      shortest_wavelength * std::pow(longest / shortest_wavelength, uniform(engine));
  filter.phase = uniform(engine) * 2 * std::numbers::pi;
  return filter;
}

// Writes the filter's weights: a plane wave under a Gaussian envelope, balanced to zero sum where
// that leaves anything, scaled to filter_norm.
void fill_weights(const Filter& filter, const Image& image, double* weights) {
  const std::size_t size = std::size_t{image.width} * image.height;
  std::vector<double> envelope(size);
  double envelope_sum = 0;
  double wave_sum = 0;
  const double along = std::cos(filter.angle);
  const double across = std::sin(filter.angle);
  const double sigma = envelope_per_wavelength * filter.wavelength;
  for (std::size_t k = 0; k < size; ++k) {
    const std::size_t row = k / image.width;
    const std::size_t column = k % image.width;
    const double x = static_cast<double>(column) - filter.centre_x;
    const double y = static_cast<double>(row) - filter.centre_y;
    const double u = x * along + y * across;
    const double v = (y * along - x * across) * aspect;
    envelope[k] = std::exp(-(u * u + v * v) / (2 * sigma * sigma));
    weights[k] =
        envelope[k] * std::cos(2 * std::numbers::pi * u / filter.wavelength + filter.phase);
    envelope_sum += envelope[k];
    wave_sum += weights[k];
  }
  double square = 0;
  double balanced_square = 0;
  for (std::size_t k = 0; k < size; ++k) {
    const double balanced = weights[k] - envelope[k] * wave_sum / envelope_sum;
    square += weights[k] * weights[k];
    balanced_square += balanced * balanced;
  }
  // On an image of very few pixels balancing can leave next to nothing: then skip it.
  const bool balance = balanced_square > 0.01 * square;
  const double norm = std::sqrt(balance ? balanced_square : square);
  double largest = 0;
  for (std::size_t k = 0; k < size; ++k) {
    if (balance) weights[k] -= envelope[k] * wave_sum / envelope_sum;
    weights[k] *= filter_norm / norm;
    largest = std::max(largest, std::fabs(weights[k]));
  }
  // Rounded to floats, as trained weights are: they then take half the memory in a chain.
  for (std::size_t k = 0; k < size; ++k)
    weights[k] = std::fabs(weights[k]) < negligible * largest
                     ? 0.0
                     : static_cast<double>(static_cast<float>(weights[k]));
}

}  // namespace

Model gabor_rbm(Site visible, Site hidden, std::uint64_t seed) {
  if (!rbm_fits(visible, hidden))
    throw InputError(
        "an RBM of " + std::to_string(visible) + " visible and " + std::to_string(hidden) +
            " hidden units cannot be made",
        "at most " + std::to_string(max_rbm_weights) + " weights, for example rbm:784x500,seed=1");
  Xoshiro256 engine = make_stream(seed, 0, 0, Purpose::generator);
  const Image image = image_of(visible);
  RbmWeights weights;
  weights.visible = visible;
  weights.hidden = hidden;
  weights.weights.resize(std::size_t{visible} * hidden);
  for (Site h = 0; h < hidden; ++h)
    fill_weights(draw_filter(image, engine), image,
                 weights.weights.data() + std::size_t{h} * visible);
  NormalSource normal(engine);
  for (Site h = 0; h < hidden; ++h)
    weights.hidden_bias.push_back(hidden_bias_mean + hidden_bias_sd * normal());
  for (Site v = 0; v < visible; ++v) weights.visible_bias.push_back(visible_bias_sd * normal());
  return Model("rbm:" + std::to_string(visible) + "x" + std::to_string(hidden) +
                   ",seed=" + std::to_string(seed),
               Rbm(std::move(weights)));
}

}  // namespace nhot
