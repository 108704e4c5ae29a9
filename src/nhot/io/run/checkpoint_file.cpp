#include "nhot/io/run/checkpoint_file.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <fstream>
#include <system_error>
#include <utility>

#include "nhot/base/error.hpp"
#include "nhot/base/version.hpp"
#include "nhot/io/checksum.hpp"
#include "nhot/io/file_bytes.hpp"
#include "nhot/io/file_place.hpp"
#include "nhot/io/netcdf_file.hpp"
#include "nhot/io/run/damage.hpp"
#include "nhot/run/checkpoint_interval.hpp"

namespace nhot {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t margin = 1 << 16;  // bytes; headers and attributes

double now() {
  using Seconds = std::chrono::duration<double>;
  return Seconds(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::string checksum(const StoredState& state) {
  Digest digest;
  const auto add_text = [&](const std::string& text) {
    add_bytes(digest, text.data(), text.size());
  };
  for (const auto& [key, value] : state.about) {
    add_text(key);
    add_text(value);
  }
  for (const auto& [name, bytes] : state.parts) {
    add_text(name);
    add_bytes(digest, bytes.data(), bytes.size());
  }
  digest.add(state.seconds);
  digest.add(std::uint64_t{state.finished});
  return digest.hex();
}

std::string text_of(const NcGroup& group, const std::string& name) {
  const auto value = group.attribute(name);
  const auto* text = value ? std::get_if<std::string>(&*value) : nullptr;
  if (!text) throw NetcdfError(0, "attribute " + name + " is missing");
  return *text;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

void write_file(const fs::path& path, const StoredState& state) {
  std::uint64_t size = 0;
  for (const auto& [name, bytes] : state.parts) size += bytes.size();
  std::uint64_t room = size + margin;
  for (const auto& [key, value] : state.about) room += 2 * (key.size() + value.size());
  reserve_room(path, room);
  NcFile file = NcFile::create(path);
  const NcGroup root = file.root();
  root.put_attribute("nhot_checkpoint", std::int64_t{checkpoint_format});
  root.put_attribute("inference_library", std::string("nhot"));
  root.put_attribute("inference_library_version", std::string(version()));
  // Texts, so that they come back to the letter.
  std::string keys;
  for (const auto& [key, value] : state.about) {
    root.put_attribute("about_" + key, value);
    keys += key + "\n";
  }
  root.put_attribute("about_keys", keys);
  root.put_attribute("seconds", state.seconds);
  root.put_attribute("finished", state.finished);
  root.put_attribute("byte_order", std::string(byte_order));
  root.put_attribute("checksum", checksum(state));
  const NcGroup group = root.define_group("checkpoint");
  std::string names;
  for (const auto& [name, bytes] : state.parts) names += name + "\n";
  group.put_attribute("names", names);
  if (!state.parts.empty()) {
    const NcVariable length =
        group.define("length", NcType::int64, {group.define_dimension("part", state.parts.size())});
    std::vector<std::int64_t> lengths;
    for (const auto& [name, bytes] : state.parts)
      lengths.push_back(static_cast<std::int64_t>(bytes.size()));
    write(length, {{0}, {lengths.size()}}, std::span<const std::int64_t>(lengths));
  }
  if (size > 0) {
    const NcVariable variable =
        group.define("state", NcType::uint8, {group.define_dimension("byte", size)});
    std::size_t at = 0;
    for (const auto& [name, bytes] : state.parts) {
      if (bytes.empty()) continue;
      write(variable, {{at}, {bytes.size()}},
            std::span(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()));
      at += bytes.size();
    }
  }
  file.close();
  sync_to_disk(path);
}

StoredState read_parts(const NcGroup& root, const std::string& name) {
  StoredState state;
  for (const std::string& key : lines_of(text_of(root, "about_keys")))
    state.about.emplace_back(key, text_of(root, "about_" + key));
  const auto seconds = root.attribute("seconds");
  const auto finished = root.attribute("finished");
  if (!seconds || !std::get_if<double>(&*seconds) || !finished || !std::get_if<bool>(&*finished))
    fail_damaged(name, "attributes are missing");
  state.seconds = std::get<double>(*seconds);
  state.finished = std::get<bool>(*finished);
  const auto group = root.find_group("checkpoint");
  if (!group) fail_damaged(name, "the group checkpoint is missing");
  const std::vector<std::string> names = lines_of(text_of(*group, "names"));
  std::vector<std::int64_t> lengths(names.size());
  if (!names.empty()) {
    const NcVariable length = group->get("length");
    if (group->shape(length) != std::vector<std::size_t>{names.size()})
      fail_damaged(name, "the parts have no length");
    read(length, {{0}, {names.size()}}, std::span<std::int64_t>(lengths));
  }
  const auto variable = group->find("state");
  const std::vector<std::size_t> shape =
      variable ? group->shape(*variable) : std::vector<std::size_t>{0};
  std::size_t left = shape.size() == 1 ? shape.front() : 0;
  std::size_t at = 0;
  for (std::size_t k = 0; k < names.size(); ++k) {
    if (lengths[k] < 0 || static_cast<std::uint64_t>(lengths[k]) > left)
      fail_damaged(name, "the parts are longer than the file");
    std::vector<std::byte> bytes(static_cast<std::size_t>(lengths[k]));
    if (!bytes.empty())
      read(*variable, {{at}, {bytes.size()}},
           std::span(reinterpret_cast<std::uint8_t*>(bytes.data()), bytes.size()));
    at += bytes.size();
    left -= bytes.size();
    state.parts[names[k]] = std::move(bytes);
  }
  return state;
}

}  // namespace

bool is_checkpoint_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::array<char, 8> head{};
  file.read(head.data(), head.size());
  constexpr std::array<char, 8> hdf5 = {'\x89', 'H', 'D', 'F', '\r', '\n', '\x1a', '\n'};
  if (!file || head != hdf5) return false;
  file.close();
  try {
    return NcFile::open(path).root().attribute("nhot_checkpoint").has_value();
  } catch (const NetcdfError&) {
    return false;
  }
}

StoredState read_checkpoint_file(const fs::path& path) {
  const std::string name = path.string();
  require_file(name);
  try {
    const NcFile file = NcFile::open(path);
    const NcGroup root = file.root();
    const auto format = root.attribute("nhot_checkpoint");
    const auto* number = format ? std::get_if<std::int64_t>(&*format) : nullptr;
    if (!number)
      throw InputError(name + " is not a checkpoint of nhot",
                       "give a file that nhot has written with {checkpoint}");
    if (*number != checkpoint_format)
      throw InputError(name + " is of another version of nhot (checkpoint format " +
                           std::to_string(*number) + ", this nhot goes on with format " +
                           std::to_string(checkpoint_format) + ")",
                       "go on with the version that wrote it, " +
                           text_of(root, "inference_library_version") + ", or repeat the run");
    if (text_of(root, "byte_order") != byte_order)
      throw InputError(name + " was written on a machine of the other byte order",
                       "go on where it was written, or repeat the run");
    StoredState state = read_parts(root, name);
    if (checksum(state) != text_of(root, "checksum")) fail_damaged(name, "the checksum is wrong");
    return state;
  } catch (const NetcdfError& error) {
    fail_damaged(name, error.what());
  }
}

CheckpointFile::CheckpointFile(fs::path path, Metadata about, bool force)
    : path_(std::move(path)), lock_(FileLock::hold(path_)), begin_(now()) {
  const std::string name = path_.string();
  std::error_code error;
  const fs::path folder = path_.has_parent_path() ? path_.parent_path() : fs::path(".");
  if (!path_.has_filename() || !fs::is_directory(folder, error))
    throw InputError("the folder " + folder.string() + " of " + name + " does not exist",
                     "make it first: mkdir -p " + folder.string());
  if (fs::exists(path_, error) && (!force || !fs::is_regular_file(path_, error)))
    throw InputError(name + " exists already", "go on with it: nhot resume " + name +
                                                   "; or give another {checkpoint}, or "
                                                   "{force} to replace it");
  check_writable();
  state_.about = std::move(about);
  write();  // at once, so that a place that cannot be written to is found before the work is done
}

CheckpointFile::CheckpointFile(fs::path path, StoredState stored)
    : path_(std::move(path)),
      lock_(FileLock::hold(path_)),
      state_(std::move(stored)),
      before_(state_.seconds),
      begin_(now()) {
  check_writable();
  state_.finished = false;
  write();
}

void CheckpointFile::check_writable() const {
  if (is_read_only(path_))
    throw EnvironmentError(path_.string() + " is read-only",
                           "go on with a copy, or allow it: chmod u+w " + path_.string());
}

CheckpointFile::~CheckpointFile() {
  try {
    flush();
  } catch (...) {
    // Whoever stopped without finish() has its own error to report.
  }
}

std::optional<std::vector<std::byte>> CheckpointFile::find(const std::string& name) const {
  const std::lock_guard lock(mutex_);
  const auto found = state_.parts.find(name);
  if (found == state_.parts.end()) return std::nullopt;
  return found->second;
}

void CheckpointFile::save(const std::string& name, std::vector<std::byte> bytes) {
  const std::lock_guard lock(mutex_);
  state_.parts[name] = std::move(bytes);
  changed_ = true;
  if (is_due()) write();
}

void CheckpointFile::erase(const std::string& name) {
  const std::lock_guard lock(mutex_);
  changed_ = state_.parts.erase(name) > 0 || changed_;
}

bool CheckpointFile::due() const {
  const std::lock_guard lock(mutex_);
  return is_due();
}

bool CheckpointFile::is_due() const {
  return now() - last_write_ >=
         std::max(checkpoint_interval(), write_seconds_ / checkpoint_share());
}

void CheckpointFile::tell(const std::string& key, const std::string& value) {
  const std::lock_guard lock(mutex_);
  std::erase_if(state_.about, [&](const auto& entry) { return entry.first == key; });
  state_.about.emplace_back(key, value);
  changed_ = true;
}

void CheckpointFile::flush() {
  const std::lock_guard lock(mutex_);
  if (changed_ && !failed_) write();
}

void CheckpointFile::finish() {
  const std::lock_guard lock(mutex_);
  state_.finished = true;
  write();
}

void CheckpointFile::write() {
  const double begin = now();
  state_.seconds = before_ + begin - begin_;
  fs::path beside = path_;
  beside += ".next";
  const auto fail = [&](const std::string& cause) {
    failed_ = true;
    std::error_code error;
    fs::remove(beside, error);
    const bool left = fs::exists(path_, error);
    throw EnvironmentError(
        "cannot write the checkpoint " + path_.string() + ": " + cause +
            (left ? "; it holds what was done " +
                        std::to_string(static_cast<int>(begin - last_write_ + 0.5)) + " s ago"
                  : ""),
        std::string("make room, check the folder, or give another {checkpoint}") +
            (left ? "; then go on: nhot resume " + path_.string() : ""));
  };
  try {
    write_file(beside, state_);
    fs::rename(beside, path_);
  } catch (const std::system_error& problem) {
    fail(problem.code().message());
  } catch (const NetcdfError& problem) {
    fail(problem.what());
  }
  changed_ = false;
  last_write_ = now();
  write_seconds_ = last_write_ - begin;
}

}  // namespace nhot
