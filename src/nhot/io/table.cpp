#include "nhot/io/table.hpp"

#include <algorithm>
#include <set>

#include "nhot/base/error.hpp"
#include "nhot/base/nearest.hpp"
#include "nhot/io/file_bytes.hpp"
#include "nhot/io/model/line_reader.hpp"

namespace nhot {
namespace {

constexpr char any_space = ' ';

char separator_of(std::string_view line) {
  for (const char c : {',', ';', '\t'})
    if (line.find(c) != std::string_view::npos) return c;
  return any_space;
}

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

/// Quotes around a field are taken off; a doubled one inside stays as it is.
std::vector<std::string_view> split(const LineReader& reader, char separator) {
  const std::string_view line = reader.line();
  std::vector<std::string_view> fields;
  std::size_t at = 0;
  while (at <= line.size()) {
    at = separator == any_space ? std::min(line.find_first_not_of(" \t", at), line.size()) : at;
    const std::size_t text = std::min(line.find_first_not_of(' ', at), line.size());
    std::size_t end = 0;
    if (text < line.size() && line[text] == '"') {
      const std::size_t close = line.find('"', text + 1);
      if (close == std::string_view::npos)
        reader.fail("a quote is not closed", "close it with another \" in the same line");
      fields.push_back(line.substr(text + 1, close - text - 1));
      end = separator == any_space ? line.find_first_of(" \t", close) : line.find(separator, close);
    } else {
      end = separator == any_space ? line.find_first_of(" \t", at) : line.find(separator, at);
      fields.push_back(trimmed(line.substr(at, std::min(end, line.size()) - at)));
    }
    if (end == std::string_view::npos) break;
    at = end + 1;
  }
  return fields;
}

bool is_missing(std::string_view field) {
  const std::string small = in_small_letters(field);
  for (const char* word : {"", "na", "n/a", "nan", "null", "none", "?", ".", "-"})
    if (small == word) return true;
  return false;
}

double number(const LineReader& reader, std::string_view field, const std::string& column) {
  const std::string where = "column '" + column + "' ";
  if (is_missing(field))
    reader.fail(where + "has no value (" + quoted(field) + ")",
                "leave out rows or columns with missing values, or fill them in");
  try {
    return reader.value(field);
  } catch (const InputError&) {
    reader.fail(where + "holds " + quoted(field) + ", which is not a finite number",
                "leave the column out, or write a category as columns of 0 and 1");
  }
}

void take_names(const LineReader& reader, char separator, Table& table) {
  std::set<std::string> seen;
  std::size_t numbers = 0;
  for (const std::string_view field : split(reader, separator)) {
    const std::string name(field);
    if (name.empty())
      reader.fail("a column has no name", "write a name for every column in the first line");
    if (!seen.insert(name).second)
      reader.fail("two columns are named '" + name + "'", "give every column its own name");
    table.names.push_back(name);
    numbers += name.find_first_not_of("0123456789.+-eE") == std::string::npos ? 1 : 0;
  }
  if (numbers == table.names.size())
    reader.fail("the first line holds numbers, not names",
                "write the names of the columns in the first line");
}

}  // namespace

Table read_table(const std::string& path) {
  require_file(path);
  return parse_table(path, read_file(path));
}

Table parse_table(const std::string& file, std::string_view text) {
  LineReader reader(file, text);
  Table table;
  table.file = file;
  if (!reader.next())
    reader.fail_file("there is no data", "write names in the first line, numbers in the others");
  const char separator = separator_of(reader.line());
  take_names(reader, separator, table);
  bool labels = false;
  while (reader.next()) {
    std::vector<std::string_view> fields = split(reader, separator);
    if (table.rows == 0) labels = fields.size() == table.names.size() + 1;
    if (fields.size() != table.names.size() + (labels ? 1 : 0))
      reader.fail("the row has " + std::to_string(fields.size()) + " fields, where " +
                      std::to_string(table.names.size()) + " columns have names" +
                      (labels ? " and rows have labels" : ""),
                  "write a number for every column in every line");
    for (std::size_t c = 0; c < table.names.size(); ++c)
      table.values.push_back(number(reader, fields[c + (labels ? 1 : 0)], table.names[c]));
    ++table.rows;
  }
  if (table.rows == 0)
    reader.fail_file("there are names but no rows", "write a row of numbers in every other line");
  if (labels)
    table.notes.emplace_back("the first field of every row is its label, and is passed over");
  return table;
}

RegressionData regression_data(const Table& table, const std::string& response) {
  const auto found = std::ranges::find(table.names, response);
  if (found == table.names.end())
    throw InputError(table.file + ": there is no column '" + response + "'",
                     unknown_name_hint(response, table.names));
  const auto at = static_cast<std::size_t>(found - table.names.begin());
  RegressionData data;
  data.rows = table.rows;
  data.response_name = response;
  for (std::size_t c = 0; c < table.names.size(); ++c) {
    std::vector<double>& column = c == at ? data.response : data.predictors;
    for (std::size_t r = 0; r < table.rows; ++r)
      column.push_back(table.values[r * table.names.size() + c]);
    if (c != at) data.names.push_back(table.names[c]);
  }
  return data;
}

}  // namespace nhot
