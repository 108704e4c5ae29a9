// What the options say about the model, the shell and the start: shared by every command that
// samples.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "nhot/base/options.hpp"
#include "nhot/model/model.hpp"
#include "nhot/shell/shell.hpp"

namespace nhot::app {

/// A model on a shell, with what the user should know about how it was read.
struct Problem {
  Model model;
  Shell shell;
  std::vector<std::string> notes;
};

/// The model of model_options(); InputError when it is missing or wrong.
Model model_from(const OptionValues& values, std::vector<std::string>& notes);

/// The model of model_options() on the shell of shell_options(). A missing distance is an error
/// that says the range.
Problem problem_from(const OptionValues& values);
/// The same with a reference that is known, an empty one being all zero, and for a model that
/// check() lets pass before anything else is looked at.
Problem problem_from(const OptionValues& values, const Bits& reference,
                     const std::function<void(const Model&)>& check);

/// What the command line has to say, before what the run says.
void put_first(std::vector<std::string>& notes, const std::vector<std::string>& of_invocation,
               const Problem& problem);

/// The start of shell_options(): nothing for a uniform one. InputError when the state is off the
/// shell.
std::optional<Bits> start_from(const OptionValues& values, const Shell& shell);

}  // namespace nhot::app
