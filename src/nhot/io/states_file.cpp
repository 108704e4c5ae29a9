#include "nhot/io/states_file.hpp"

#include <filesystem>

#include "nhot/base/error.hpp"
#include "nhot/base/options.hpp"
#include "nhot/io/atomic_file.hpp"

namespace nhot {
namespace {

using Writer = void (*)(const std::vector<StateRow>&, const SiteNames&, AtomicFile&);

std::size_t sites_of(const std::vector<StateRow>& rows) {
  return rows.empty() ? 0 : rows.front().state->size();
}

/// A name as a column of its own beside chain, draw and energy; in quotes where it has to be.
std::string column_name(const std::string& name) {
  if (name == "chain" || name == "draw" || name == "energy") return "site " + name;
  if (name.find_first_of(",\"\r\n") == std::string::npos) return name;
  std::string text = "\"";
  for (const char c : name) text += c == '"' ? "\"\"" : std::string(1, c);
  return text + "\"";
}

void write_csv(const std::vector<StateRow>& rows, const SiteNames& names, AtomicFile& out) {
  std::string line = "chain,draw,energy";
  for (std::size_t i = 0; i < sites_of(rows); ++i)
    line += "," + (names.empty() ? "x" + std::to_string(i) : column_name(names[i]));
  out.append(line + "\n");
  for (const StateRow& row : rows) {
    line =
        std::to_string(row.chain) + "," + std::to_string(row.draw) + "," + format_real(row.energy);
    for (std::size_t i = 0; i < row.state->size(); ++i) line += (*row.state)[i] ? ",1" : ",0";
    out.append(line + "\n");
  }
}

void write_txt(const std::vector<StateRow>& rows, const SiteNames&, AtomicFile& out) {
  for (const StateRow& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.state->size(); ++i) line += (*row.state)[i] ? '1' : '0';
    out.append(line + "\n");
  }
}

// Version 1.0: magic, length of the header, header padded to a multiple of 64, then the bytes.
void write_npy(const std::vector<StateRow>& rows, const SiteNames&, AtomicFile& out) {
  std::string header = "{'descr': '|u1', 'fortran_order': False, 'shape': (" +
                       std::to_string(rows.size()) + ", " + std::to_string(sites_of(rows)) + "), }";
  constexpr std::size_t before = 10;
  header += std::string(63 - (before + header.size()) % 64, ' ') + "\n";
  std::string head("\x93NUMPY\x01\x00", 8);
  head += static_cast<char>(header.size() & 0xff);
  head += static_cast<char>(header.size() >> 8);
  out.append(head + header);
  for (const StateRow& row : rows) {
    std::string line(row.state->size(), '\0');
    for (std::size_t i = 0; i < line.size(); ++i) line[i] = static_cast<char>((*row.state)[i]);
    out.append(line);
  }
}

Writer writer_for(const std::string& path) {
  const std::string extension = std::filesystem::path(path).extension().string();
  if (extension == ".csv") return write_csv;
  if (extension == ".npy") return write_npy;
  if (extension == ".txt") return write_txt;
  throw InputError("the extension of '" + path + "' does not say how states are written",
                   "name a file that ends in .csv, .npy or .txt");
}

}  // namespace

std::vector<StateRow> state_rows(const Trace& trace) {
  std::vector<StateRow> rows;
  for (std::size_t c = 0; c < trace.states.size(); ++c)
    for (std::size_t s = 0; s < trace.states[c].size(); ++s) {
      const std::uint64_t draw = trace.state_draws[s];
      rows.push_back({c, draw, trace.chains[c].energy[draw], &trace.states[c][s]});
    }
  return rows;
}

void write_states(const std::vector<StateRow>& rows, const SiteNames& names,
                  const std::string& path, bool force) {
  const Writer write = writer_for(path);
  AtomicFile out(path, force);
  write(rows, names, out);
  out.commit();
}

void check_states_file(const std::string& path, bool force) {
  writer_for(path);
  const AtomicFile trial(path, force);
}

}  // namespace nhot
