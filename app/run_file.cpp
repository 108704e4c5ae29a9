#include "run_file.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "nhot/io/run/run_record.hpp"

namespace nhot::app {
namespace {

// Options that concern the call and not the run.
constexpr std::array<std::string_view, 8> not_of_the_run = {"config", "json",  "quiet",   "help",
                                                            "out",    "force", "threads", "resume"};

}  // namespace

Metadata attributes_of(const Invocation& invocation, const ChainFactory& factory) {
  Metadata metadata = {{"command", invocation.command->name}};
  for (auto& attribute : nhot::attributes_of(factory)) metadata.push_back(std::move(attribute));
  for (const auto& option : invocation.values.resolved()) {
    const std::string& name = option.first;
    const std::string& value = option.second;
    const bool outside =
        std::find(not_of_the_run.begin(), not_of_the_run.end(), name) != not_of_the_run.end();
    if (outside || value.empty()) continue;
    if (name == "move") continue;  // as the factory resolved it
    const auto known = std::find_if(metadata.begin(), metadata.end(),
                                    [&](const auto& attribute) { return attribute.first == name; });
    if (known != metadata.end())
      known->second = value;
    else
      metadata.emplace_back(name, value);
  }
  return metadata;
}

}  // namespace nhot::app
