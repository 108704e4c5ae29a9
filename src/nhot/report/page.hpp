// One HTML file that holds everything it needs: data, scripts, styles. It loads nothing from
// the network, and its Content-Security-Policy forbids it.
#pragma once

#include <string>
#include <string_view>

#include "nhot/report/json.hpp"

namespace nhot {

/// A page whose content is drawn from `data` by assets/<kind>_page.js. EnvironmentError when the
/// program was built without the plotting library.
std::string make_page(std::string_view title, std::string_view kind, const Json& data);

/// The same, written whole or not at all. InputError when the file exists, unless `force`.
void write_page(const std::string& path, bool force, std::string_view title, std::string_view kind,
                const Json& data);

/// EnvironmentError when the program was built without the plotting library: to be called before
/// long work that ends in a page.
void check_charts();
/// The same, and the errors that writing a page to this path would meet now.
void check_page(const std::string& path, bool force);

}  // namespace nhot
