#include "nhot/exact/check_model.hpp"

#include <atomic>
#include <mutex>
#include <thread>

#include "nhot/exact/exact_case.hpp"

namespace nhot::exact {
namespace {

/// Walks of several steps on larger shells have too many branches.
constexpr std::size_t most_states = 10;

struct Job {
  std::shared_ptr<const ExactCase> with;
  const MoveKind* kind;
  std::string parameters;
  std::string engine;  // empty: the kind has none

  std::string text() const {
    const Shell& shell = *with->shell();
    std::string reference;
    for (const Bit bit : shell.reference()) reference += bit ? '1' : '0';
    return "distance " + std::to_string(shell.distance()) + " from " + reference + ", beta " +
           format_real(with->beta()) + ", " + move_text(*kind, parameters, engine);
  }
};

std::vector<Job> jobs_for(const Model& model) {
  const Site sites = model.sites();
  Bits mixed(sites, 0);
  for (Site i = 0; i < sites; ++i) mixed[i] = (0b1101001U >> (i % 7)) & 1U;
  std::vector<Job> jobs;
  const auto add = [&](const Bits& reference, Site distance, double beta) {
    const auto with = std::make_shared<const ExactCase>(model, "auto", reference, distance, beta);
    const std::string_view kernel = with->setup("swap").kernel_name();
    for (const MoveKind& kind : move_kinds())
      for (const std::string& engine :
           has_engine(kind) ? engines_for(kernel) : std::vector<std::string>{""})
        for (const std::string& parameters : kind.exact_cases)
          jobs.push_back({with, &kind, parameters, engine});
  };
  for (const double beta : {0.7, 3.0}) {
    add(mixed, 1, beta);
    add(Bits(sites, 0), sites - 1, beta);
  }
  for (Site distance = 2; distance + 1 < sites; ++distance)
    if (enumerate(Shell(mixed, distance)).size() <= most_states) add(mixed, distance, 0.7);
  return jobs;
}

/// Repeats with the largest walk length that fits where the given one does not.
ExactErrors check(Job& job) {
  try {
    return job.with->check(move_text(*job.kind, job.parameters, job.engine));
  } catch (const InputError& refusal) {
    const std::optional<Site> offered = length_offered(refusal);
    if (!offered || *offered == 0) throw;
    job.parameters = with_length(job.parameters, *offered);
    return job.with->check(move_text(*job.kind, job.parameters, job.engine));
  }
}

}  // namespace

std::string Findings::text() const {
  std::string text = std::to_string(checked) + " combinations checked exactly, worst error " +
                     format_real(worst) + (worst_case.empty() ? "" : " (" + worst_case + ")") +
                     "; " + std::to_string(refused) + " are not for this model";
  for (const std::string& line : wrong) text += "\nwrong: " + line;
  return text;
}

Findings check_model(const Model& model) {
  if (model.sites() < 3 || model.sites() > 8)
    throw InputError("the exact suite is for models of 3 to 8 sites, and '" + model.name() +
                         "' has " + std::to_string(model.sites()),
                     "give a small model of the same kind");
  const std::vector<Job> jobs = jobs_for(model);
  Findings found;
  std::mutex mutex;
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t k = next++; k < jobs.size(); k = next++) {
      Job job = jobs[k];
      std::optional<ExactErrors> errors;
      std::string problem;
      bool refused = false;
      try {
        errors = check(job);
      } catch (const InputError&) {
        refused = true;
      } catch (const std::exception& error) {
        problem = error.what();
      }
      const std::lock_guard lock(mutex);
      found.refused += refused ? 1 : 0;
      if (!problem.empty()) found.wrong.push_back(job.text() + ": " + problem);
      if (!errors) continue;
      ++found.checked;
      if (errors->worst() >= found.worst) {
        found.worst = errors->worst();
        found.worst_case = job.text();
      }
      if (!errors->passed())
        found.wrong.push_back(job.text() + ": off by " + format_real(errors->worst()));
    }
  };
  std::vector<std::thread> helpers;
  for (unsigned k = 1; k < std::min(4U, std::thread::hardware_concurrency()); ++k)
    helpers.emplace_back(work);
  work();
  for (std::thread& helper : helpers) helper.join();
  return found;
}

}  // namespace nhot::exact
