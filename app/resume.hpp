// A run file to go on with.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "command.hpp"
#include "nhot/chain/factory.hpp"
#include "nhot/io/file_lock.hpp"
#include "nhot/io/run/run_reader.hpp"
#include "nhot/model/model.hpp"
#include "nhot/run/sample/checkpoint.hpp"
#include "nhot/run/temper/tempering_checkpoint.hpp"

namespace nhot::app {

/// Behind the name of a file that is not finished.
inline constexpr const char* partial_suffix = ".partial";
/// Of the plan of a checkpoint: the run ended by the rule of --until or --ess.
inline constexpr const char* enough_key = "enough";

struct ResumedFile {
  std::string path;  // of the finished file, whether or not it exists
  RunFacts facts;
  std::shared_ptr<const FileLock> lock = nullptr;  // held as long as this lives
  bool finished = false;  // by a run that ended by itself, and not only by what is drawn
  bool drawn = false;     // all that was asked for: the file needs to be finished and no more
  bool enough = false;    // ended by the rule of --until or --ess, and not by its length
};

/// All that a run was asked for is done, and no more is asked now.
class NothingLeft : public InputError {
 public:
  using InputError::InputError;
};

/// One number, or a list of numbers with commas between, however they are written.
bool same_value(const std::string& a, const std::string& b);

/// The model of the run, unless the user says where it is now; which one that is, check_model()
/// decides by its hash.
void adopt_model(const ResumedFile& file, const std::string& command, OptionValues& values);

/// What a run is asked for as a whole, for its file: the moves or seconds of this call, and those
/// before it. `file`: that it goes on with, or null.
Metadata asked_of(const OptionValues& values, const ResumedFile* file, std::uint64_t moves_before,
                  double seconds_before);

/// Draws are cut at the checkpoint.
struct Resumption : ResumedFile {
  std::shared_ptr<const StoppedRun> run;
};
struct TemperingResumption : ResumedFile {
  std::shared_ptr<const StoppedTempering> run;
};

/// Opens RUN.nc, or what a killed run left in RUN.nc.partial when that goes further: it then
/// becomes RUN.nc. InputError when there is nothing to go on from, or when it is a run of another
/// command.
Resumption open_resumption(const std::string& given, std::vector<std::string>& notes);
TemperingResumption open_tempering(const std::string& given, std::vector<std::string>& notes);

/// Sets the options that the file decides. InputError when the user gave another value; only the
/// model may be named anew, as its file may have moved.
void adopt_options(Resumption& resumption, Invocation& invocation);
void adopt_options(TemperingResumption& resumption, Invocation& invocation);

/// InputError unless the model is the one that the run was made with.
void check_model(const ResumedFile& file, const Model& model);
/// InputError unless the move is that of the run.
void check_move(const ResumedFile& file, const ChainFactory& factory);

/// Where the draws go.
struct Output {
  std::string path;  // empty: nowhere
  bool force = false;
};

/// A run that goes on is written to its own file unless another is given; null: a new run.
Output output_of(const OptionValues& values, const ResumedFile* resumed);

}  // namespace nhot::app
