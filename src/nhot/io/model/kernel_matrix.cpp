// Matrices of numbers for k-DPPs: L itself, or the features B of L = B B', a row for every item.
// Text, a line for every row, with spaces, tabs, commas or semicolons between the numbers; or
// NumPy's .npy.
#include <bit>
#include <cstring>
#include <utility>

#include "nhot/base/error.hpp"
#include "nhot/io/model/formats.hpp"
#include "nhot/io/model/line_reader.hpp"
#include "nhot/io/model/terms_builder.hpp"
#include "nhot/model/kdpp/kdpp.hpp"

namespace nhot {
namespace {

struct Matrix {
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::vector<double> values;  // row by row
};

constexpr std::string_view numpy_magic = "\x93NUMPY";
constexpr std::string_view separators = " \t,;";

Matrix read_text(LineReader& reader) {
  Matrix matrix;
  while (reader.next()) {
    std::string_view line = reader.line();
    if (line[0] == '#') continue;
    std::size_t count = 0;
    for (std::size_t at = line.find_first_not_of(separators); at != std::string_view::npos;) {
      const std::size_t end = std::min(line.find_first_of(separators, at), line.size());
      matrix.values.push_back(reader.value(line.substr(at, end - at)));
      ++count;
      at = line.find_first_not_of(separators, end);
    }
    if (matrix.rows > 0 && count != matrix.columns)
      reader.fail("the row has " + std::to_string(count) + " numbers, where rows before have " +
                      std::to_string(matrix.columns),
                  "write as many numbers in every line");
    matrix.columns = count;
    ++matrix.rows;
  }
  return matrix;
}

/// What follows "'key':" in the header of a .npy file, up to the next key.
std::string_view header_value(std::string_view header, std::string_view key) {
  const std::size_t at = header.find(key);
  if (at == std::string_view::npos) return {};
  const std::string_view rest = header.substr(at + key.size());
  return rest.substr(0, rest.find('\''));
}

/// Version 1 to 3 of the format, doubles or floats in this machine's order of bytes.
Matrix read_numpy(const LineReader& reader, std::string_view bytes) {
  const auto fail = [&](const std::string& problem) {
    reader.fail_file(problem, "save it with numpy.save(file, matrix.astype('f8'))");
  };
  const auto length_at = [&](std::size_t at, std::size_t size) {
    std::size_t length = 0;
    for (std::size_t k = 0; k < size; ++k)
      length |= std::size_t{static_cast<unsigned char>(bytes[at + k])} << (8 * k);
    return length;
  };
  const std::size_t size = bytes.size() > 6 && bytes[6] == 1 ? 2 : 4;
  if (bytes.size() < 8 + size) fail("the .npy file is cut short");
  const std::size_t begin = 8 + size;
  const std::size_t length = length_at(8, size);
  if (length > bytes.size() - begin) fail("the .npy file is cut short");
  const std::string_view header = bytes.substr(begin, length);
  const std::string_view data = bytes.substr(begin + length);

  const std::size_t type = header.find("'descr': '");
  const std::string_view kind =
      type == std::string_view::npos ? std::string_view() : header.substr(type + 10, 3);
  if ((kind != "<f8" && kind != "<f4") || std::endian::native != std::endian::little)
    fail("the .npy file holds numbers of the type " + quoted(kind));
  if (header_value(header, "'fortran_order':").find("False") == std::string_view::npos)
    fail("the .npy file is in Fortran's order");
  std::string_view shape = header_value(header, "'shape':");
  std::vector<std::size_t> sides;
  for (std::size_t at = shape.find_first_of("0123456789"); at != std::string_view::npos;
       at = shape.find_first_of("0123456789", at)) {
    const std::size_t end = std::min(shape.find_first_not_of("0123456789", at), shape.size());
    sides.push_back(reader.count(shape.substr(at, end - at), "side", max_sites));
    at = end;
  }
  const std::size_t width = kind == "<f8" ? 8 : 4;
  if (sides.size() != 2 || sides[0] == 0 || sides[1] == 0)
    fail("the .npy file holds an array of " + std::to_string(sides.size()) +
         " dimensions, or an empty one");
  if (data.size() % width != 0 || data.size() / width != sides[0] * sides[1])
    fail("the .npy file holds " + std::to_string(data.size()) + " bytes for " +
         std::to_string(sides[0]) + " x " + std::to_string(sides[1]) + " numbers");
  Matrix matrix{sides[0], sides[1], std::vector<double>(sides[0] * sides[1])};
  for (std::size_t k = 0; k < matrix.values.size(); ++k) {
    if (width == 8) {
      std::memcpy(&matrix.values[k], data.data() + 8 * k, 8);
    } else {
      float value = 0;
      std::memcpy(&value, data.data() + 4 * k, 4);
      matrix.values[k] = value;
    }
  }
  return matrix;
}

Matrix read_matrix(LineReader& reader, std::string_view bytes) {
  Matrix matrix = bytes.starts_with(numpy_magic) ? read_numpy(reader, bytes) : read_text(reader);
  if (matrix.rows == 0 || matrix.columns == 0)
    reader.fail_file("there are no numbers", "write a row of numbers in every line");
  if (matrix.rows > max_sites)
    reader.fail_file("there are " + std::to_string(matrix.rows) + " rows",
                     "the largest model has " + std::to_string(max_sites) + " sites");
  return matrix;
}

std::vector<std::string> write_matrix(const Model& model, AtomicFile& out, bool features) {
  const auto* own = dynamic_cast<const KDpp*>(model.custom());
  if (!own || (own->kernel().features > 0) != features)
    throw InputError(
        "'" + model.name() + "' is not a k-DPP " + (features ? "of features" : "of a whole kernel"),
        features ? "write a whole kernel with {format kdpp}"
                 : "write features with {format kdpp-features}");
  const std::size_t columns = features ? own->kernel().features : own->sites();
  for (std::size_t k = 0; k < own->kernel().values.size(); ++k) {
    append_number(out, own->kernel().values[k]);
    out.append((k + 1) % columns == 0 ? "\n" : " ");
  }
  return {};
}

}  // namespace

ReadResult read_kdpp(const Format::Place& place, std::string_view bytes,
                     std::optional<Convention>) {
  LineReader reader(place.file, bytes);
  Matrix matrix = read_matrix(reader, bytes);
  if (matrix.rows != matrix.columns)
    reader.fail_file("the matrix is " + std::to_string(matrix.rows) + " x " +
                         std::to_string(matrix.columns) + ", and a kernel is square",
                     "for the features B of L = B B', a row for every item, pass "
                     "{format kdpp-features}");
  return {naming_file(reader, [&] { return kdpp(place.file, {std::move(matrix.values), 0}); }), {}};
}

ReadResult read_kdpp_features(const Format::Place& place, std::string_view bytes,
                              std::optional<Convention>) {
  LineReader reader(place.file, bytes);
  Matrix matrix = read_matrix(reader, bytes);
  return {naming_file(reader,
                      [&] {
                        return kdpp(place.file, {std::move(matrix.values), matrix.columns});
                      }),
          {}};
}

std::vector<std::string> write_kdpp(const Model& model, const Format::Place&, AtomicFile& out) {
  return write_matrix(model, out, false);
}

std::vector<std::string> write_kdpp_features(const Model& model, const Format::Place&,
                                             AtomicFile& out) {
  return write_matrix(model, out, true);
}

}  // namespace nhot
