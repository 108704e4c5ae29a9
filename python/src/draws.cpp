#include "draws.hpp"

#include <nanobind/stl/string.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "nhot/diagnose/site_means.hpp"

namespace nhot::python {
namespace {

template <class T, class Series>
nb::object rows(std::size_t count, std::size_t length, Series&& series) {
  return make_array<T>({count, length}, [&](T* out) {
    for (std::size_t k = 0; k < count; ++k)
      out = std::copy(series(k).begin(), series(k).end(), out);
  });
}

/// The eight bits of a byte as eight bytes.
constexpr auto spread_bytes = [] {
  std::array<std::array<std::uint8_t, 8>, 256> table{};
  for (unsigned byte = 0; byte < 256; ++byte)
    for (unsigned k = 0; k < 8; ++k) table[byte][k] = (byte >> k) & 1U;
  return table;
}();

void unpack(const PackedBits& state, std::uint8_t* out) {
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(state.data());  // little-endian words
  const std::size_t whole = state.size() / 8;
  for (std::size_t k = 0; k < whole; ++k)
    std::memcpy(out + 8 * k, spread_bytes[bytes[k]].data(), 8);
  for (std::size_t i = 8 * whole; i < state.size(); ++i) out[i] = state[i];
}

}  // namespace

nb::dict columns_of(const Trace& trace) {
  const std::size_t chains = trace.chains.size();
  const std::size_t draws = trace.draws();
  const auto column = [&]<class T>(auto member, T) {
    return rows<T>(
        chains, draws, [&](std::size_t c) -> const auto& { return trace.chains[c].*member; });
  };
  nb::dict result;
  result["energy"] = column(&ChainColumns::energy, double());
  result["accepted"] = column(&ChainColumns::accepted, std::uint8_t());
  result["acceptance_rate"] = column(&ChainColumns::acceptance_rate, double());
  result["saw_length"] = column(&ChainColumns::saw_length, std::int32_t());
  result["hamming_move"] = column(&ChainColumns::hamming_move, std::int32_t());
  return result;
}

nb::dict observables_of(const Trace& trace) {
  nb::dict result;
  for (const ObservableColumn& column : trace.observables)
    result[column.name.c_str()] = nb::make_tuple(
        rows<double>(
            column.series.size(),
            trace.draws(), [&](std::size_t k) -> const auto& { return column.series[k]; }),
        column.help, column.per_pair);
  return result;
}

nb::object states_of(const Trace& trace, std::size_t sites, bool packed) {
  const std::size_t chains = trace.states.size();
  const std::size_t states = trace.state_draws.size();
  const std::size_t length = packed ? (sites + 7) / 8 : sites;
  return make_array<std::uint8_t>({chains, states, length}, [&](std::uint8_t* out) {
    for (const auto& own : trace.states)
      for (const PackedBits& state : own) {
        if (packed)
          std::memcpy(out, state.data(), length);
        else
          unpack(state, out);
        out += length;
      }
  });
}

nb::object state_draws_of(const Trace& trace) {
  return make_array<std::int64_t>({trace.state_draws.size()}, [&](std::int64_t* out) {
    std::copy(trace.state_draws.begin(), trace.state_draws.end(), out);
  });
}

nb::tuple site_means_of(const Trace& trace) {
  const SiteMeans means = site_means(trace.states);
  return nb::make_tuple(array_of(means.mean), array_of(means.error));
}

}  // namespace nhot::python
