// Room on a disk, and files that survive a crash of the machine.
#pragma once

#include <cstdint>
#include <filesystem>

namespace nhot {

/// Makes the file at least `bytes` long and allocates the space, so that filling it cannot meet a
/// full disk. std::system_error (no space left, file too large, quota, ...) when there is no
/// room. The file is made when it is missing; its contents stay.
void reserve_room(const std::filesystem::path& path, std::uint64_t bytes);

/// Nobody is to write it: whoever protected a result does not want it replaced, not even by those
/// who may.
bool is_read_only(const std::filesystem::path& path);

/// Returns when the file is on the disk itself.
void sync_to_disk(const std::filesystem::path& path);

}  // namespace nhot
