// The text of a report within a page: as data that its scripts lay out, and as plain HTML for
// readers without scripts.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "nhot/diagnose/verdict.hpp"
#include "nhot/report/json.hpp"
#include "nhot/result/text_parts.hpp"

namespace nhot {

/// Parts of a section, by name, in the order in which they are read: each {"lines": [[key,
/// value]]},
/// {"table": rows, "note"}, {"verdict": title, "converged", "reasons", "advice"} or {"sentences"}.
Json lines_part(const TextLines& lines);
Json table_part(const TextRows& rows, const std::string& title = "", const std::string& note = "");
Json verdict_part(const Verdict& verdict, const std::string& title = "",
                  const std::string& advice = "");
Json sentences_part(const std::vector<std::string>& sentences);

/// "<" and "&" as HTML has them.
std::string escaped(std::string_view text);

/// The title and all parts: of data["text"], of every one of data["runs"], data["experiments"].
std::string plain_html(const Json& data);

}  // namespace nhot
