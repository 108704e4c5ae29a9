// Reads chains as text and prints their summary as JSON, so that the Python tests can compare it
// with ArviZ on any data. One chain per line, draws separated by blanks; after an empty line comes
// another set of chains, which has a summary of its own. Doubles are printed with 17 digits and
// what is not a finite number as "nan", "inf" or "-inf". With --repeat K a summary is computed K
// times and the seconds of one are added.
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "nhot/diagnose/ess.hpp"
#include "nhot/diagnose/mcse.hpp"
#include "nhot/diagnose/rhat.hpp"
#include "nhot/diagnose/summary.hpp"

namespace {

std::vector<std::vector<double>> read_chains(std::istream& in) {
  std::vector<std::vector<double>> chains;
  for (std::string line; std::getline(in, line) && !line.empty();) {
    std::vector<double> chain;
    const char* at = line.c_str();
    for (char* end = nullptr;; at = end) {
      const double value = std::strtod(at, &end);
      if (end == at) break;
      chain.push_back(value);
    }
    chains.push_back(std::move(chain));
  }
  return chains;
}

void print(const char* name, double value, const char* after = ",\n") {
  if (std::isfinite(value)) {
    std::printf("  \"%s\": %.17g%s", name, value, after);
  } else {
    const char* word = std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
    std::printf("  \"%s\": \"%s\"%s", name, word, after);
  }
}

void print_summary(const std::vector<std::vector<double>>& chains, int repeat) {
  nhot::ObservableSummary s;
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < repeat; ++i) s = nhot::summarise(chains);
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;

  std::printf("{\n");
  print("chains", static_cast<double>(s.chains));
  print("draws", static_cast<double>(s.draws));
  print("mean", s.mean);
  print("sd", s.sd);
  print("mcse", s.mcse);
  print("mcse_sd", s.mcse_sd);
  print("tau", s.tau);
  print("tau_geyer", s.tau_geyer);
  print("ess_bulk", s.ess_bulk);
  print("ess_tail", s.ess_tail);
  print("ess_mean", s.ess_mean);
  print("rhat", s.rhat);
  print("rhat_bulk", s.rhat_bulk);
  print("rhat_folded", s.rhat_folded);
  // The functions on their own must say what the summary, which shares work between them, says.
  print("alone_ess_bulk", nhot::ess_bulk(chains));
  print("alone_ess_tail", nhot::ess_tail(chains));
  print("alone_ess_mean", nhot::ess_mean(chains));
  print("alone_rhat", nhot::rank_rhat(chains).value());
  print("alone_mcse", nhot::mcse_mean(chains));
  print("alone_mcse_sd", nhot::mcse_sd(chains));
  print("constant", s.constant ? 1 : 0);
  print("frozen_chains", static_cast<double>(s.frozen_chains));
  if (repeat > 1) print("seconds", taken.count() / repeat);
  print("finite", s.finite ? 1 : 0, "\n}\n");
}

}  // namespace

int main(int argc, char** argv) {
  const int repeat = argc == 3 && std::string_view(argv[1]) == "--repeat" ? std::atoi(argv[2]) : 1;
  do {
    print_summary(read_chains(std::cin), repeat);
  } while (std::cin.peek() != std::istream::traits_type::eof());
  return 0;
}
