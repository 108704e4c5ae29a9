#include "run_file.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "nhot/io/run/run_record.hpp"
#include "output.hpp"

namespace nhot::app {
namespace {

// Options that concern the call and not the run.
bool of_the_call(std::string_view name) {
  constexpr std::array<std::string_view, 4> names = {"out", "force", "threads", "resume"};
  return is_common_option(name) || std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

Metadata attributes_of(const Invocation& invocation, const ChainFactory& factory) {
  Metadata metadata = {{"command", invocation.command->name}};
  for (auto& attribute : nhot::attributes_of(factory)) metadata.push_back(std::move(attribute));
  for (const auto& option : invocation.values.resolved()) {
    const std::string& name = option.first;
    const std::string& value = option.second;
    if (of_the_call(name) || value.empty()) continue;
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
