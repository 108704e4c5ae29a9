#include "contest.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <limits>

#include "nhot/random/stream.hpp"
#include "nhot/run/clock.hpp"

namespace nhot::bench {

Walker::Walker(const Model& model, Site distance, const std::string& move, double beta,
               std::uint64_t warm, const Bits& start)
    : factory_(model, Shell(Bits(model.sites(), 0), distance), move, beta) {
  RandomDraws draws(make_stream(1, 0, 0, Purpose::start));
  chain_ = factory_.make(make_stream(1, 0, 0, Purpose::moves),
                         start.empty() ? factory_.shell().draw_uniform(draws) : start);
  chain_->advance(warm);
  // As many moves as take about 5 ms: long against the clock, short against the turns of others.
  for (;;) {
    const double begin = thread_cpu_seconds();
    chain_->advance(moves_);
    if (thread_cpu_seconds() - begin > 0.005) break;
    moves_ *= 2;
  }
}

double Walker::operator()() {
  chain_->reset_counters();
  const double begin = thread_cpu_seconds();
  chain_->advance(moves_);
  const double seconds = thread_cpu_seconds() - begin;
  return 1e9 * seconds / static_cast<double>(chain_->counters().steps);
}

Contest::Contest(std::string program, std::string question, double seconds, int argc, char** argv)
    : program_(std::move(program)), question_(std::move(question)), seconds_(seconds) {
  for (int k = 1; k < argc; ++k) {
    if (std::strcmp(argv[k], "--json") == 0) {
      json_ = true;
    } else if (std::strcmp(argv[k], "--seconds") == 0 && k + 1 < argc) {
      seconds_ = std::atof(argv[++k]);
    } else {
      std::fprintf(stderr, "usage: bench_%s [--json] [--seconds S]\n", program_.c_str());
      std::exit(2);
    }
  }
}

void Contest::add(std::string name, std::function<double()> slice, Facts facts) {
  contestants_.push_back({std::move(name), std::move(slice), std::move(facts)});
}

void Contest::add(std::string name, std::shared_ptr<Walker> walker, Facts facts) {
  add(
      std::move(name), [walker] { return (*walker)(); }, std::move(facts));
}

void Contest::run(double share) {
  const double end = wall_seconds() + seconds_ * share;
  std::vector<double> best(contestants_.size(), std::numeric_limits<double>::infinity());
  do {
    for (std::size_t k = 0; k < contestants_.size(); ++k)
      if (contestants_[k].slice) best[k] = std::min(best[k], contestants_[k].slice());
  } while (wall_seconds() < end);
  for (std::size_t k = 0; k < contestants_.size(); ++k)
    if (std::exchange(contestants_[k].slice, nullptr)) contestants_[k].best = best[k];
}

double Contest::ns(const std::string& name) const {
  const auto found = std::find_if(contestants_.begin(), contestants_.end(),
                                  [&](const Contestant& c) { return c.name == name; });
  if (found == contestants_.end()) {
    std::fprintf(stderr, "there is no contestant '%s'\n", name.c_str());
    std::exit(4);
  }
  return found->best;
}

void Contest::ratio(const std::string& name, const std::string& over, const std::string& under,
                    const std::string& asked) {
  number(name, ns(over) / ns(under), asked);
}

void Contest::number(const std::string& name, double value, const std::string& asked) {
  numbers_.push_back({name, value, asked});
}

int Contest::print() const {
  if (json_)
    print_json();
  else
    print_table();
  return 0;
}

void Contest::print_json() const {
  std::printf("{\"program\": \"%s\", \"question\": \"%s\",\n \"times\": [", program_.c_str(),
              question_.c_str());
  for (std::size_t k = 0; k < contestants_.size(); ++k) {
    const Contestant& c = contestants_[k];
    std::printf("%s\n  {\"name\": \"%s\", \"ns\": %.6g", k ? "," : "", c.name.c_str(), c.best);
    for (const auto& [name, value] : c.facts) std::printf(", \"%s\": %.12g", name.c_str(), value);
    std::printf("}");
  }
  std::printf("],\n \"numbers\": [");
  for (std::size_t k = 0; k < numbers_.size(); ++k)
    std::printf("%s\n  {\"name\": \"%s\", \"value\": %.6g, \"asked\": \"%s\"}", k ? "," : "",
                numbers_[k].name.c_str(), numbers_[k].value, numbers_[k].asked.c_str());
  std::printf("]}\n");
}

void Contest::print_table() const {
  std::printf("%s\n\n", question_.c_str());
  for (const Contestant& c : contestants_) {
    std::printf("  %-54s %10.4g ns", c.name.c_str(), c.best);
    for (const auto& [name, value] : c.facts) std::printf("  %s %.6g", name.c_str(), value);
    std::printf("\n");
  }
  if (!numbers_.empty()) std::printf("\n");
  for (const Number& n : numbers_) {
    std::printf("  %-54s %10.4g", n.name.c_str(), n.value);
    if (!n.asked.empty()) std::printf("     (aim: %s)", n.asked.c_str());
    std::printf("\n");
  }
}

double resident_bytes() {
  std::ifstream status("/proc/self/statm");
  double whole = 0;
  double resident = 0;
  status >> whole >> resident;
  return 4096 * resident;
}

}  // namespace nhot::bench
