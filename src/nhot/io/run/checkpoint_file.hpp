// The file of a run that produces no draws: what its driver has done so far, and its options.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "nhot/io/file_lock.hpp"
#include "nhot/io/run/run_contents.hpp"
#include "nhot/run/state_store.hpp"

namespace nhot {

/// Version of the layout; another one is refused.
inline constexpr int checkpoint_format = 1;

/// What a checkpoint file holds.
struct StoredState {
  Metadata about;  // command, options, the model's hash, results; in order
  std::map<std::string, std::vector<std::byte>> parts;
  double seconds = 0;  // wall clock, of all starts
  bool finished = false;
};

/// Whether the file is one of these: a netCDF file with the attribute nhot_checkpoint.
bool is_checkpoint_file(const std::filesystem::path& path);

/// InputError when the path is no such file, of another version or byte order, or damaged, which a
/// checksum over everything tells.
StoredState read_checkpoint_file(const std::filesystem::path& path);

/// Keeps the parts in memory and writes all of them as a new file that is renamed into place: the
/// file is whole at every instant. Written when saved, but at most about once a second and for a
/// twentieth of the time. One program at a time: see FileLock.
class CheckpointFile final : public StateStore {
 public:
  /// A new run: InputError when the file exists (unless `force`) or its folder does not.
  CheckpointFile(std::filesystem::path path, Metadata about, bool force);
  /// One that goes on; `stored` is what was read from the file, with the options of this start.
  CheckpointFile(std::filesystem::path path, StoredState stored);
  /// What was saved and is not in the file yet is written, if that is possible.
  ~CheckpointFile() override;
  CheckpointFile(const CheckpointFile&) = delete;
  CheckpointFile& operator=(const CheckpointFile&) = delete;

  std::optional<std::vector<std::byte>> find(const std::string& name) const override;
  /// EnvironmentError when it cannot be written; the file of before stays.
  void save(const std::string& name, std::vector<std::byte> bytes) override;
  void erase(const std::string& name) override;
  bool due() const override;
  double seconds_before() const override { return before_; }

  /// Something more about the run; replaces a value of the same name.
  void tell(const std::string& key, const std::string& value);
  void flush();
  /// The run has done all that was asked.
  void finish();

  const std::filesystem::path& path() const { return path_; }

 private:
  void check_writable() const;
  bool is_due() const;
  void write();

  std::filesystem::path path_;
  std::shared_ptr<const FileLock> lock_;
  mutable std::mutex mutex_;
  StoredState state_;
  double before_ = 0;  // seconds of earlier starts
  double begin_;
  double last_write_ = 0;
  double write_seconds_ = 0;  // cost of the last write
  bool failed_ = false;
  bool changed_ = false;  // since the last write
};

}  // namespace nhot
