#include "output.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "nhot/base/option_words.hpp"
#include "nhot/run/option_specs.hpp"

namespace nhot::app {
namespace {

void to_stderr(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

}  // namespace

std::string with_dashes(std::string_view text) {
  return spell_options(text, [](std::string_view name, std::string_view value) {
    std::string spelled = "--";
    spelled += name;
    if (!value.empty()) spelled.append(" ").append(value);
    return spelled;
  });
}

const OptionGroup& common_options() {
  using namespace spec;
  static const OptionGroup group = {
      "Common",
      {
          text("config", "FILE.toml", "",
               "read options from a TOML file, keys named as here; the command line wins"),
          flag("json", "print one JSON object on standard output and nothing else"),
          with_short(flag("quiet", "no progress bar and no notes: only the result"), 'q'),
          with_short(flag("help", "print this help"), 'h'),
      }};
  return group;
}

bool is_common_option(std::string_view name) {
  const auto& options = common_options().options;
  return std::any_of(options.begin(), options.end(),
                     [&](const OptionSpec& spec) { return spec.name == name; });
}

void print(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stdout); }

void print_json(const Json& json) {
  print(json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

void check_states_out(const OptionValues& values) {
  if (!values.text("states-out").empty())
    check_states_file(values.text("states-out"), values.flag("force"));
}

void write_states_out(const OptionValues& values, const std::vector<StateRow>& rows,
                      const SiteNames& names, Facts& facts) {
  const std::string& path = values.text("states-out");
  if (path.empty()) return;
  write_states(rows, names, path, values.flag("force"));
  facts.emplace_back("states_out", path);
}

void tell_states_out(const OptionValues& values) {
  if (!values.text("states-out").empty() && !values.flag("quiet"))
    print("states written to " + values.text("states-out") + "\n");
}

bool print_for_programs(const OptionValues& values, const Facts& facts) {
  if (!values.flag("json")) return false;
  print_json(to_json(facts));
  return true;
}

void finish_output() {
  errno = 0;
  const bool failed = std::fflush(stdout) != 0 || std::ferror(stdout) != 0;
  if (!failed) return;
  const std::string reason = errno ? std::strerror(errno) : "write error";
  std::clearerr(stdout);
  throw EnvironmentError("cannot write to standard output: " + reason,
                         "make room or send the output elsewhere");
}

void print_note(std::string_view note) { to_stderr("nhot: note: " + with_dashes(note) + "\n"); }

void print_error(const Error& error) {
  std::string text = "nhot: error: " + with_dashes(error.what()) + "\n";
  if (!error.hint().empty()) text += "  try: " + with_dashes(error.hint()) + "\n";
  to_stderr(text);
}

}  // namespace nhot::app
