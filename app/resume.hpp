// A run file to go on with.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "command.hpp"
#include "nhot/io/run_reader.hpp"
#include "nhot/model/model.hpp"
#include "nhot/run/checkpoint.hpp"

namespace nhot::app {

struct Resumption {
  std::string path;  // of the finished file, whether or not it exists
  RunFacts facts;
  std::shared_ptr<const StoppedRun> run;  // its draws are cut at the checkpoint
};

/// Opens RUN.nc, or what a killed run left in RUN.nc.partial when that goes further: it then
/// becomes RUN.nc. InputError when there is nothing to go on from.
Resumption open_resumption(const std::string& given, std::vector<std::string>& notes);

/// Sets the options that the file decides. InputError when the user gave another value; only the
/// model may be named anew, as its file may have moved.
void adopt_options(const Resumption& resumption, Invocation& invocation);

/// InputError unless the model is the one that the run was made with.
void check_model(const Resumption& resumption, const Model& model);

}  // namespace nhot::app
