// Groups of sites in text files: which sites, and how many of them differ from the reference.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "nhot/model/site_names.hpp"
#include "nhot/shell/shell.hpp"

namespace nhot {

/// A line for each group, "2: 0 1 5..9" or with names of sites; "one-hot 3: 10..18" for blocks of
/// three with distance 1; "free: 20 21" for sites in no group; "rest" for all sites that no other
/// line has. # begins a comment. InputError, with the line, when a site is in two lines or in none.
/// `file` is for messages.
std::vector<SiteGroup> parse_groups(const std::string& file, std::string_view text, Site sites,
                                    const SiteNames& names = {});

/// The groups of a file; or of the words "one-hot:3", which are all sites in blocks of three.
std::vector<SiteGroup> load_groups(const std::string& path, Site sites,
                                   const SiteNames& names = {});

}  // namespace nhot
