// nhot convert: a model from one format into another.
#include "command.hpp"
#include "nhot/io/model/model_file.hpp"
#include "output.hpp"
#include "terminal.hpp"

namespace nhot::app {
namespace {

// The format of the file to write is named by --to, that of the one to read by --format.
std::vector<std::string> write(const Model& model, const std::string& path,
                               const std::string& format, bool force) {
  try {
    return write_model(model, path, format, force);
  } catch (const InputError& error) {
    std::string hint = error.hint();
    for (std::size_t at = hint.find("{format"); at != std::string::npos;
         at = hint.find("{format", at))
      hint.replace(at, 7, "{to");
    throw InputError(error.what(), hint);
  }
}

ExitCode run_convert(Invocation& invocation) {
  const OptionValues& values = invocation.values;
  const std::string& in = values.text("in");
  const std::string& out = values.text("to-file");
  if (in.empty() || out.empty())
    throw InputError("nhot convert needs a model to read and a file to write",
                     "write nhot convert IN OUT, for example: nhot convert ferromagnet:8x8 "
                     "lattice.coo");
  std::vector<std::string> notes = invocation.notes;
  const ReadResult read = load_model(in, values.text("format"));
  for (const std::string& note : read.notes) notes.push_back(with_dashes(note));
  const std::vector<std::string> written =
      write(read.model, out, values.text("to"), values.flag("force"));
  notes.insert(notes.end(), written.begin(), written.end());
  const Facts facts = {{"in", in},
                       {"out", out},
                       {"sites", read.model.sites()},
                       {"couplings", read.model.couplings()},
                       {"hash", read.model.hash()},
                       {"notes", notes}};
  if (!print_for_programs(values, facts) && !values.flag("quiet")) {
    print("wrote " + out + ": " + std::to_string(read.model.sites()) + " sites, " +
          std::to_string(read.model.couplings()) + " couplings\n");
    print(page_layout().notes(notes));
  }
  return ExitCode::done;
}

}  // namespace

const Command& convert_command() {
  static const OptionGroup group = {
      "Files",
      {{"in", OptionType::text, "", "the model to read: a file or a generator", "IN"},
       {"to-file", OptionType::text, "", "the file to write", "OUT"},
       {"format", OptionType::text, "", "format of IN; found by the extension when not given",
        "NAME"},
       {"to", OptionType::text, "", "format of OUT; found by the extension when not given", "NAME"},
       {"force", OptionType::flag, "false", "replace OUT when it exists"}}};
  static const Command command = {
      "convert",
      "write a model in another format",
      "Reads a model and writes it in another format, without loss: what the format cannot hold is "
      "refused. nhot help models lists the formats.",
      {"in", "to-file"},
      {group, common_options()},
      {{"nhot convert spin-glass:4x4x4,seed=7 glass.coo", "a generated model as a COO file"},
       {"nhot convert glass.coo glass.qubo --force", "the same as a QUBO"}},
      run_convert};
  return command;
}

}  // namespace nhot::app
