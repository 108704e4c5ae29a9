// NumPy archives: Q (square, 0/1 variables), or h and J (one of them may be missing; spins), and
// where they are there, offset (a number) and labels (texts). Both triangles of Q and J count, as
// in nhot.qubo() and nhot.ising() of the Python package.
//
// An .npz is a ZIP file of .npy files, stored or deflated.
#include <zlib.h>

#include <algorithm>
#include <map>
#include <utility>

#include "nhot/base/options.hpp"
#include "nhot/io/model/formats.hpp"
#include "nhot/io/model/line_reader.hpp"
#include "nhot/io/model/little_endian_reader.hpp"

namespace nhot {
namespace {

constexpr const char* npz_hint =
    "write it with numpy.savez(file, Q=Q), or numpy.savez(file, h=h, J=J)";
constexpr std::uint64_t most_npy_bytes = std::uint64_t{1} << 34;  // of one array

struct ZipEntry {
  int method = 0;
  std::uint64_t packed = 0;
  std::uint64_t size = 0;
  std::uint64_t at = 0;  // of its local header
};

/// The directory at the end of a ZIP file.
std::map<std::string, ZipEntry> entries_of(LittleEndianReader& reader, std::string_view bytes) {
  constexpr std::string_view end_mark("PK\x05\x06", 4);
  const std::size_t end = bytes.rfind(end_mark);
  if (end == std::string_view::npos) reader.fail("it is no .npz file, or cut short", npz_hint);
  reader.seek(end + 10);
  const auto count = reader.number<std::uint16_t>();
  reader.number<std::uint32_t>();
  reader.seek(reader.number<std::uint32_t>());
  std::map<std::string, ZipEntry> entries;
  for (int k = 0; k < count; ++k) {
    if (reader.take(4) != std::string_view("PK\x01\x02", 4)) reader.fail_short();
    reader.take(6);
    ZipEntry entry;
    entry.method = reader.number<std::uint16_t>();
    reader.take(8);
    entry.packed = reader.number<std::uint32_t>();
    entry.size = reader.number<std::uint32_t>();
    const auto name_length = reader.number<std::uint16_t>();
    const auto extra_length = reader.number<std::uint16_t>();
    const auto comment_length = reader.number<std::uint16_t>();
    reader.take(8);
    entry.at = reader.number<std::uint32_t>();
    const std::string name(reader.take(name_length));
    reader.take(std::size_t{extra_length} + comment_length);
    entries[name] = entry;
  }
  return entries;
}

std::string contents(LittleEndianReader& reader, const std::string& name, const ZipEntry& entry) {
  if (entry.size > most_npy_bytes || entry.size == 0xffffffffU)
    reader.fail("'" + name + "' is too large", "write the model as .coo");
  reader.seek(entry.at);
  if (reader.take(4) != std::string_view("PK\x03\x04", 4)) reader.fail_short();
  reader.take(22);
  const auto name_length = reader.number<std::uint16_t>();
  const auto extra_length = reader.number<std::uint16_t>();
  reader.take(std::size_t{name_length} + extra_length);
  const std::string_view packed = reader.take(entry.packed);
  if (entry.method == 0) return std::string(packed);
  if (entry.method != 8)
    reader.fail("'" + name + "' is packed in a way that is not known", npz_hint);
  // Deflate packs at most 1032 bytes into one.
  if (entry.size > 1100 * (entry.packed + 1)) reader.fail("'" + name + "' is damaged", npz_hint);
  std::string whole(entry.size, '\0');
  z_stream stream{};
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  stream.next_out = reinterpret_cast<Bytef*>(whole.data());
  stream.avail_out = static_cast<uInt>(whole.size());
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) throw std::bad_alloc();
  const int status = inflate(&stream, Z_FINISH);
  const bool done = status == Z_STREAM_END && stream.avail_out == 0;
  inflateEnd(&stream);
  if (!done) reader.fail("'" + name + "' is damaged", "get the file again");
  return whole;
}

/// The text of a key in the header of an .npy file, which is a Python dictionary.
std::string_view header_value(const LittleEndianReader& reader, std::string_view header,
                              const std::string& key) {
  const std::size_t at = header.find("'" + key + "':");
  if (at == std::string_view::npos) reader.fail("an array has no " + key, npz_hint);
  std::string_view rest = header.substr(at + key.size() + 3);
  rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
  return rest.substr(0, rest.starts_with('(') ? rest.find(')') + 1 : rest.find(','));
}

struct NpyArray {
  std::string type;  // without the byte order
  std::vector<std::uint64_t> shape;
  std::string data;

  std::uint64_t size() const {
    std::uint64_t all = 1;
    for (const std::uint64_t side : shape) all *= side;
    return all;
  }
};

NpyArray parse_array(const LittleEndianReader& archive, const std::string& name,
                     std::string bytes) {
  LittleEndianReader reader(archive.file() + ": '" + name + "'", bytes);
  if (reader.left() < 10 || reader.take(6) != std::string_view("\x93NUMPY", 6))
    reader.fail("it is no array of NumPy", npz_hint);
  const int version = reader.number<std::uint8_t>();
  reader.number<std::uint8_t>();
  const std::size_t length =
      version == 1 ? reader.number<std::uint16_t>() : reader.number<std::uint32_t>();
  const std::string_view header = reader.take(length);
  const std::string_view type = header_value(reader, header, "descr");
  if (type.size() < 4 || (type[1] != '<' && type[1] != '|'))
    reader.fail("arrays of type " + quoted(type) + " cannot be read", "store float64");
  NpyArray array;
  array.type = type.substr(2, type.size() - 3);
  std::string_view shape = header_value(reader, header, "shape");
  for (std::size_t at = 0; at < shape.size();) {
    const std::size_t begin = shape.find_first_of("0123456789", at);
    if (begin == std::string_view::npos) break;
    at = std::min(shape.find_first_not_of("0123456789", begin), shape.size());
    const auto side = parse_integer(shape.substr(begin, at - begin));
    if (!side || *side > std::int64_t{max_sites}) reader.fail("it is too large", npz_hint);
    array.shape.push_back(static_cast<std::uint64_t>(*side));
  }
  if (array.shape.size() > 2) reader.fail("it has more than two dimensions", npz_hint);
  array.data = std::string(reader.take(reader.left()));
  return array;
}

std::vector<double> numbers_of(const LittleEndianReader& archive, const std::string& name,
                               const NpyArray& array) {
  LittleEndianReader reader(archive.file() + ": '" + name + "'", array.data);
  std::vector<double> values;
  if (array.size() > array.data.size()) reader.fail_short();
  values.reserve(array.size());
  for (std::uint64_t k = 0; k < array.size(); ++k) values.push_back(reader.number_of(array.type));
  return values;
}

void append_utf8(std::string& text, std::uint32_t point) {
  if (point < 0x80) {
    text += static_cast<char>(point);
  } else if (point < 0x800) {
    text += static_cast<char>(0xc0 | point >> 6);
    text += static_cast<char>(0x80 | (point & 0x3f));
  } else if (point < 0x10000) {
    text += static_cast<char>(0xe0 | point >> 12);
    text += static_cast<char>(0x80 | (point >> 6 & 0x3f));
    text += static_cast<char>(0x80 | (point & 0x3f));
  } else {
    text += static_cast<char>(0xf0 | (point >> 18 & 0x07));
    text += static_cast<char>(0x80 | (point >> 12 & 0x3f));
    text += static_cast<char>(0x80 | (point >> 6 & 0x3f));
    text += static_cast<char>(0x80 | (point & 0x3f));
  }
}

/// Texts of NumPy: four bytes a character, padded with zeros. Numbers serve as names, too.
std::vector<std::string> label_names(const LittleEndianReader& archive, const NpyArray& array) {
  std::vector<std::string> names;
  if (!array.type.starts_with('U')) {
    for (const double value : numbers_of(archive, "labels", array))
      names.push_back(short_real(value));
    return names;
  }
  LittleEndianReader reader(archive.file() + ": 'labels'", array.data);
  const auto width = parse_integer(std::string_view(array.type).substr(1)).value_or(0);
  if (width <= 0 || array.size() > array.data.size()) reader.fail_short();
  for (std::uint64_t k = 0; k < array.size(); ++k) {
    std::string& name = names.emplace_back();
    for (std::int64_t c = 0; c < width; ++c)
      if (const auto point = reader.number<std::uint32_t>(); point != 0) append_utf8(name, point);
  }
  return names;
}

/// Adds a square matrix to the terms: the diagonal as linear values, the triangles together, so
/// that rows and columns may be exchanged.
void add_matrix(const LittleEndianReader& archive, const std::string& name, const NpyArray& array,
                QuadraticTerms& terms) {
  if (array.shape.size() != 2 || array.shape[0] != array.shape[1] || array.shape[0] == 0)
    archive.fail("'" + name + "' is no square matrix", npz_hint);
  const std::vector<double> values = numbers_of(archive, name, array);
  terms.sites = static_cast<Site>(array.shape[0]);
  for (Site i = 0; i < terms.sites; ++i)
    for (Site j = 0; j < terms.sites; ++j) {
      const double value = values[std::size_t{i} * terms.sites + j];
      if (value == 0) continue;
      if (i == j && terms.convention == Convention::spin)
        archive.fail("'" + name + "' has a value on its diagonal, at " + std::to_string(i),
                     "s^2 = 1: add the diagonal to the offset");
      terms.couplings.push_back({std::min(i, j), std::max(i, j), value});
    }
}

}  // namespace

ReadResult read_npz(const Format::Place& place, std::string_view bytes, std::optional<Convention>) {
  LittleEndianReader reader(place.file, bytes);
  std::map<std::string, NpyArray> arrays;
  std::string listed;
  for (const auto& [name, entry] : entries_of(reader, bytes)) {
    const std::string key = name.ends_with(".npy") ? name.substr(0, name.size() - 4) : name;
    listed += (listed.empty() ? "" : ", ") + nhot::quoted(key);
    if (key == "Q" || key == "h" || key == "J" || key == "offset" || key == "labels")
      arrays[key] = parse_array(reader, key, contents(reader, name, entry));
  }
  const bool binary = arrays.count("Q") > 0;
  if (binary ? arrays.count("h") + arrays.count("J") > 0
             : arrays.count("h") + arrays.count("J") == 0)
    reader.fail(binary ? "there are both Q and h or J"
                       : "there is neither Q nor h or J; there is: " +
                             (listed.empty() ? "nothing" : listed),
                npz_hint);
  QuadraticTerms terms;
  terms.convention = binary ? Convention::binary : Convention::spin;
  for (const char* name : {"Q", "J"})
    if (arrays.count(name)) add_matrix(reader, name, arrays[name], terms);
  if (arrays.count("h")) {
    terms.linear = numbers_of(reader, "h", arrays["h"]);
    if (terms.sites == 0) terms.sites = static_cast<Site>(terms.linear.size());
    if (terms.linear.size() != terms.sites || terms.sites == 0)
      reader.fail("h has " + std::to_string(terms.linear.size()) + " numbers for " +
                      std::to_string(terms.sites) + " variables",
                  npz_hint);
  }
  if (arrays.count("offset")) {
    const std::vector<double> offset = numbers_of(reader, "offset", arrays["offset"]);
    if (offset.size() != 1) reader.fail("the offset is no single number", npz_hint);
    terms.offset = offset.front();
  }
  try {
    Model model(place.file, QuadraticModel(std::move(terms)));
    if (arrays.count("labels")) model = model.with_names(label_names(reader, arrays["labels"]));
    return {std::move(model), {}};
  } catch (const InputError& error) {
    throw InputError(std::string(error.what()).starts_with(place.file)
                         ? error.what()
                         : place.file + ": " + error.what(),
                     error.hint());
  }
}

}  // namespace nhot
