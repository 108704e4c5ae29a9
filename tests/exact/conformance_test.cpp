// Every registered kernel x engine x move kind x case of the kind keeps pi_n exactly: its
// transition matrix P, over all branches of one move, has max |pi P - pi| <= 1e-12 and rows that
// sum to 1. A new kernel, engine or move is here by being registered; a kernel without an instance
// fails.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdio>
#include <map>
#include <mutex>
#include <set>
#include <thread>

#include "exact/branches.hpp"
#include "exact/instances.hpp"
#include "support/exact.hpp"

namespace nhot::test {
namespace {

struct Job {
  const Instance* instance;
  std::shared_ptr<const ExactCase> with;
  const MoveKind* kind;
  std::string parameters;
  std::string engine;  // empty: the kind has none
};

std::string describe(const Job& job) {
  const Shell& shell = *job.with->shell();
  std::string text = job.instance->name + "/" + std::string(job.instance->kernel) +
                     " n=" + std::to_string(shell.distance()) + " of " +
                     std::to_string(shell.sites()) + " c=";
  for (const Bit bit : shell.reference()) text += bit ? '1' : '0';
  if (shell.grouped())
    for (const SiteGroup& group : shell.list_groups()) {
      text += " " + std::to_string(group.distance) + ":";
      for (const Site i : group.sites) text += " " + std::to_string(i);
    }
  return text + " beta=" + format_real(job.with->beta()) + " " +
         move_text(*job.kind, job.parameters, job.engine);
}

/// What all jobs together found. Jobs run on several threads.
class Findings {
 public:
  void checked(const Job& job, const std::string& asked, const ExactErrors& errors) {
    const std::lock_guard lock(mutex_);
    ++checked_;
    covered_.insert(job.kind->name + ":" + asked);
    ++by_kernel_[std::string(job.instance->kernel) + "/" + job.engine];
    if (errors.worst() >= worst_) {
      worst_ = errors.worst();
      worst_job_ = describe(job);
    }
    if (!errors.passed())
      fail(describe(job) + ": max|pi P - pi| " + format_real(errors.stationarity) +
           ", row sums off by " + format_real(errors.row_sum));
  }
  void length_refused() {
    const std::lock_guard lock(mutex_);
    ++lengths_refused_;
  }
  void model_refused() {
    const std::lock_guard lock(mutex_);
    ++models_refused_;
  }
  void broken(const Job& job, const std::string& what) {
    const std::lock_guard lock(mutex_);
    fail(describe(job) + ": " + what);
  }

  std::size_t count() const { return checked_; }
  std::size_t lengths_refused() const { return lengths_refused_; }
  std::size_t models_refused() const { return models_refused_; }
  /// Kinds with the parameters of a case of theirs that was checked at least once.
  const std::set<std::string>& covered() const { return covered_; }
  double worst() const { return worst_; }
  const std::string& worst_job() const { return worst_job_; }
  const std::vector<std::string>& failures() const { return failures_; }
  const std::map<std::string, std::size_t>& by_kernel() const { return by_kernel_; }

 private:
  void fail(std::string text) { failures_.push_back(std::move(text)); }

  std::mutex mutex_;
  std::size_t checked_ = 0;
  std::size_t lengths_refused_ = 0;
  std::size_t models_refused_ = 0;
  double worst_ = 0;
  std::string worst_job_;
  std::vector<std::string> failures_;
  std::map<std::string, std::size_t> by_kernel_;
  std::set<std::string> covered_;
};

/// A kind that is not for the model must say so. A length that does not fit is asked for and
/// refused, and then shortened to the one offered.
void run(Job job, Findings& findings) try {
  const std::string asked = job.parameters;
  if (!is_for(job.kind->name, job.instance->model, *job.with->shell())) {
    try {
      job.with->setup(move_text(*job.kind, asked, job.engine));
      findings.broken(job, "is not for this model and was not refused");
    } catch (const InputError& refusal) {
      if (refusal.hint().empty()) findings.broken(job, "refused without a hint");
      findings.model_refused();
    }
    return;
  }
  try {
    findings.checked(job, asked, job.with->check(move_text(*job.kind, asked, job.engine)));
    return;
  } catch (const InputError& refusal) {
    const std::optional<Site> offered = length_offered(refusal);
    if (!offered) throw;
    findings.length_refused();
    if (*offered == 0) {
      const Shell& shell = *job.with->shell();
      if (shell.movable_sites() > 0) findings.broken(job, "no walk is said to fit");
      return;
    }
    job.parameters = with_length(asked, *offered);
  }
  findings.checked(job, asked, job.with->check(move_text(*job.kind, job.parameters, job.engine)));
} catch (const std::exception& error) {
  findings.broken(job, error.what());
}

/// The walks of three steps on middle shells have thousands of branches per state, so they are met
/// at one temperature each; the shells at the edges cost little.
std::vector<std::shared_ptr<const ExactCase>> cases_for(const Instance& instance) {
  const Site sites = instance.model.sites();
  const Bits mixed = mixed_reference(sites);
  const Bits zeros(sites, 0);
  std::vector<std::shared_ptr<const ExactCase>> cases;
  const auto add = [&](const Bits& reference, Site distance, double beta) {
    cases.push_back(std::make_shared<const ExactCase>(instance.model, instance.kernel, reference,
                                                      distance, beta));
  };
  add(mixed, 0, 0.7);
  add(mixed, 1, 0.0);
  add(mixed, 1, 6.0);
  add(zeros, sites - 1, 0.7);
  add(mixed, sites - 1, 6.0);
  add(mixed, sites, 0.7);
  if (instance.thorough) {
    add(zeros, 2, 6.0);
    add(mixed, 3, 0.7);
  } else {
    add(zeros, sites - 2, 0.7);
  }
  if (!instance.only.empty() && instance.only != "block") return cases;
  double beta = 0.7;
  for (const std::vector<SiteGroup>& groups : groups_of(sites)) {
    cases.push_back(std::make_shared<const ExactCase>(instance.model, instance.kernel,
                                                      Shell(mixed, groups), beta));
    beta = beta == 0.7 && instance.thorough ? 4.0 : 0.7;
  }
  return cases;
}

/// The scan of `linear` makes its branches slow to measure: it meets the largest shell once, those
/// of middle size once per kernel, and the small ones everywhere.
std::size_t most_states_of_linear(const Instance& instance) {
  if (!instance.thorough) return 10;
  return instance.kernel == "real" ? 20 : 15;
}

std::vector<Job> all_jobs(const std::vector<Instance>& instances) {
  std::vector<Job> jobs;
  for (const Instance& instance : instances)
    for (const auto& with : cases_for(instance))
      for (const MoveKind& kind : move_kinds()) {
        if (!instance.only.empty() && instance.only != kind.name) continue;
        const std::vector<std::string> engines =
            has_engine(kind) ? engines_for(instance.kernel, with->shell()->grouped())
                             : std::vector<std::string>{""};
        for (const std::string& engine : engines) {
          if (engine == "linear" && with->states().size() > most_states_of_linear(instance))
            continue;
          for (const std::string& parameters : kind.exact_cases)
            if (is_worth_its_branches(*with, parameters))
              jobs.push_back({&instance, with, &kind, parameters, engine});
        }
      }
  return jobs;
}

TEST(Exact, EveryKernelHasAnInstanceAndEveryMoveItsCases) {
  const std::vector<Instance> instances = exact_instances();
  for (const std::string_view kernel : kernel_names)
    EXPECT_TRUE(std::any_of(instances.begin(), instances.end(),
                            [&](const Instance& i) { return i.kernel == kernel; }))
        << "no instance for kernel " << kernel;
  for (const Instance& instance : instances) EXPECT_GE(instance.model.sites(), 6u);
  for (const MoveKind& kind : move_kinds())
    EXPECT_FALSE(kind.exact_cases.empty()) << "move " << kind.name << " has no exact cases";
}

TEST(Exact, EveryRegisteredCombinationKeepsTheLaw) {
  const std::vector<Instance> instances = exact_instances();
  const std::vector<Job> jobs = all_jobs(instances);
  Findings findings;
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t k = next++; k < jobs.size(); k = next++) run(jobs[k], findings);
  };
  std::vector<std::thread> helpers;
  for (unsigned k = 1; k < std::min(4U, std::thread::hardware_concurrency()); ++k)
    helpers.emplace_back(work);
  work();
  for (std::thread& helper : helpers) helper.join();

  for (std::size_t k = 0; k < std::min<std::size_t>(20, findings.failures().size()); ++k)
    ADD_FAILURE() << findings.failures()[k];
  EXPECT_EQ(findings.failures().size(), 0u);
  for (const Instance& instance : instances)
    for (const std::string& engine : engines_for(instance.kernel))
      EXPECT_GT(findings.by_kernel().count(std::string(instance.kernel) + "/" + engine), 0u);
  for (const MoveKind& kind : move_kinds())
    for (const std::string& parameters : kind.exact_cases)
      EXPECT_EQ(findings.covered().count(kind.name + ":" + parameters), 1u)
          << kind.name << ":" << parameters << " was refused by every instance";
  EXPECT_GT(findings.lengths_refused(), 0u);
  std::printf(
      "exact suite: %zu combinations checked, worst error %.1e (%s); refused: %zu lengths that do "
      "not fit, %zu models that a move is not for\n",
      findings.count(), findings.worst(), findings.worst_job().c_str(), findings.lengths_refused(),
      findings.models_refused());
}

}  // namespace
}  // namespace nhot::test
