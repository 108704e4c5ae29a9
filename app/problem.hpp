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
/// A shell as a file has it: an empty reference is all zero; groups where the shell is grouped.
struct StoredShell {
  Bits reference;
  std::optional<std::vector<SiteGroup>> groups;
};

/// The groups of a grouped shell.
std::optional<std::vector<SiteGroup>> groups_of(const Shell& shell);

/// The same on a shell that is known, and for a model that check() lets pass before anything else
/// is looked at.
Problem problem_from(const OptionValues& values, const StoredShell& stored,
                     const std::function<void(const Model&)>& check);

/// What the command line has to say, before what the run says.
void put_first(std::vector<std::string>& notes, const std::vector<std::string>& of_invocation,
               const Problem& problem);

/// The start of shell_options(): nothing for a uniform one. InputError when the state is off the
/// shell.
std::optional<Bits> start_from(const OptionValues& values, const Shell& shell);

}  // namespace nhot::app
