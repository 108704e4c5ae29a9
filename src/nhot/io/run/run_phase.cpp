// The draws of one phase: sample_stats, pair_stats, posterior.
#include <algorithm>
#include <array>
#include <numeric>

#include "nhot/base/contracts.hpp"
#include "nhot/io/attribute_text.hpp"
#include "nhot/io/run/run_groups.hpp"
#include "nhot/io/run/run_shapes.hpp"

namespace nhot {
namespace {

constexpr std::array<std::string_view, 8> own_names = {
    "chain", "draw", "energy", "lp", "accepted", "acceptance_rate", "saw_length", "hamming_move"};

std::string group_name(Phase phase, const char* name) {
  return (phase == Phase::warmup ? "warmup_" : "") + std::string(name);
}

// --- writing

/// A new group for draws: its dimensions (series, draw) and their coordinates.
struct DrawGroup {
  NcGroup group;
  NcDimension series;
  NcDimension draw;
};

DrawGroup define_draw_group(const NcGroup& root, const std::string& name, const char* series,
                            std::size_t count, const RunFacts& facts, std::size_t chunk_draws) {
  DrawGroup made{root.define_group(name), {}, {}};
  made.series = made.group.define_dimension(series, count);
  made.draw = made.group.define_unlimited("draw");
  for (const auto& [key, value] : facts.metadata)
    made.group.put_attribute(attribute_key(key), attribute_from_text(key, value));
  const NcVariable index = made.group.define(series, NcType::int64, {made.series});
  std::vector<std::int64_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 0);
  write(index, {{0}, {count}}, numbers);
  made.group.define("draw", NcType::int64, {made.draw}, {{chunk_draws}});
  return made;
}

void define_column(const DrawGroup& where, const std::string& name, NcType type,
                   const std::string& help, const PhaseStorage& storage) {
  const NcVariable variable = where.group.define(name, type, {where.series, where.draw},
                                                 {{1, storage.chunk_draws}, storage.deflate});
  where.group.put_attribute(variable, "long_name", help);
}

NcGroup define_stats(const NcGroup& root, Phase phase, const Trace& block, const RunFacts& facts,
                     const PhaseStorage& storage) {
  const DrawGroup made = define_draw_group(root, group_name(phase, "sample_stats"), "chain",
                                           block.chains.size(), facts, storage.chunk_draws);
  define_column(made, "energy", NcType::float64, "energy of the state", storage);
  define_column(made, "lp", NcType::float64, "log of the unnormalised probability, -beta E",
                storage);
  define_column(made, "accepted", NcType::int8, "was the last move before the draw accepted",
                storage);
  made.group.put_attribute(made.group.get("accepted"), "dtype", std::string("bool"));
  define_column(made, "acceptance_rate", NcType::float64,
                "share of moves accepted since the draw before", storage);
  define_column(made, "saw_length", NcType::int32, "walk length of the last move", storage);
  define_column(made, "hamming_move", NcType::int32, "sites changed by the last move", storage);
  for (const ObservableColumn& column : block.observables) {
    if (column.per_pair) continue;
    NHOT_EXPECTS(std::find(own_names.begin(), own_names.end(), column.name) == own_names.end());
    define_column(made, column.name, NcType::float64, column.help, storage);
  }
  return made.group;
}

NcGroup define_pairs(const NcGroup& root, Phase phase, const ObservableColumn& first,
                     const Trace& block, const RunFacts& facts, const PhaseStorage& storage) {
  const DrawGroup made = define_draw_group(root, group_name(phase, "pair_stats"), "pair",
                                           first.series.size(), facts, storage.chunk_draws);
  for (const ObservableColumn& column : block.observables)
    if (column.per_pair) define_column(made, column.name, NcType::float64, column.help, storage);
  return made.group;
}

NcGroup define_states(const NcGroup& root, Phase phase, std::size_t chains, const RunFacts& facts,
                      const PhaseStorage& storage) {
  const DrawGroup made = define_draw_group(root, group_name(phase, "posterior"), "chain", chains,
                                           facts, std::max<std::size_t>(storage.chunk_states, 64));
  const NcDimension site = made.group.define_dimension("site", facts.sites);
  const std::size_t chunk_sites = std::min<std::size_t>(facts.sites, std::size_t{1} << 20);
  const NcVariable index =
      made.group.define("site", NcType::int32, {site}, {{chunk_sites}, storage.deflate});
  std::vector<std::int32_t> numbers(facts.sites);
  std::iota(numbers.begin(), numbers.end(), 0);
  write(index, {{0}, {numbers.size()}}, numbers);
  const NcVariable state =
      made.group.define("state", NcType::int8, {made.series, made.draw, site},
                        {{1, storage.chunk_states, chunk_sites}, storage.deflate});
  made.group.put_attribute(state, "long_name", std::string("the bits of the state"));
  return made.group;
}

void put_phase_attributes(const NcGroup& group, const Trace& block) {
  group.put_attribute("beta", block.beta);
  group.put_attribute("thin", static_cast<std::int64_t>(block.thin));
}

template <class T>
void write_row(const NcGroup& group, const std::string& name, std::size_t row, std::size_t begin,
               const std::vector<T>& values) {
  write(group.get(name), {{row, begin}, {1, values.size()}}, std::span<const T>(values));
}

void write_draw_numbers(const NcGroup& group, std::size_t begin, std::size_t count) {
  std::vector<std::int64_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), static_cast<std::int64_t>(begin));
  write(group.get("draw"), {{begin}, {count}}, numbers);
}

void append_stats(const NcGroup& group, std::size_t begin, const Trace& block) {
  put_phase_attributes(group, block);
  for (std::size_t c = 0; c < block.chains.size(); ++c) {
    const ChainColumns& columns = block.chains[c];
    write_row(group, "energy", c, begin, columns.energy);
    std::vector<double> lp;
    for (const double energy : columns.energy) lp.push_back(-block.beta * energy);
    write_row(group, "lp", c, begin, lp);
    write_row(group, "accepted", c, begin,
              std::vector<std::int8_t>(columns.accepted.begin(), columns.accepted.end()));
    write_row(group, "acceptance_rate", c, begin, columns.acceptance_rate);
    write_row(group, "saw_length", c, begin, columns.saw_length);
    write_row(group, "hamming_move", c, begin, columns.hamming_move);
  }
  for (const ObservableColumn& column : block.observables)
    if (!column.per_pair)
      for (std::size_t c = 0; c < column.series.size(); ++c)
        write_row(group, column.name, c, begin, column.series[c]);
  write_draw_numbers(group, begin, block.draws());
}

void append_states(const NcGroup& group, std::size_t draws_before, const Trace& block,
                   std::size_t sites) {
  put_phase_attributes(group, block);
  const std::size_t begin = group.find_dimension("draw").value_or(0);
  const NcVariable state = group.get("state");
  for (std::size_t c = 0; c < block.states.size(); ++c)
    for (std::size_t s = 0; s < block.states[c].size(); ++s) {
      const Bits bits = block.states[c][s].unpacked();
      NHOT_EXPECTS(bits.size() == sites);
      write(state, {{c, begin + s, 0}, {1, 1, sites}},
            std::span(reinterpret_cast<const std::int8_t*>(bits.data()), bits.size()));
    }
  std::vector<std::int64_t> numbers;
  for (const std::uint64_t draw : block.state_draws)
    numbers.push_back(static_cast<std::int64_t>(draws_before + draw));
  write(group.get("draw"), {{begin}, {numbers.size()}}, numbers);
}

// --- reading

template <class T>
std::vector<T> read_row(const NcGroup& group, const std::string& name,
                        const std::vector<std::size_t>& shape, std::size_t row, std::size_t begin,
                        std::size_t count) {
  std::vector<T> values(count);
  read(get_shaped(group, name, shape), {{row, begin}, {1, count}}, std::span<T>(values));
  return values;
}

std::string help_of(const NcGroup& group, const std::string& name) {
  const auto text = group.attribute(group.get(name), "long_name");
  return text ? text_from_attribute(*text) : std::string();
}

NcAttribute attribute(const NcGroup& group, const std::string& name) {
  const auto value = group.attribute(name);
  if (!value) throw DamagedRun("attribute " + name + " is missing");
  return *value;
}

double real_attribute(const NcGroup& group, const std::string& name) {
  const NcAttribute value = attribute(group, name);
  if (const auto* real = std::get_if<double>(&value)) return *real;
  throw DamagedRun("attribute " + name + " is not a real number");
}

std::uint64_t count_attribute(const NcGroup& group, const std::string& name) {
  const NcAttribute value = attribute(group, name);
  const auto* integer = std::get_if<std::int64_t>(&value);
  if (integer && *integer >= 0) return static_cast<std::uint64_t>(*integer);
  throw DamagedRun("attribute " + name + " is not a count");
}

void read_observables(const NcGroup& group, bool per_pair, std::size_t begin, std::size_t count,
                      Trace& trace) {
  const std::vector<std::size_t> shape = {dimension(group, per_pair ? "pair" : "chain"),
                                          dimension(group, "draw")};
  for (const std::string& name : group.variables()) {
    if (name == "pair" || std::find(own_names.begin(), own_names.end(), name) != own_names.end())
      continue;
    ObservableColumn column{name, help_of(group, name), {}, per_pair};
    for (std::size_t k = 0; k < shape[0]; ++k)
      column.series.push_back(read_row<double>(group, name, shape, k, begin, count));
    trace.observables.push_back(std::move(column));
  }
}

void read_states(const NcGroup& group, std::size_t begin, std::size_t count, Trace& trace) {
  const std::size_t chains = dimension(group, "chain");
  const std::size_t stored = dimension(group, "draw");
  const std::size_t sites = dimension(group, "site");
  if (chains != trace.chains.size()) throw DamagedRun("the states are of other chains");
  std::vector<std::int64_t> draws(stored);
  read(get_shaped(group, "draw", {stored}), {{0}, {stored}}, std::span<std::int64_t>(draws));
  const NcVariable state = get_shaped(group, "state", {chains, stored, sites});
  for (std::size_t s = 0; s < stored; ++s) {
    if (draws[s] < 0) throw DamagedRun("a state belongs to no draw");
    const auto draw = static_cast<std::uint64_t>(draws[s]);
    if (draw < begin || draw >= begin + count) continue;
    trace.state_draws.push_back(draw - begin);
    for (std::size_t c = 0; c < chains; ++c) {
      Bits bits(sites);
      read(state, {{c, s, 0}, {1, 1, sites}},
           std::span(reinterpret_cast<std::int8_t*>(bits.data()), bits.size()));
      if (std::any_of(bits.begin(), bits.end(), [](Bit bit) { return bit > 1; }))
        throw DamagedRun("a state holds other numbers than 0 and 1");
      trace.states[c].push_back(bits);
    }
  }
}

}  // namespace

PhaseStorage PhaseStorage::growing(std::uint64_t chains, Site sites) {
  // The first draw of a chunk allocates all of it, in every column of every chain.
  const std::uint64_t draws =
      std::clamp<std::uint64_t>(65'536 / std::max<std::uint64_t>(chains, 1), 64, 4096);
  return {draws, std::clamp<std::size_t>(16'384 / std::max<Site>(sites, 1), 1, 64), false};
}

PhaseStorage PhaseStorage::packed(std::uint64_t draws, std::uint64_t states, Site sites) {
  const std::uint64_t by_size = std::max<std::uint64_t>(1, 65'536 / std::max<Site>(sites, 1));
  return {std::clamp<std::uint64_t>(draws, 1, 16'384),
          std::clamp<std::uint64_t>(states, 1, by_size), true};
}

void append_phase(const NcGroup& root, Phase phase, const Trace& block, const RunFacts& facts,
                  const PhaseStorage& storage) {
  if (block.draws() == 0) return;
  auto stats = root.find_group(group_name(phase, "sample_stats"));
  if (!stats) stats = define_stats(root, phase, block, facts, storage);
  const std::size_t begin = stats->find_dimension("draw").value_or(0);
  append_stats(*stats, begin, block);

  const auto first_pair = std::find_if(block.observables.begin(), block.observables.end(),
                                       [](const ObservableColumn& c) { return c.per_pair; });
  if (first_pair != block.observables.end() && !first_pair->series.empty()) {
    auto pairs = root.find_group(group_name(phase, "pair_stats"));
    if (!pairs) pairs = define_pairs(root, phase, *first_pair, block, facts, storage);
    put_phase_attributes(*pairs, block);
    for (const ObservableColumn& column : block.observables)
      if (column.per_pair)
        for (std::size_t k = 0; k < column.series.size(); ++k)
          write_row(*pairs, column.name, k, begin, column.series[k]);
    write_draw_numbers(*pairs, begin, block.draws());
  }

  if (block.state_draws.empty() || facts.sites == 0) return;
  auto states = root.find_group(group_name(phase, "posterior"));
  if (!states) states = define_states(root, phase, block.chains.size(), facts, storage);
  append_states(*states, begin, block, facts.sites);
}

PhaseSize phase_size(const NcGroup& root, Phase phase) {
  PhaseSize size;
  if (const auto stats = root.find_group(group_name(phase, "sample_stats")))
    size.draws = stats->find_dimension("draw").value_or(0);
  if (const auto states = root.find_group(group_name(phase, "posterior")))
    size.states = states->find_dimension("draw").value_or(0);
  return size;
}

Trace read_phase(const NcGroup& root, Phase phase, std::uint64_t begin, std::uint64_t count) {
  Trace trace;
  const auto stats = root.find_group(group_name(phase, "sample_stats"));
  if (!stats) return trace;
  trace.beta = real_attribute(*stats, "beta");
  trace.thin = count_attribute(*stats, "thin");
  const std::vector<std::size_t> shape = {dimension(*stats, "chain"), dimension(*stats, "draw")};
  if (begin + count > shape[1]) throw DamagedRun("draws are missing");
  trace.chains.resize(shape[0]);
  trace.states.resize(shape[0]);
  for (std::size_t c = 0; c < shape[0]; ++c) {
    ChainColumns& columns = trace.chains[c];
    columns.energy = read_row<double>(*stats, "energy", shape, c, begin, count);
    const auto accepted = read_row<std::int8_t>(*stats, "accepted", shape, c, begin, count);
    columns.accepted.assign(accepted.begin(), accepted.end());
    columns.acceptance_rate = read_row<double>(*stats, "acceptance_rate", shape, c, begin, count);
    columns.saw_length = read_row<std::int32_t>(*stats, "saw_length", shape, c, begin, count);
    columns.hamming_move = read_row<std::int32_t>(*stats, "hamming_move", shape, c, begin, count);
  }
  read_observables(*stats, false, begin, count, trace);
  if (const auto pairs = root.find_group(group_name(phase, "pair_stats"))) {
    if (dimension(*pairs, "draw") != shape[1]) throw DamagedRun("draws of pairs are missing");
    read_observables(*pairs, true, begin, count, trace);
  }
  if (const auto states = root.find_group(group_name(phase, "posterior")))
    read_states(*states, begin, count, trace);
  return trace;
}

}  // namespace nhot
