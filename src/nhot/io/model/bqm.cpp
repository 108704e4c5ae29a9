// dimod's models: BinaryQuadraticModel.to_file() (versions 1 and 2), and to_serializable() as JSON.
//
// After "DIMODBQM", two bytes of version and the length of a JSON header come, packed: the offset;
// for every variable the place where its neighbours begin and its linear bias; (neighbour, bias)
// of all neighbourhoods, so that every interaction comes twice; and, where variables have labels, a
// section "VARS" with them as JSON. In version 1 the header holds the labels.
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "nhot/io/model/formats.hpp"
#include "nhot/io/model/little_endian_reader.hpp"

namespace nhot {
namespace {

using nlohmann::json;

constexpr std::string_view bqm_magic = "DIMODBQM";
constexpr const char* bqm_hint =
    "write the file with dimod: bqm.to_file(), or json.dump(bqm.to_serializable(), file)";

std::string short_type(const LittleEndianReader& reader, const json& header, const char* key) {
  const std::string name = header.at(key).get<std::string>();
  for (const auto& [long_name, type] : {std::pair{"float64", "f8"},
                                        {"float32", "f4"},
                                        {"int64", "i8"},
                                        {"int32", "i4"},
                                        {"int16", "i2"},
                                        {"int8", "i1"},
                                        {"uint64", "u8"},
                                        {"uint32", "u4"}})
    if (name == long_name) return type;
  reader.fail("numbers of type '" + name + "' cannot be read", bqm_hint);
}

Convention convention_of(const LittleEndianReader& reader, const std::string& name) {
  if (name == "SPIN") return Convention::spin;
  if (name == "BINARY") return Convention::binary;
  reader.fail("the vartype '" + name + "' is neither SPIN nor BINARY", bqm_hint);
}

std::uint64_t count_of(const LittleEndianReader& reader, const json& number, std::uint64_t most) {
  if (!number.is_number_integer() || number.get<std::int64_t>() < 0 ||
      number.get<std::uint64_t>() > most)
    reader.fail("the size " + number.dump() + " is out of range", bqm_hint);
  return number.get<std::uint64_t>();
}

Site site_of(const LittleEndianReader& reader, double index, Site sites) {
  if (!(index >= 0 && index < sites && index == std::floor(index)))
    reader.fail("an interaction names a variable that is not there", "get the file again");
  return static_cast<Site>(index);
}

/// Texts as they are, other labels as JSON writes them. None where variables are their numbers.
std::vector<std::string> variable_names(const LittleEndianReader& reader, const json& labels,
                                        Site sites) {
  if (!labels.is_array() || labels.size() != sites)
    reader.fail("there are not as many labels as variables", bqm_hint);
  std::vector<std::string> names;
  bool numbered = true;
  for (std::size_t k = 0; k < labels.size(); ++k) {
    numbered = numbered && labels[k].is_number_integer() && labels[k] == json(k);
    names.push_back(labels[k].is_string() ? labels[k].get<std::string>() : labels[k].dump());
  }
  if (numbered) names.clear();
  return names;
}

ReadResult finish_bqm(const LittleEndianReader& reader, QuadraticTerms terms,
                      std::vector<std::string> names) {
  try {
    Model model(reader.file(), QuadraticModel(std::move(terms)));
    if (!names.empty()) model = model.with_names(std::move(names));
    return {std::move(model), {}};
  } catch (const InputError& error) {
    reader.fail(error.what(), error.hint());
  }
}

ReadResult read_binary(LittleEndianReader& reader) {
  reader.take(bqm_magic.size());
  const int version = reader.number<std::uint8_t>();
  reader.number<std::uint8_t>();
  if (version != 1 && version != 2)
    reader.fail("version " + std::to_string(version) + " of the format is not known",
                "write version 2: bqm.to_file(version=2)");
  const json header = json::parse(reader.take(reader.number<std::uint32_t>()));
  const std::string real = short_type(reader, header, "dtype");
  const std::string index = short_type(reader, header, "itype");
  const std::string start = short_type(reader, header, "ntype");
  QuadraticTerms terms;
  terms.convention = convention_of(reader, header.at("vartype").get<std::string>());
  terms.sites = static_cast<Site>(count_of(reader, header.at("shape").at(0), max_sites));
  const std::uint64_t pairs = count_of(reader, header.at("shape").at(1), max_couplings);
  if (terms.sites == 0) reader.fail("there are no variables", bqm_hint);
  // Refused before memory is asked for: each takes two bytes at least.
  if (2 * (terms.sites + 2 * pairs) > reader.left()) reader.fail_short();
  terms.offset = reader.number_of(real);
  std::vector<std::uint64_t> begins;
  for (Site i = 0; i < terms.sites; ++i) {
    const double begin = reader.number_of(start);
    if (!(begin >= 0 && begin <= static_cast<double>(2 * pairs)))
      reader.fail("a neighbourhood lies outside the file", "get the file again");
    begins.push_back(static_cast<std::uint64_t>(begin));
    terms.linear.push_back(reader.number_of(real));
  }
  begins.push_back(2 * pairs);
  for (Site i = 0; i < terms.sites; ++i) {
    if (begins[i] > begins[i + 1] || begins[i + 1] > 2 * pairs)
      reader.fail("the neighbourhoods overlap", "get the file again");
    for (std::uint64_t k = begins[i]; k < begins[i + 1]; ++k) {
      const Site j = site_of(reader, reader.number_of(index), terms.sites);
      const double value = reader.number_of(real);
      if (i < j) terms.couplings.push_back({i, j, value});
    }
  }
  std::vector<std::string> names;
  const json& labels = header.at("variables");
  if (labels.is_array()) {
    names = variable_names(reader, labels, terms.sites);
  } else if (labels == json(true)) {
    if (reader.take(4) != "VARS") reader.fail("the labels are missing", "get the file again");
    names = variable_names(reader, json::parse(reader.take(reader.number<std::uint32_t>())),
                           terms.sites);
  }
  return finish_bqm(reader, std::move(terms), std::move(names));
}

ReadResult read_json(const LittleEndianReader& reader, std::string_view bytes) {
  const json data = json::parse(bytes);
  if (!data.is_object() || !data.contains("linear_biases") || !data.contains("variable_type"))
    reader.fail("it is JSON, but no model of dimod", bqm_hint);
  if (data.value("use_bytes", false))
    reader.fail("the biases are stored as bytes", "write it with use_bytes=False");
  const json& linear = data.at("linear_biases");
  const json& head = data.at("quadratic_head");
  const json& tail = data.at("quadratic_tail");
  const json& values = data.at("quadratic_biases");
  QuadraticTerms terms;
  terms.convention = convention_of(reader, data.at("variable_type").get<std::string>());
  terms.linear = linear.get<std::vector<double>>();
  terms.sites = static_cast<Site>(terms.linear.size());
  terms.offset = data.value("offset", 0.0);
  if (terms.sites == 0) reader.fail("there are no variables", bqm_hint);
  if (head.size() != values.size() || tail.size() != values.size())
    reader.fail("quadratic_head, quadratic_tail and quadratic_biases differ in length", bqm_hint);
  for (std::size_t k = 0; k < values.size(); ++k)
    terms.couplings.push_back({site_of(reader, head[k].get<double>(), terms.sites),
                               site_of(reader, tail[k].get<double>(), terms.sites),
                               values[k].get<double>()});
  return finish_bqm(
      reader, std::move(terms),
      variable_names(reader, data.at("variable_labels"), static_cast<Site>(linear.size())));
}

}  // namespace

ReadResult read_bqm(const Format::Place& place, std::string_view bytes, std::optional<Convention>) {
  LittleEndianReader reader(place.file, bytes);
  try {
    if (bytes.starts_with(bqm_magic)) return read_binary(reader);
    if (const std::size_t begin = bytes.find_first_not_of(" \t\r\n");
        begin != std::string_view::npos && bytes[begin] == '{')
      return read_json(reader, bytes);
  } catch (const json::exception&) {
    reader.fail("it is no model of dimod: its JSON cannot be read", bqm_hint);
  }
  reader.fail("it begins neither as a file of dimod nor as JSON", bqm_hint);
}

}  // namespace nhot
