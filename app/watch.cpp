#include "watch.hpp"

#include "interrupt.hpp"

namespace nhot::app {

RunHooks hooks_of(ProgressBar& bar, const WatchWords& words) {
  RunHooks hooks;
  hooks.stop = InterruptGuard::requested;
  if (bar.active())
    hooks.progress = [&bar, words](const RunProgress& now) {
      bar.show(now.verifying ? "verifying"
               : now.warming ? "warm-up"
                             : words.phase,
               now.fraction, now.seconds,
               static_cast<double>(now.moves) * (now.verifying ? 1 : words.per_count), words.unit);
    };
  return hooks;
}

}  // namespace nhot::app
