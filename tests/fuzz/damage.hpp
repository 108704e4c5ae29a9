// Bytes of an archive, changed as a plan says: the fuzzer makes the plans.
#pragma once

#include <fuzzer/FuzzedDataProvider.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

namespace nhot::fuzz {

/// A number as archives hold them: small, huge, or any.
inline std::uint64_t odd_number(FuzzedDataProvider& plan) {
  constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  return plan.PickValueInArray<std::uint64_t>({0, 1, 2, plan.ConsumeIntegral<std::uint8_t>(),
                                               plan.ConsumeIntegral<std::uint64_t>(),
                                               std::uint64_t{1} << 32, most / 2, most / 8, most,
                                               0x7ff0'0000'0000'0000, 0x7ff8'0000'0000'0000});
}

inline std::vector<std::byte> damaged(std::vector<std::byte> archive, FuzzedDataProvider& plan) {
  for (int changes = plan.ConsumeIntegralInRange(0, 4); changes > 0 && !archive.empty();
       --changes) {
    const auto at = plan.ConsumeIntegralInRange<std::size_t>(0, archive.size() - 1);
    const auto place = archive.begin() + static_cast<std::ptrdiff_t>(at);
    switch (plan.ConsumeIntegralInRange(0, 4)) {
      case 0:
        *place = static_cast<std::byte>(plan.ConsumeIntegral<std::uint8_t>());
        break;
      case 1: {  // a size, a count, a number
        const std::uint64_t number = odd_number(plan);
        std::memcpy(&*place, &number, std::min<std::size_t>(sizeof number, archive.size() - at));
        break;
      }
      case 2:
        archive.resize(at);
        break;
      case 3: {
        const std::vector<std::uint8_t> more = plan.ConsumeBytes<std::uint8_t>(16);
        for (const std::uint8_t byte : more) archive.push_back(static_cast<std::byte>(byte));
        break;
      }
      default:
        archive.erase(place, place + static_cast<std::ptrdiff_t>(
                                         std::min<std::size_t>(8, archive.size() - at)));
        break;
    }
  }
  return archive;
}

}  // namespace nhot::fuzz
