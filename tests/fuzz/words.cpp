// Texts that users type: models, moves, numbers, command lines.
#include <charconv>
#include <string>
#include <vector>

#include "commands.hpp"
#include "fuzz/parser.hpp"
#include "nhot/base/option_words.hpp"
#include "nhot/chain/factory.hpp"
#include "nhot/io/attribute_text.hpp"
#include "nhot/model/generators.hpp"
#include "nhot/move/registry.hpp"
#include "nhot/random/stream.hpp"
#include "nhot/run/method_options.hpp"
#include "parse.hpp"

namespace nhot::fuzz {
namespace {

/// The product of the numbers in a text, as far as it matters.
double product_of_numbers(std::string_view text) {
  double product = 1;
  for (std::size_t at = 0; at < text.size();) {
    double number = 0;
    const auto [end, error] = std::from_chars(text.data() + at, text.data() + text.size(), number,
                                              std::chars_format::fixed);
    if (error == std::errc()) product *= number;
    at = std::max<std::size_t>(at + 1, static_cast<std::size_t>(end - text.data()));
  }
  return product;
}

const Parser spec("spec", [](std::string_view text) {
  // Whoever asks for a large model gets it; this is about texts.
  const double sites = product_of_numbers(text.substr(0, text.find(',')));
  if (sites > 10'000 && sites < 1e10) return;
  require(model_from_spec(text).sites() > 0, "a model without sites");
});

const Parser move("move", [](std::string_view text) {
  static const Model lattice = model_from_spec("ferromagnet:3x4");
  static const Model machine = model_from_spec("rbm:6x4");
  static_cast<void>(parse_moves(text));
  for (const Model* model : {&lattice, &machine})
    accepts([&] {
      const Shell shell(Bits(model->sites(), 0), 4);
      const ChainFactory factory(*model, shell, text, 0.5);
      require(ChainFactory(*model, shell, factory.move(), 0.5).move() == factory.move(),
              "a resolved move that means another");
      if (factory.engine() == "bits") return;
      Bits start(model->sites(), 0);
      for (Site i = 0; i < 4; ++i) start[i] = 1;
      factory.make(make_stream(1, 0, 0, Purpose::moves), start)->advance(2);
    });
});

const Parser numbers("numbers", [](std::string_view text) {
  for (const OptionType type : {OptionType::integer, OptionType::real})
    accepts([&] { scan_values(type, text); });
  if (const auto value = parse_real(text))
    require(parse_real(format_real(*value)) == value, "a number that does not read back");
  if (const auto value = parse_integer(text))
    require(parse_integer(std::to_string(*value)) == value, "a number that does not read back");
  spell_options(text, [](std::string_view name, std::string_view value) {
    return std::string(name) + "=" + std::string(value);
  });
  const std::string whole(text);
  text_from_attribute(attribute_from_text("beta", whole), "beta");
});

/// A command and its words, one a line.
std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  for (;;) {
    const std::size_t end = text.find('\n');
    lines.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) return lines;
    text.remove_prefix(end + 1);
  }
}

void make_plans(const OptionValues& values, const app::Command& command) {
  const auto name = [&](std::string_view wanted) { return command.name == wanted; };
  if (name("sample")) plan_from(values);
  if (name("temper")) tempering_plan_from(values);
  if (name("anneal")) annealing_plan_from(values);
  if (name("logz")) partition_plan_from(values);
  if (name("tune")) tuning_plan_from(values);
  if (name("compare")) {
    comparison_plan_from(values);
    compared_moves(values);
  }
}

const Parser command_line("words", [](std::string_view text) {
  if (text.find("config") != std::string_view::npos) return;  // reads files: see toml
  std::vector<std::string> words = lines_of(text);
  const app::Command& command = app::find_command(words.front());
  words.erase(words.begin());
  if (const auto invocation = app::parse_words(command, words))
    make_plans(invocation->values, command);
});

}  // namespace
}  // namespace nhot::fuzz
