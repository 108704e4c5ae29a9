#include "nhot/io/run/run_writer.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <ctime>
#include <system_error>

#include "nhot/base/contracts.hpp"
#include "nhot/base/error.hpp"
#include "nhot/base/version.hpp"
#include "nhot/io/file_place.hpp"
#include "nhot/io/netcdf_file.hpp"
#include "nhot/io/run/run_groups.hpp"
#include "nhot/run/checkpoint_interval.hpp"

namespace nhot {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t copy_draws = 65536;  // per block, when a file is packed
constexpr std::uint64_t margin = 1 << 20;    // bytes; headers, indices of chunks

double now() {
  using Seconds = std::chrono::duration<double>;
  return Seconds(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::string utc_time() {
  const std::time_t time = std::time(nullptr);
  std::tm parts{};
  ::gmtime_r(&time, &parts);
  char text[32];
  const std::size_t size = std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S+00:00", &parts);
  return {text, size};
}

void set_default(Metadata& metadata, const std::string& key, const std::string& value) {
  if (!find_value(metadata, key)) metadata.emplace_back(key, value);
}

RunFacts make_facts(const Metadata& attributes, const Model& model, std::uint64_t chains,
                    Bits reference, std::optional<std::vector<SiteGroup>> groups) {
  RunFacts facts;
  facts.metadata = {{"created_at", utc_time()},
                    {"inference_library", "nhot"},
                    {"inference_library_version", version()}};
  for (const auto& [key, value] : attributes)
    if (!find_value(facts.metadata, key)) facts.metadata.emplace_back(key, value);
  set_default(facts.metadata, "model", model.name());
  set_default(facts.metadata, "model_hash", model.hash());
  set_default(facts.metadata, "sites", std::to_string(model.sites()));
  set_default(facts.metadata, "chains", std::to_string(chains));
  facts.chains = chains;
  facts.sites = model.sites();
  facts.lattice = model.lattice();
  facts.names = model.names();
  facts.graph = drawn_graph(model);
  if (const Rbm* rbm = model.rbm()) {
    facts.rbm_visible = rbm->visible();
    facts.rbm_hidden = rbm->hidden();
    const auto& weights = rbm->weights().weights;
    for (std::size_t h = 0; h < std::min<std::size_t>(rbm->hidden(), max_stored_filters); ++h) {
      std::vector<float>& row = facts.filters.emplace_back();
      for (std::size_t v = 0; v < rbm->visible(); ++v)
        row.push_back(static_cast<float>(weights[h * rbm->visible() + v]));
    }
  }
  if (std::any_of(reference.begin(), reference.end(), [](Bit b) { return b != 0; }))
    facts.reference = std::move(reference);
  facts.groups = std::move(groups);
  return facts;
}

fs::path with_suffix(const fs::path& path, const char* suffix) {
  fs::path longer = path;
  longer += suffix;
  return longer;
}

void check_place(const fs::path& path, const fs::path& partial, bool force) {
  const std::string name = path.string();
  if (path.empty() || !path.has_filename())
    throw InputError("'" + name + "' is not a name for a run file", "give {out run.nc}");
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  std::error_code error;
  if (!fs::is_directory(folder, error))
    throw InputError("the folder " + folder.string() + " of " + name + " does not exist",
                     "make it first: mkdir -p " + folder.string());
  if (fs::exists(path, error)) {
    if (!fs::is_regular_file(path, error))
      throw InputError(name + " is not a plain file, no run can be written to it",
                       "give another name to {out}");
    if (!force)
      throw InputError(name + " exists already", "give another {out}, or {force} to replace it");
    if (is_read_only(path))
      throw EnvironmentError(name + " is read-only", "give another {out}, or chmod +w it");
  }
  if (!force && fs::exists(partial, error))
    throw InputError(partial.string() + " exists already: an earlier run that did not finish",
                     "move it away, or give {force} to replace it");
}

void create_empty(const fs::path& path, const RunFacts& facts) {
  std::size_t letters = 0;
  for (std::size_t i = 0; i < facts.names.size(); ++i) letters += facts.names[i].size() + 1;
  reserve_room(path, margin / 2 + facts.reference.size() + letters +
                         facts.graph.size() * 2 * sizeof(std::int64_t) +
                         facts.filters.size() * facts.rbm_visible * sizeof(float));
  NcFile file = NcFile::create(path);
  write_facts(file.root(), facts);
  file.close();
}

void copy_phase(const NcGroup& from, const NcGroup& to, Phase phase, const RunFacts& facts,
                const PhaseStorage& storage) {
  const std::uint64_t draws = phase_size(from, phase).draws;
  for (std::uint64_t begin = 0; begin < draws; begin += copy_draws)
    append_phase(to, phase, read_phase(from, phase, begin, std::min(copy_draws, draws - begin)),
                 facts, storage);
}

/// Bytes that a block can take in a growing file, whole chunks counted.
std::uint64_t block_bytes(const Trace& block, const RunFacts& facts) {
  if (block.draws() == 0) return 0;
  const PhaseStorage storage = PhaseStorage::growing(facts.chains, facts.sites);
  const std::uint64_t columns = 6 + block.observables.size();
  const std::uint64_t draws = block.draws() + 2 * storage.chunk_draws;
  const std::uint64_t states = block.state_draws.size() + 2 * storage.chunk_states;
  const std::uint64_t state_bytes =
      block.state_draws.empty() ? 0 : facts.chains * states * facts.sites + 4ULL * facts.sites;
  return draws * 8 * (facts.chains * columns + 3) + state_bytes;
}

std::string count_draws(std::uint64_t warmup, std::uint64_t sampled) {
  std::string text;
  if (warmup > 0) text += std::to_string(warmup) + " warm-up";
  if (warmup > 0 && sampled > 0) text += " and ";
  if (sampled > 0) text += std::to_string(sampled) + " sampled";
  return text + " draws per chain";
}

}  // namespace

RunWriter::RunWriter(fs::path path, const Metadata& attributes, const Model& model,
                     std::uint64_t chains, bool force, Bits reference,
                     std::optional<std::vector<SiteGroup>> groups)
    : path_(std::move(path)),
      facts_(make_facts(attributes, model, chains, std::move(reference), std::move(groups))),
      force_(force) {
  std::error_code error;
  if (fs::is_symlink(path_, error) && fs::exists(path_, error)) path_ = fs::canonical(path_);
  partial_ = with_suffix(path_, ".partial");
  beside_ = with_suffix(partial_, ".next");
  lock_ = FileLock::hold(path_);
  check_place(path_, partial_, force_);
  // Written at once, so that a place that cannot be written to is found before the work is done.
  try {
    create_empty(beside_, facts_);
    fs::rename(beside_, partial_);
    open_ = true;
  } catch (const std::system_error& problem) {
    fail(problem.code().message());
  } catch (const NetcdfError& problem) {
    fail(problem.what());
  }
  last_flush_ = last_append_ = now();
}

RunWriter::~RunWriter() {
  if (!open_) return;
  try {
    if (!failed_) flush();
  } catch (...) {
    // Whoever stopped without finish() has its own error to report.
  }
  std::error_code error;
  fs::remove(beside_, error);
  if (warmup_draws_ + draws_ == 0 && checkpoint_.chains.empty()) fs::remove(partial_, error);
}

void RunWriter::append_warmup(const Trace& block) {
  if (failed_) return;
  NHOT_EXPECTS(block.chains.size() == facts_.chains);
  pending_warmup_.append(block);
  flush_if_due();
}

void RunWriter::append(const Trace& block) {
  if (failed_) return;
  add(block);
  flush_if_due();
}

void RunWriter::replace(const Trace& whole) {
  if (failed_) return;
  set(whole);
  flush_if_due();
}

void RunWriter::append_rungs(const std::vector<Trace>& blocks, std::size_t target) {
  if (failed_) return;
  add(blocks[target]);
  pending_rungs_.resize(blocks.size());
  for (std::size_t k = 0; k < blocks.size(); ++k) pending_rungs_[k].append(blocks[k]);
  flush_if_due();
}

void RunWriter::replace_rungs(const std::vector<Trace>& wholes, std::size_t target) {
  if (failed_) return;
  set(wholes[target]);
  pending_rungs_ = wholes;
  flush_if_due();
}

void RunWriter::add(const Trace& block) {
  NHOT_EXPECTS(block.chains.size() == facts_.chains);
  pending_.append(block);
}

void RunWriter::set(const Trace& whole) {
  NHOT_EXPECTS(whole.chains.size() == facts_.chains);
  pending_ = whole;
  rewrite_ = true;
  checkpoint_ = {};
  checkpoint_pending_ = false;
}

void RunWriter::checkpoint(std::vector<std::vector<std::byte>> chain_states, Metadata plan) {
  if (failed_) return;
  checkpoint_.chains = std::move(chain_states);
  checkpoint_.plan = std::move(plan);
  checkpoint_.warmup_draws = warmup_draws_ + pending_warmup_.draws();
  checkpoint_.draws = (rewrite_ ? 0 : draws_) + pending_.draws();
  checkpoint_pending_ = true;
  flush_if_due();  // where there are no draws, in warm-up, nothing else brings it into the file
}

void RunWriter::flush_if_due() {
  const double time = now();
  const double interval = std::max(checkpoint_interval(), flush_seconds_ / checkpoint_share());
  // Due also when the next append, after as long again, would be too late.
  const bool due = time + (time - last_append_) >= last_flush_ + interval;
  last_append_ = time;
  if (due) flush();
}

void RunWriter::flush() {
  if (failed_ || !open_)
    throw EnvironmentError("the run file " + path_.string() + " cannot be written any more");
  if (pending_warmup_.draws() + pending_.draws() == 0 && !checkpoint_pending_ && !rewrite_) return;
  const double begin = now();
  try {
    write_pending();
  } catch (const std::system_error& problem) {
    fail(problem.code().message());
  } catch (const NetcdfError& problem) {
    fail(problem.what());
  } catch (const DamagedRun& problem) {
    fail(problem.what());
  }
  last_flush_ = now();
  flush_seconds_ = last_flush_ - begin;
}

std::uint64_t RunWriter::estimate_bytes() const {
  std::uint64_t bytes = margin;
  bytes += block_bytes(pending_warmup_, facts_) + block_bytes(pending_, facts_) +
           rungs_room(pending_rungs_, facts_);
  for (const auto& chain : checkpoint_.chains) bytes += 2 * chain.size();
  return bytes + bytes / 8;
}

void RunWriter::write_pending() {
  if (rewrite_)
    create_empty(beside_, facts_);
  else
    fs::copy_file(partial_, beside_, fs::copy_options::overwrite_existing);
  reserve_room(beside_, fs::file_size(rewrite_ ? partial_ : beside_) + estimate_bytes());

  const PhaseStorage storage = PhaseStorage::growing(facts_.chains, facts_.sites);
  NcFile file = NcFile::open_to_write(beside_);
  if (rewrite_) {
    const NcFile old = NcFile::open(partial_);
    copy_phase(old.root(), file.root(), Phase::warmup, facts_, storage);
  }
  append_phase(file.root(), Phase::warmup, pending_warmup_, facts_, storage);
  append_phase(file.root(), Phase::sampling, pending_, facts_, storage);
  append_rung_draws(file.root(), pending_rungs_, facts_,
                    growing_rungs(pending_rungs_.size(), facts_));
  if (checkpoint_pending_) write_checkpoint(file.root(), checkpoint_);
  file.close();
  fs::rename(beside_, partial_);

  warmup_draws_ += pending_warmup_.draws();
  draws_ = (rewrite_ ? 0 : draws_) + pending_.draws();
  goes_on_ = checkpoint_pending_ || (goes_on_ && !rewrite_);
  pending_warmup_ = {};
  pending_ = {};
  pending_rungs_.clear();
  rewrite_ = false;
  checkpoint_pending_ = false;
}

void RunWriter::finish(const Metadata& final_attributes) {
  flush();
  std::error_code error;
  if (!force_ && fs::exists(path_, error)) {
    failed_ = true;
    throw EnvironmentError(
        path_.string() + " appeared while the run went on; the run is in " + partial_.string(),
        "rename one of them");
  }
  try {
    pack(final_attributes);
    fs::rename(partial_, path_);
  } catch (const std::system_error& problem) {
    fail(problem.code().message());
  } catch (const NetcdfError& problem) {
    fail(problem.what());
  } catch (const DamagedRun& problem) {
    fail(problem.what());
  }
  open_ = false;
}

void RunWriter::pack(const Metadata& final_attributes) {
  RunFacts facts = facts_;
  for (const auto& [key, value] : final_attributes) {
    const auto same = [&name = key](const auto& entry) { return entry.first == name; };
    std::erase_if(facts.metadata, same);
    facts.metadata.emplace_back(key, value);
  }
  create_empty(beside_, facts);
  const std::uint64_t size = fs::file_size(partial_);
  reserve_room(beside_, size + size / 8 + margin);
  {
    const NcFile old = NcFile::open(partial_);
    NcFile file = NcFile::open_to_write(beside_);
    for (const Phase phase : {Phase::warmup, Phase::sampling}) {
      const PhaseSize sizes = phase_size(old.root(), phase);
      copy_phase(old.root(), file.root(), phase, facts,
                 PhaseStorage::packed(sizes.draws, sizes.states, facts.sites));
    }
    copy_rung_draws(old.root(), file.root(), facts);
    write_checkpoint(file.root(), checkpoint_);
    write_finished(file.root(), {});
    file.close();
  }
  sync_to_disk(beside_);
  fs::rename(beside_, partial_);
}

void RunWriter::fail(const std::string& cause) {
  failed_ = true;
  std::error_code error;
  fs::remove(beside_, error);
  const bool losing = pending_warmup_.draws() + pending_.draws() > 0;
  std::string message = "cannot write " + path_.string() + ": " + cause;
  const bool forbidden = cause.find(std::strerror(EACCES)) != std::string::npos;
  std::string hint = forbidden ? "write to a folder of your own: give another {out}"
                               : "make room or give another {out}";
  if (rewrite_)
    message += "; the latest draws are lost";
  else if (losing)
    message += "; the last " + count_draws(pending_warmup_.draws(), pending_.draws()) + " are lost";
  if (warmup_draws_ + draws_ > 0) {
    message += "; " + partial_.string() + " holds " + (losing ? "the " : "all ") +
               count_draws(warmup_draws_, draws_) + (losing ? " before them" : "");
    hint += goes_on_ ? "; then go on: nhot resume " + path_.string()
                     : "; what is there can be read: nhot report " + partial_.string();
  } else if (open_) {
    fs::remove(partial_, error);
  }
  throw EnvironmentError(message, hint);
}

}  // namespace nhot
