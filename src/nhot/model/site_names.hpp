// What a user calls the sites: names, or the numbers 0, 1, ... when nothing was named.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace nhot {

/// Immutable, cheap to copy (the list is shared).
class SiteNames {
 public:
  SiteNames() = default;
  explicit SiteNames(std::vector<std::string> names)
      : names_(names.empty() ? nullptr
                             : std::make_shared<const std::vector<std::string>>(std::move(names))) {
  }

  /// No site has a name.
  bool empty() const { return !names_; }
  std::size_t size() const { return names_ ? names_->size() : 0; }
  /// The name of a site, or its number.
  std::string operator[](std::size_t site) const {
    return names_ ? (*names_)[site] : std::to_string(site);
  }

 private:
  std::shared_ptr<const std::vector<std::string>> names_;
};

}  // namespace nhot
