// Options, declared once. The command line, TOML files, move parameters, Python keywords, generated
// documentation and the metadata of a trace all read these declarations.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace nhot {

enum class OptionType { flag, integer, real, choice, text };

struct OptionSpec {
  std::string name;  // long name without dashes
  OptionType type = OptionType::text;
  std::string default_value;  // as a user would write it; empty: none
  std::string help;
  std::string value_name = {};  // what stands for the value in help texts
  double min = -std::numeric_limits<double>::infinity();
  double max = std::numeric_limits<double>::infinity();
  std::vector<std::string> choices = {};  // for choice; for others, words accepted besides a value
  char short_name = 0;
  bool repeatable = false;
  bool scanned = false;  // a number that may be several: "0.3,0.4" or "0.2..0.6/9"
  bool band = false;     // a whole number that may be all from one to another: "10..40"
};

using OptionTable = std::vector<OptionSpec>;

/// Numbers from text; nullopt unless the whole text is one number. real accepts no NaN or infinity.
std::optional<std::int64_t> parse_integer(std::string_view text);
std::optional<double> parse_real(std::string_view text);

/// The shortest text that parse_real reads back as the same number.
std::string format_real(double value);

/// The values of "0.3,0.4,0.5", or of "0.2..0.6/9": nine evenly spaced, ends included. As texts
/// that a single value would be given as; whole numbers are rounded to the nearest. InputError
/// (without the name of the option) when the text is something else, or a value comes twice.
std::vector<std::string> scan_values(OptionType type, std::string_view text);
/// Written as a scan: has a comma or two points.
bool is_scan(std::string_view text);
/// The ends of "10..40", all counts from 10 to 40; nullopt for any other text, scans such as
/// "10..40/4" included.
std::optional<std::pair<std::int64_t, std::int64_t>> parse_band(std::string_view text);

/// For people: a number that is known exactly, such as beta as it was typed or an energy, in full
/// where that is short or whole, otherwise with eight digits.
std::string short_real(double value);

/// Values of the options of one table. Every value has been checked against its declaration.
class OptionValues {
 public:
  /// `where` is how messages name an option, for example "--" or "move im: ".
  OptionValues(const OptionTable& table, std::string where);

  /// InputError for an unknown name (with the nearest known one) or a value outside its
  /// declaration.
  void set(std::string_view name, std::string_view value);

  bool was_set(std::string_view name) const;
  /// The value as text, or the default.
  const std::string& text(std::string_view name) const;
  bool flag(std::string_view name) const { return text(name) == "true"; }
  std::int64_t integer(std::string_view name) const;
  double real(std::string_view name) const;
  /// All values of a repeatable option.
  std::vector<std::string> list(std::string_view name) const;
  /// Name and value of every option, defaults included, in the order of the table.
  std::vector<std::pair<std::string, std::string>> resolved() const;

  const OptionTable& table() const { return *table_; }

 private:
  const OptionSpec& spec(std::string_view name) const;
  void check(const OptionSpec& spec, std::string_view value) const;

  const OptionTable* table_;
  std::string where_;
  std::map<std::string, std::vector<std::string>, std::less<>> values_;
};

}  // namespace nhot
