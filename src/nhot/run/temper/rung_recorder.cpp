#include "nhot/run/temper/rung_recorder.hpp"

#include <algorithm>
#include <utility>

namespace nhot {

RungRecorder::RungRecorder(const DrawRecorder& recorder, Shape shape)
    : recorder_(recorder), shape_(std::move(shape)) {
  if (shape_.ladders >= 2)
    states_.assign(shape_.betas.size(),
                   std::vector(shape_.ladders, std::vector<PackedBits>(shape_.draws)));
  for (const double beta : shape_.betas)
    traces_.push_back(recorder.make_block(shape_.ladders, shape_.draws, beta, shape_.thin));
  Trace& target = traces_[shape_.target];
  target.state_draws = shape_.keep;
  for (std::vector<PackedBits>& list : target.states) list.resize(shape_.keep.size());
  const std::size_t all = shape_.betas.size() * shape_.ladders * shape_.draws;
  accepted_.assign(all, 0);
  recorded_.assign(all, 0);
}

void RungRecorder::record(std::size_t c, std::size_t rung, std::uint64_t d,
                          const ChainView& chain) {
  PackedBits state;
  recorder_.record(traces_[rung], c, d, chain, 0, state);
  recorded_[index(c, rung, d)] = 1;
  put_state(c, rung, d, std::move(state));
}

void RungRecorder::put_state(std::size_t c, std::size_t rung, std::uint64_t d, PackedBits state) {
  if (const auto place = kept_as(rung, d)) traces_[rung].states[c][*place] = state;
  if (!states_.empty()) states_[rung][c][d] = std::move(state);
}

const PackedBits& RungRecorder::state(std::size_t c, std::size_t rung, std::uint64_t d) const {
  return states_.empty() ? traces_[rung].states[c][*kept_as(rung, d)] : states_[rung][c][d];
}

std::optional<std::size_t> RungRecorder::kept_as(std::size_t rung, std::uint64_t d) const {
  const auto found = std::lower_bound(shape_.keep.begin(), shape_.keep.end(), d);
  if (rung != shape_.target || found == shape_.keep.end() || *found != d) return std::nullopt;
  return static_cast<std::size_t>(found - shape_.keep.begin());
}

void RungRecorder::measure_rates() {
  for (std::size_t rung = 0; rung < traces_.size(); ++rung)
    for (std::size_t c = 0; c < shape_.ladders; ++c)
      for (std::uint64_t d = 0; d < shape_.draws; ++d)
        traces_[rung].chains[c].acceptance_rate[d] =
            static_cast<double>(accepted_[index(c, rung, d)]) / static_cast<double>(shape_.thin);
}

void RungRecorder::save(Saving& saving) const {
  std::vector<std::uint64_t> moved;  // index() and moves, where there were any
  std::uint64_t rows = 0;
  for (std::size_t k = 0; k < accepted_.size(); ++k) {
    if (accepted_[k] > 0) moved.insert(moved.end(), {k, accepted_[k]});
    rows += recorded_[k];
  }
  saving(moved, rows);
  for (std::size_t k = 0; k < recorded_.size(); ++k) {
    if (!recorded_[k]) continue;
    const auto [c, rung, d] = place_of(k);
    const ChainColumns& columns = traces_[rung].chains[c];
    saving(std::uint64_t{k}, Row{columns.energy[d], columns.saw_length[d], columns.hamming_move[d],
                                 columns.accepted[d]});
    for (const ObservableColumn& column : traces_[rung].observables) saving(column.series[c][d]);
    if (needs_state(rung, d)) saving(state(c, rung, d));
  }
}

void RungRecorder::merge(Restoring& restoring) {
  std::vector<std::uint64_t> moved;
  std::uint64_t rows = 0;
  restoring(moved, rows);
  for (std::size_t k = 0; k + 1 < moved.size(); k += 2) accepted_.at(moved[k]) += moved[k + 1];
  for (; rows > 0; --rows) {
    std::uint64_t k = 0;
    Row row;
    restoring(k, row);
    if (k >= recorded_.size()) ByteReader::damaged();
    const auto [c, rung, d] = place_of(k);
    ChainColumns& columns = traces_[rung].chains[c];
    columns.energy[d] = row.energy;
    columns.accepted[d] = row.accepted != 0;
    columns.saw_length[d] = row.saw_length;
    columns.hamming_move[d] = row.hamming_move;
    for (ObservableColumn& column : traces_[rung].observables) restoring(column.series[c][d]);
    if (!needs_state(rung, d)) continue;
    PackedBits state;
    restoring(state);
    put_state(c, rung, d, std::move(state));
  }
}

void RungRecorder::measure_overlaps(std::size_t rung) {
  if (states_.empty()) return;
  traces_[rung].observables.push_back(overlap_column("ladders", states_[rung]));
}

bool RungRecorder::continues(const Trace& trace, std::size_t rung) const {
  const Trace& own = traces_[rung];
  bool same = trace.beta == own.beta && trace.thin == own.thin &&
              trace.chains.size() == own.chains.size() &&
              trace.states.size() == own.states.size() &&
              trace.observables.size() == own.observables.size();
  for (std::size_t k = 0; same && k < own.observables.size(); ++k)
    same = trace.observables[k].name == own.observables[k].name &&
           trace.observables[k].series.size() == own.observables[k].series.size();
  return same;
}

}  // namespace nhot
