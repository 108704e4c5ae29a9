// What a run file says besides its draws: root attributes, constant_data, checkpoint.
#include <algorithm>
#include <array>

#include "nhot/io/attribute_text.hpp"
#include "nhot/io/checksum.hpp"
#include "nhot/io/run/damage.hpp"
#include "nhot/io/run/run_groups.hpp"

namespace nhot {
namespace {

// Attributes that have their own place in RunFacts, or concern the file and not the run.
constexpr std::array<std::string_view, 7> structural = {
    "nhot_format", "nhot_finished", "lattice_sides", "lattice_periodic",
    "rbm_visible", "rbm_hidden",    "_NCProperties"};

std::int64_t integer_or(const NcGroup& group, const std::string& name, std::int64_t fallback) {
  const auto value = group.attribute(name);
  if (!value) return fallback;
  if (const auto* truth = std::get_if<bool>(&*value)) return *truth ? 1 : 0;
  const auto* integer = std::get_if<std::int64_t>(&*value);
  if (!integer) throw DamagedRun("attribute " + name + " is not an integer");
  return *integer;
}

std::uint64_t count_or_zero(const NcGroup& group, const std::string& name) {
  const std::int64_t value = integer_or(group, name, 0);
  if (value < 0) throw DamagedRun("attribute " + name + " is negative");
  return static_cast<std::uint64_t>(value);
}

Site site_count(const NcGroup& group, const std::string& name) {
  const std::uint64_t value = count_or_zero(group, name);
  if (value > 0xffff'fffeULL) throw DamagedRun("attribute " + name + " is too large");
  return static_cast<Site>(value);
}

void put_metadata(const NcGroup& group, const Metadata& metadata) {
  for (const auto& [key, value] : metadata)
    group.put_attribute(attribute_key(key), attribute_from_text(key, value));
}

Metadata get_metadata(const NcGroup& group) {
  Metadata metadata;
  for (const std::string& name : group.attributes()) {
    if (std::find(structural.begin(), structural.end(), name) != structural.end()) continue;
    if (const auto value = group.attribute(name))
      metadata.emplace_back(name, text_from_attribute(*value, name));
  }
  return metadata;
}

/// UTF-8, a zero byte behind every name.
void write_names(const NcGroup& group, const SiteNames& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) text += names[i] + '\0';
  const NcVariable variable =
      group.define("site_names", NcType::uint8, {group.define_dimension("letter", text.size())},
                   {{std::min<std::size_t>(text.size(), std::size_t{1} << 20)}, true});
  group.put_attribute(variable, "long_name",
                      std::string("names of the sites in UTF-8, a zero byte behind each"));
  write(variable, {{0}, {text.size()}},
        std::span(reinterpret_cast<const std::uint8_t*>(text.data()), text.size()));
}

SiteNames read_names(const NcGroup& group, NcVariable variable, Site sites) {
  const std::vector<std::size_t> shape = group.shape(variable);
  if (shape.size() != 1) throw DamagedRun("the names of the sites have a wrong shape");
  std::string text(shape[0], '\0');
  read(variable, {{0}, {shape[0]}},
       std::span(reinterpret_cast<std::uint8_t*>(text.data()), text.size()));
  std::vector<std::string> names;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\0', at), text.size());
    names.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  if (names.size() != sites) throw DamagedRun("there is not one name for every site");
  return SiteNames(std::move(names));
}

void write_graph(const NcGroup& group, const std::vector<std::array<Site, 2>>& graph) {
  const NcDimension edge = group.define_dimension("edge", graph.size());
  const NcDimension end = group.define_dimension("end", 2);
  const NcVariable variable =
      group.define("graph", NcType::int64, {edge, end}, {{graph.size(), 2}, true});
  group.put_attribute(variable, "long_name", std::string("couplings to draw: pairs of sites"));
  std::vector<std::int64_t> flat;
  for (const auto& [a, b] : graph) flat.insert(flat.end(), {a, b});
  write(variable, {{0, 0}, {graph.size(), 2}}, std::span<const std::int64_t>(flat));
}

std::vector<std::array<Site, 2>> read_graph(const NcGroup& group, NcVariable variable, Site sites) {
  const std::vector<std::size_t> shape = group.shape(variable);
  if (shape.size() != 2 || shape[1] != 2) throw DamagedRun("the graph has a wrong shape");
  std::vector<std::int64_t> flat(2 * shape[0]);
  read(variable, {{0, 0}, {shape[0], 2}}, std::span<std::int64_t>(flat));
  if (std::any_of(flat.begin(), flat.end(), [&](std::int64_t i) { return i < 0 || i >= sites; }))
    throw DamagedRun("the graph joins sites that do not exist");
  std::vector<std::array<Site, 2>> graph(shape[0]);
  for (std::size_t k = 0; k < graph.size(); ++k)
    graph[k] = {static_cast<Site>(flat[2 * k]), static_cast<Site>(flat[2 * k + 1])};
  return graph;
}

void write_constants(const NcGroup& root, const RunFacts& facts) {
  if (facts.filters.empty() && facts.reference.empty() && facts.names.empty() &&
      facts.graph.empty())
    return;
  const NcGroup group = root.define_group("constant_data");
  put_metadata(group, facts.metadata);
  if (!facts.reference.empty()) {
    const std::size_t sites = facts.reference.size();
    const NcVariable reference =
        group.define("reference", NcType::int8, {group.define_dimension("site", sites)},
                     {{std::min<std::size_t>(sites, std::size_t{1} << 20)}, true});
    group.put_attribute(reference, "long_name", std::string("the reference of the distance"));
    write(reference, {{0}, {sites}},
          std::span(reinterpret_cast<const std::int8_t*>(facts.reference.data()), sites));
  }
  if (!facts.names.empty()) write_names(group, facts.names);
  if (!facts.graph.empty()) write_graph(group, facts.graph);
  if (!facts.filters.empty()) {
    const std::size_t visible = facts.filters.front().size();
    const NcDimension row = group.define_dimension("filter", facts.filters.size());
    const NcDimension column = group.define_dimension("visible", visible);
    const NcVariable filters =
        group.define("filters", NcType::float32, {row, column}, {{1, visible}, true});
    group.put_attribute(filters, "long_name", std::string("weights of the first hidden units"));
    for (std::size_t k = 0; k < facts.filters.size(); ++k)
      write(filters, {{k, 0}, {1, visible}}, std::span<const float>(facts.filters[k]));
  }
}

void read_constants(const NcGroup& group, RunFacts& facts) {
  if (const auto reference = group.find("reference")) {
    if (group.shape(*reference) != std::vector<std::size_t>{facts.sites})
      throw DamagedRun("the reference has a wrong length");
    facts.reference.resize(facts.sites);
    read(*reference, {{0}, {facts.sites}},
         std::span(reinterpret_cast<std::int8_t*>(facts.reference.data()), facts.sites));
  }
  if (const auto names = group.find("site_names"))
    facts.names = read_names(group, *names, facts.sites);
  if (const auto graph = group.find("graph")) facts.graph = read_graph(group, *graph, facts.sites);
  if (const auto filters = group.find("filters")) {
    const std::vector<std::size_t> shape = group.shape(*filters);
    if (shape.size() != 2) throw DamagedRun("the filters have a wrong shape");
    facts.filters.assign(shape[0], std::vector<float>(shape[1]));
    for (std::size_t k = 0; k < shape[0]; ++k)
      read(*filters, {{k, 0}, {1, shape[1]}}, std::span<float>(facts.filters[k]));
  }
}

}  // namespace

void write_facts(const NcGroup& root, const RunFacts& facts) {
  root.put_attribute("nhot_format", std::int64_t{run_format});
  put_metadata(root, facts.metadata);
  if (!facts.lattice.sides.empty()) {
    root.put_attribute("lattice_sides", std::vector<std::int64_t>(facts.lattice.sides.begin(),
                                                                  facts.lattice.sides.end()));
    root.put_attribute("lattice_periodic", facts.lattice.periodic);
  }
  if (facts.rbm_visible > 0) {
    root.put_attribute("rbm_visible", std::int64_t{facts.rbm_visible});
    root.put_attribute("rbm_hidden", std::int64_t{facts.rbm_hidden});
  }
  write_constants(root, facts);
}

RunFacts read_facts(const NcGroup& root) {
  RunFacts facts;
  facts.metadata = get_metadata(root);
  facts.chains = count_or_zero(root, "chains");
  facts.sites = site_count(root, "sites");
  if (const auto sides = root.attribute("lattice_sides")) {
    if (const auto* one = std::get_if<std::int64_t>(&*sides))
      facts.lattice.sides.push_back(static_cast<Site>(*one));
    if (const auto* list = std::get_if<std::vector<std::int64_t>>(&*sides))
      for (const std::int64_t side : *list) facts.lattice.sides.push_back(static_cast<Site>(side));
    facts.lattice.periodic = integer_or(root, "lattice_periodic", 1) != 0;
  }
  facts.rbm_visible = site_count(root, "rbm_visible");
  facts.rbm_hidden = site_count(root, "rbm_hidden");
  if (const auto constants = root.find_group("constant_data")) read_constants(*constants, facts);
  return facts;
}

void write_finished(const NcGroup& root, const Metadata& results) {
  put_metadata(root, results);
  root.put_attribute("nhot_finished", true);
}

bool read_finished(const NcGroup& root) { return integer_or(root, "nhot_finished", 0) != 0; }

void write_checkpoint(const NcGroup& root, const StoredCheckpoint& checkpoint) {
  if (checkpoint.chains.empty()) return;
  auto group = root.find_group("checkpoint");
  if (!group) {
    group = root.define_group("checkpoint");
    const NcDimension chain = group->define_dimension("chain", checkpoint.chains.size());
    const NcDimension byte = group->define_unlimited("byte");
    std::size_t longest = 1;
    for (const auto& bytes : checkpoint.chains) longest = std::max(longest, bytes.size());
    group->define("length", NcType::int64, {chain});
    group->define("state", NcType::uint8, {chain, byte},
                  {{1, std::min<std::size_t>(longest, std::size_t{1} << 20)}});
  }
  group->put_attribute("byte_order", std::string(byte_order));
  for (std::size_t c = 0; c < checkpoint.chains.size(); ++c) {
    const std::vector<std::byte>& bytes = checkpoint.chains[c];
    write(group->get("length"), {{c}, {1}},
          std::vector<std::int64_t>{static_cast<std::int64_t>(bytes.size())});
    write(group->get("state"), {{c, 0}, {1, bytes.size()}},
          std::span(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()));
  }
  group->put_attribute("warmup_draws", static_cast<std::int64_t>(checkpoint.warmup_draws));
  group->put_attribute("draws", static_cast<std::int64_t>(checkpoint.draws));
  for (const auto& [key, value] : checkpoint.plan)
    group->put_attribute("plan_" + attribute_key(key), attribute_from_text(key, value));
  group->put_attribute("checksum", checksum_of(checkpoint.chains));
}

StoredCheckpoint read_checkpoint(const NcGroup& root) {
  StoredCheckpoint checkpoint;
  const auto group = root.find_group("checkpoint");
  if (!group) return checkpoint;
  const auto order = group->attribute("byte_order");
  if (!order || text_from_attribute(*order) != byte_order)
    return checkpoint;  // of the other byte order: the draws are of use, this is not
  const NcVariable state = group->get("state");
  const std::vector<std::size_t> shape = group->shape(state);
  const NcVariable length = group->get("length");
  if (shape.size() != 2 || group->shape(length) != std::vector<std::size_t>{shape[0]})
    throw DamagedRun("the checkpoint has a wrong shape");
  std::vector<std::int64_t> lengths(shape[0]);
  read(length, {{0}, {shape[0]}}, std::span<std::int64_t>(lengths));
  for (std::size_t c = 0; c < shape[0]; ++c) {
    if (lengths[c] < 0 || static_cast<std::uint64_t>(lengths[c]) > shape[1])
      throw DamagedRun("the checkpoint is cut short");
    std::vector<std::byte> bytes(static_cast<std::size_t>(lengths[c]));
    read(state, {{c, 0}, {1, bytes.size()}},
         std::span(reinterpret_cast<std::uint8_t*>(bytes.data()), bytes.size()));
    checkpoint.chains.push_back(std::move(bytes));
  }
  // Files of earlier versions have none.
  if (const auto checksum = group->attribute("checksum");
      checksum && text_from_attribute(*checksum) != checksum_of(checkpoint.chains))
    throw DamagedRun("the checksum of the checkpoint is wrong");
  checkpoint.warmup_draws = count_or_zero(*group, "warmup_draws");
  checkpoint.draws = count_or_zero(*group, "draws");
  for (const auto& [key, value] : get_metadata(*group))
    if (key.starts_with("plan_")) checkpoint.plan.emplace_back(key.substr(5), value);
  return checkpoint;
}

}  // namespace nhot
