// The draws of every temperature of a tempering run: group `rungs`.
#include <algorithm>
#include <array>
#include <numeric>

#include "nhot/base/contracts.hpp"
#include "nhot/io/attribute_text.hpp"
#include "nhot/io/run/run_groups.hpp"
#include "nhot/io/run/run_shapes.hpp"

namespace nhot {
namespace {

constexpr const char* rungs_group = "rungs";
constexpr std::uint64_t draws_at_once = 65'536;  // over all rungs, when they are copied

constexpr std::array<std::string_view, 10> rung_names = {
    "rung",     "chain",           "pair",       "draw",        "beta", "energy",
    "accepted", "acceptance_rate", "saw_length", "hamming_move"};

// --- writing

struct Dimensions {
  NcDimension rung;
  NcDimension series;
  NcDimension draw;
};

void define_index(const NcGroup& group, const char* name, NcDimension dimension,
                  std::size_t count) {
  std::vector<std::int64_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 0);
  write(group.define(name, NcType::int64, {dimension}), {{0}, {count}}, numbers);
}

void define_rung_column(const NcGroup& group, const std::string& name, NcType type,
                        const Dimensions& dimensions, const std::string& help,
                        const PhaseStorage& storage) {
  const NcVariable variable =
      group.define(name, type, {dimensions.rung, dimensions.series, dimensions.draw},
                   {{1, 1, storage.chunk_draws}, storage.deflate});
  group.put_attribute(variable, "long_name", help);
}

NcGroup define_rungs(const NcGroup& root, const std::vector<Trace>& blocks, const RunFacts& facts,
                     const PhaseStorage& storage) {
  const NcGroup group = root.define_group(rungs_group);
  for (const auto& [key, value] : facts.metadata)
    if (key != "beta") group.put_attribute(attribute_key(key), attribute_from_text(key, value));
  const Trace& first = blocks.front();
  Dimensions chains;
  chains.rung = group.define_dimension("rung", blocks.size());
  chains.series = group.define_dimension("chain", first.chains.size());
  chains.draw = group.define_unlimited("draw");
  define_index(group, "rung", chains.rung, blocks.size());
  define_index(group, "chain", chains.series, first.chains.size());
  group.define("draw", NcType::int64, {chains.draw}, {{storage.chunk_draws}});
  const NcVariable beta = group.define("beta", NcType::float64, {chains.rung});
  group.put_attribute(beta, "long_name", std::string("inverse temperature of the rung"));
  std::vector<double> betas;
  for (const Trace& block : blocks) betas.push_back(block.beta);
  write(beta, {{0}, {betas.size()}}, std::span<const double>(betas));

  define_rung_column(group, "energy", NcType::float64, chains, "energy of the state", storage);
  define_rung_column(group, "accepted", NcType::int8, chains,
                     "was the last move before the draw accepted", storage);
  group.put_attribute(group.get("accepted"), "dtype", std::string("bool"));
  define_rung_column(group, "acceptance_rate", NcType::float64, chains,
                     "share of moves accepted since the draw before", storage);
  define_rung_column(group, "saw_length", NcType::int32, chains, "walk length of the last move",
                     storage);
  define_rung_column(group, "hamming_move", NcType::int32, chains, "sites changed by the last move",
                     storage);
  Dimensions pairs = chains;
  for (const ObservableColumn& column : first.observables) {
    NHOT_EXPECTS(std::find(rung_names.begin(), rung_names.end(), column.name) == rung_names.end());
    if (column.per_pair && pairs.series.id == chains.series.id) {
      pairs.series = group.define_dimension("pair", column.series.size());
      define_index(group, "pair", pairs.series, column.series.size());
    }
    define_rung_column(group, column.name, NcType::float64, column.per_pair ? pairs : chains,
                       column.help, storage);
    // For the reader, which sees sizes and not the names of dimensions.
    group.put_attribute(group.get(column.name), "series",
                        std::string(column.per_pair ? "pair" : "chain"));
  }
  return group;
}

template <class T>
void write_rung_row(const NcGroup& group, const std::string& name, std::size_t rung,
                    std::size_t series, std::size_t begin, const std::vector<T>& values) {
  write(group.get(name), {{rung, series, begin}, {1, 1, values.size()}},
        std::span<const T>(values));
}

void write_rung(const NcGroup& group, std::size_t rung, std::size_t begin, const Trace& block) {
  for (std::size_t c = 0; c < block.chains.size(); ++c) {
    const ChainColumns& columns = block.chains[c];
    write_rung_row(group, "energy", rung, c, begin, columns.energy);
    write_rung_row(group, "accepted", rung, c, begin,
                   std::vector<std::int8_t>(columns.accepted.begin(), columns.accepted.end()));
    write_rung_row(group, "acceptance_rate", rung, c, begin, columns.acceptance_rate);
    write_rung_row(group, "saw_length", rung, c, begin, columns.saw_length);
    write_rung_row(group, "hamming_move", rung, c, begin, columns.hamming_move);
  }
  for (const ObservableColumn& column : block.observables)
    for (std::size_t k = 0; k < column.series.size(); ++k)
      write_rung_row(group, column.name, rung, k, begin, column.series[k]);
}

// --- reading

struct Sizes {
  std::size_t rungs = 0;
  std::size_t chains = 0;
  std::size_t pairs = 0;
  std::size_t draws = 0;
};

Sizes sizes_of(const NcGroup& group) {
  return {dimension(group, "rung"), dimension(group, "chain"),
          group.find_dimension("pair").value_or(0), dimension(group, "draw")};
}

template <class T>
std::vector<T> read_rung_row(const NcGroup& group, const std::string& name,
                             const std::vector<std::size_t>& shape, std::size_t rung,
                             std::size_t series, std::size_t begin, std::size_t count) {
  std::vector<T> values(count);
  read(get_shaped(group, name, shape), {{rung, series, begin}, {1, 1, count}},
       std::span<T>(values));
  return values;
}

std::vector<ObservableColumn> find_observables(const NcGroup& group, const Sizes& sizes) {
  std::vector<ObservableColumn> columns;
  for (const std::string& name : group.variables()) {
    if (std::find(rung_names.begin(), rung_names.end(), name) != rung_names.end()) continue;
    const std::vector<std::size_t> shape = group.shape(group.get(name));
    const auto help = group.attribute(group.get(name), "long_name");
    const auto kind = group.attribute(group.get(name), "series");
    const bool per_pair = kind && text_from_attribute(*kind) == "pair";
    const std::size_t series = per_pair ? sizes.pairs : sizes.chains;
    if (shape != std::vector{sizes.rungs, series, sizes.draws})
      throw DamagedRun("variable " + name + " of the rungs has a wrong shape");
    columns.push_back({name, help ? text_from_attribute(*help) : std::string(),
                       std::vector<std::vector<double>>(series), per_pair});
  }
  return columns;
}

}  // namespace

void append_rung_draws(const NcGroup& root, const std::vector<Trace>& blocks, const RunFacts& facts,
                       const PhaseStorage& storage) {
  if (blocks.empty() || blocks.front().draws() == 0) return;
  auto group = root.find_group(rungs_group);
  if (!group) group = define_rungs(root, blocks, facts, storage);
  group->put_attribute("thin", static_cast<std::int64_t>(blocks.front().thin));
  const std::size_t begin = dimension(*group, "draw");
  for (std::size_t k = 0; k < blocks.size(); ++k) write_rung(*group, k, begin, blocks[k]);
  const std::size_t count = blocks.front().draws();
  std::vector<std::int64_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), static_cast<std::int64_t>(begin));
  write(group->get("draw"), {{begin}, {count}}, numbers);
}

RungsSize rungs_size(const NcGroup& root) {
  const auto group = root.find_group(rungs_group);
  if (!group) return {};
  const Sizes sizes = sizes_of(*group);
  return {sizes.rungs, sizes.draws};
}

std::vector<Trace> read_rung_draws(const NcGroup& root, std::uint64_t begin, std::uint64_t count) {
  const auto group = root.find_group(rungs_group);
  if (!group) return {};
  const Sizes sizes = sizes_of(*group);
  if (begin > sizes.draws || count > sizes.draws - begin)
    throw DamagedRun("draws of the rungs are missing");
  const auto thin = group->attribute("thin");
  const auto* thin_number = thin ? std::get_if<std::int64_t>(&*thin) : nullptr;
  if (!thin_number || *thin_number < 1) throw DamagedRun("attribute thin of the rungs is missing");
  std::vector<double> betas(sizes.rungs);
  read(get_shaped(*group, "beta", {sizes.rungs}), {{0}, {sizes.rungs}}, std::span<double>(betas));
  const std::vector<ObservableColumn> observables = find_observables(*group, sizes);
  const std::vector<std::size_t> shape = {sizes.rungs, sizes.chains, sizes.draws};
  const std::vector<std::size_t> pair_shape = {sizes.rungs, sizes.pairs, sizes.draws};
  std::vector<Trace> traces;
  for (std::size_t k = 0; k < sizes.rungs; ++k) {
    Trace& trace = traces.emplace_back();
    trace.beta = betas[k];
    trace.thin = static_cast<std::uint64_t>(*thin_number);
    trace.chains.resize(sizes.chains);
    trace.states.resize(sizes.chains);
    for (std::size_t c = 0; c < sizes.chains; ++c) {
      ChainColumns& columns = trace.chains[c];
      columns.energy = read_rung_row<double>(*group, "energy", shape, k, c, begin, count);
      const auto accepted =
          read_rung_row<std::int8_t>(*group, "accepted", shape, k, c, begin, count);
      columns.accepted.assign(accepted.begin(), accepted.end());
      columns.acceptance_rate =
          read_rung_row<double>(*group, "acceptance_rate", shape, k, c, begin, count);
      columns.saw_length =
          read_rung_row<std::int32_t>(*group, "saw_length", shape, k, c, begin, count);
      columns.hamming_move =
          read_rung_row<std::int32_t>(*group, "hamming_move", shape, k, c, begin, count);
    }
    trace.observables = observables;
    for (ObservableColumn& column : trace.observables)
      for (std::size_t s = 0; s < column.series.size(); ++s)
        column.series[s] = read_rung_row<double>(
            *group, column.name, column.per_pair ? pair_shape : shape, k, s, begin, count);
  }
  return traces;
}

void copy_rung_draws(const NcGroup& from, const NcGroup& to, const RunFacts& facts) {
  const RungsSize size = rungs_size(from);
  const PhaseStorage storage = PhaseStorage::packed(size.draws, 1, facts.sites);
  const std::uint64_t step =
      std::max<std::uint64_t>(1, draws_at_once / std::max<std::size_t>(size.rungs, 1));
  for (std::uint64_t begin = 0; begin < size.draws; begin += step) {
    const std::uint64_t count = std::min(step, size.draws - begin);
    append_rung_draws(to, read_rung_draws(from, begin, count), facts, storage);
  }
}

PhaseStorage growing_rungs(std::size_t rungs, const RunFacts& facts) {
  return PhaseStorage::growing(facts.chains * rungs, facts.sites);
}

std::uint64_t rungs_room(const std::vector<Trace>& blocks, const RunFacts& facts) {
  if (blocks.empty() || blocks.front().draws() == 0) return 0;
  const std::uint64_t draws =
      blocks.front().draws() + 2 * growing_rungs(blocks.size(), facts).chunk_draws;
  return draws * 8 * (blocks.size() * facts.chains * (5 + blocks.front().observables.size()) + 1);
}

}  // namespace nhot
