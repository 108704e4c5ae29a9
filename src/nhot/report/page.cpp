#include "nhot/report/page.hpp"

#include "nhot/base/error.hpp"
#include "nhot/io/atomic_file.hpp"
#include "nhot/report/assets.hpp"
#include "nhot/report/plain_parts.hpp"

namespace nhot {
namespace {

// Inside a script element nothing may look like its end.
std::string data_text(const Json& data) {
  const std::string text = data.dump(-1, ' ', false, Json::error_handler_t::replace);
  std::string result;
  result.reserve(text.size());
  for (const char c : text) {
    if (c == '<')
      result += "\\u003c";
    else
      result += c;
  }
  return result;
}

std::string style(std::string_view name) {
  return "<style>\n" + std::string(asset(name)) + "\n</style>\n";
}

std::string script(std::string_view name) {
  return "<script>\n" + std::string(asset(name)) + "\n</script>\n";
}

}  // namespace

void check_charts() {
  if (asset("uPlot.iife.min.js").empty())
    throw EnvironmentError("this nhot was built without the plotting library of its reports",
                           "run scripts/install build, which fetches it, and build again");
}

void check_page(const std::string& path, bool force) {
  check_charts();
  const AtomicFile probe(path, force);  // leaves nothing behind without commit()
}

std::string make_page(std::string_view title, std::string_view kind, const Json& data) {
  check_charts();
  std::string html =
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
      "style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n<link rel=\"icon\" href=\"data:,\">\n"
      "<title>" +
      escaped(title) + "</title>\n";
  html += style("uPlot.min.css") + style("page.css");
  html += "</head>\n<body>\n<main id=\"page\"><noscript>" + plain_html(data) +
          "<p>This page draws its figures with a script that it carries along; please allow "
          "scripts.</p></noscript></main>\n";
  html += "<script type=\"application/json\" id=\"data\">" + data_text(data) + "</script>\n";
  html += script("uPlot.iife.min.js");
  for (const char* name : {"dom.js", "axes.js", "charts.js", "graph.js", "pictures.js", "tables.js",
                           "bars.js", "states.js"})
    html += script(name);
  html += script(std::string(kind) + "_page.js");
  html += "</body>\n</html>\n";
  return html;
}

void write_page(const std::string& path, bool force, std::string_view title, std::string_view kind,
                const Json& data) {
  AtomicFile file(path, force);
  file.append(make_page(title, kind, data));
  file.commit();
}

}  // namespace nhot
