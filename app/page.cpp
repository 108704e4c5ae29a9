#include "page.hpp"

#include "command_line.hpp"
#include "nhot/report/page.hpp"
#include "nhot/run/method_options.hpp"
#include "output.hpp"

namespace nhot::app {

OptionGroup page_options(bool with_force) {
  OptionGroup group = {
      "Page",
      {{"report", OptionType::text, "", "write a page with figures, one file that needs no network",
        "FILE.html"}}};
  if (with_force) group.options.push_back(borrowed_option(output_options(), "force"));
  return group;
}

void check_page_place(const OptionValues& values) {
  if (!values.text("report").empty()) check_page(values.text("report"), values.flag("force"));
}

void write_page_of(const Invocation& invocation, std::string_view script, const Json& page,
                   Facts& facts) {
  const OptionValues& values = invocation.values;
  const std::string& path = values.text("report");
  if (path.empty()) return;
  write_page(path, values.flag("force"), "nhot: " + page["title"].get<std::string>(), script, page);
  facts.emplace_back("report", path);
}

void tell_page(const OptionValues& values) {
  const std::string& path = values.text("report");
  if (!path.empty() && !values.flag("quiet")) print("report: " + path + "\n");
}

PageOrigin origin_of(const Invocation& invocation) {
  return {command_again(invocation), invocation.values.resolved()};
}

}  // namespace nhot::app
