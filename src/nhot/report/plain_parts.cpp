#include "nhot/report/plain_parts.hpp"

namespace nhot {
namespace {

std::string cell(const char* tag, const Json& text) {
  return std::string("<") + tag + ">" + escaped(text.get<std::string>()) + "</" + tag + ">";
}

std::string row(const char* tag, const Json& cells) {
  std::string html = "<tr>";
  for (const Json& text : cells) html += cell(tag, text);
  return html + "</tr>\n";
}

std::string list(const Json& sentences) {
  std::string html = "<ul>\n";
  for (const Json& sentence : sentences) html += cell("li", sentence) + "\n";
  return html + "</ul>\n";
}

std::string title_of(const Json& part) {
  const std::string title = part.value("title", "");
  return title.empty() ? "" : "<h3>" + escaped(title) + "</h3>\n";
}

std::string part_html(const Json& part) {
  std::string html = title_of(part);
  if (part.contains("lines")) {
    html += "<table class=\"data words\">\n";
    for (const Json& line : part["lines"]) html += row("td", line);
    html += "</table>\n";
  }
  if (part.contains("table")) {
    html += "<div class=\"scroll\"><table class=\"data\">\n";
    for (std::size_t k = 0; k < part["table"].size(); ++k)
      html += row(k == 0 ? "th" : "td", part["table"][k]);
    html += "</table></div>\n";
  }
  if (part.contains("converged")) {
    const bool yes = part["converged"];
    html += std::string("<div class=\"verdict") + (yes ? " yes" : "") + "\"><strong>" +
            (yes ? "converged" : "not converged") + "</strong>" + list(part["reasons"]) +
            escaped(part.value("advice", "")) + "</div>\n";
  }
  if (part.contains("sentences")) html += list(part["sentences"]);
  const std::string note = part.value("note", "");
  return note.empty() ? html : html + "<p>" + escaped(note) + "</p>\n";
}

std::string section_html(const std::string& title, const Json& section) {
  std::string html = title.empty() ? "" : "<h2>" + escaped(title) + "</h2>\n";
  if (section.contains("text"))
    for (const auto& [name, part] : section["text"].items()) html += part_html(part);
  return html;
}

std::string command_html(const Json& section) {
  if (!section.contains("command")) return {};
  return "<pre>" + escaped(section["command"].get<std::string>()) + "</pre>\n";
}

}  // namespace

Json lines_part(const TextLines& lines) {
  Json list = Json::array();
  for (const auto& [key, value] : lines) list.push_back({key, value});
  return {{"lines", list}};
}

Json table_part(const TextRows& rows, const std::string& title, const std::string& note) {
  return {{"title", title}, {"table", rows}, {"note", note}};
}

Json verdict_part(const Verdict& verdict, const std::string& title, const std::string& advice) {
  return {{"title", title},
          {"converged", verdict.converged},
          {"reasons", verdict.reasons},
          {"advice", advice}};
}

Json sentences_part(const std::vector<std::string>& sentences) {
  return {{"sentences", sentences}};
}

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '<')
      result += "&lt;";
    else if (c == '&')
      result += "&amp;";
    else
      result += c;
  }
  return result;
}

std::string plain_html(const Json& data) {
  if (!data.is_object()) return {};
  std::string html = "<h1>" + escaped(data.value("title", "")) + "</h1>\n" + section_html("", data);
  if (data.contains("runs"))
    for (const Json& run : data["runs"])
      html += section_html(run.value("file", ""), run) + command_html(run);
  if (data.contains("experiments"))
    for (const auto& [key, experiment] : data["experiments"].items())
      html += section_html(experiment.value("title", ""), experiment);
  return html + command_html(data);
}

}  // namespace nhot
