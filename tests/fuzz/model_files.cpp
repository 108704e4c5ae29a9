// Model files, all formats but HDF5.
#include <cmath>
#include <optional>

#include "fuzz/parser.hpp"
#include "fuzz/sizes.hpp"
#include "nhot/base/error.hpp"
#include "nhot/io/model/formats.hpp"

namespace nhot::fuzz {
namespace {

void check(const Model& model) {
  if (model.sites() > 1000) return;
  for (const Bit bit : {Bit{0}, Bit{1}})
    require(std::isfinite(model.energy(Bits(model.sites(), bit))), "an energy that is not finite");
}

void read(const Format& format, std::string_view bytes) {
  if (format.is_text && has_number_between(bytes, 20'000, 1'100'000)) return;
  const Format::Place place{"file", {}};
  const bool plain = accepts([&] { check(format.read(place, bytes, std::nullopt).model); });
  // Without a line that says what the values are.
  if (!plain && format.names_vartype)
    accepts([&] { check(format.read(place, bytes, Convention::spin).model); });
}

const bool registered = [] {
  for (const Format& format : formats())
    if (format.name != "h5")
      Parser(format.name, [&format](std::string_view bytes) { read(format, bytes); });
  return true;
}();

}  // namespace
}  // namespace nhot::fuzz
