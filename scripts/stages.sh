# Shared by the scripts that run in stages; source it. Each stage prints one line with its duration;
# what it wrote is shown only when it fails.
# shellcheck shell=bash

stage_log=$(mktemp)
trap 'rm -f "$stage_log"' EXIT

# jobs: how many processes to run side by side.
jobs_wanted() { getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2; }

# stage NAME COMMAND...: runs the command, with its output in the log.
stage() {
  local name=$1 began=$SECONDS status=0
  shift
  "$@" >"$stage_log" 2>&1 || status=$?
  printf '%-34s %4d s%s\n' "$name" $((SECONDS - began)) "$([ $status = 0 ] || echo "   FAILED")"
  if [ $status != 0 ]; then
    # Without the tests that passed; the end when it is long, for that is where the news is.
    grep -vE '^ *Start +[0-9]+: | Passed +[0-9.]+ sec$' "$stage_log" |
      tail -n "${NHOT_LOG_LINES:-200}" >&2
    exit "$status"
  fi
  # Warnings are worth a line even when the stage went well.
  grep -E '^(note|warning): ' "$stage_log" || true
}
