# Shared by the scripts that run in stages; source it. Each stage prints one line with its duration;
# what it wrote is shown only when it fails.
# shellcheck shell=bash

stage_log=$(mktemp)
trap 'rm -f "$stage_log"' EXIT

# jobs: how many processes to run side by side.
jobs_wanted() { getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2; }

# The stages so far, a line each: what stage_table prints.
stage_times=()

# note_stage NAME SECONDS STATUS: keeps the line for the table, and prints it.
note_stage() {
  stage_times+=("$(printf '%-34s %4d s%s' "$1" "$2" "$([ "$3" = 0 ] || echo "   FAILED")")")
  echo "${stage_times[-1]}"
}

# stage_table: what every stage so far took, and all of them.
stage_table() {
  printf '\n%-34s %6s\n' stage seconds
  printf '%s\n' "${stage_times[@]}"
  printf '%-34s %4d s\n' "all" "$SECONDS"
}

# stage NAME COMMAND...: runs the command, with its output in the log.
stage() {
  local name=$1 began=$SECONDS status=0
  shift
  "$@" >"$stage_log" 2>&1 || status=$?
  note_stage "$name" $((SECONDS - began)) $status
  if [ $status != 0 ]; then
    # Without the tests that passed; the end when it is long, for that is where the news is.
    grep -vE '^ *Start +[0-9]+: | Passed +[0-9.]+ sec$' "$stage_log" |
      tail -n "${NHOT_LOG_LINES:-200}" >&2
    exit "$status"
  fi
  # Warnings are worth a line even when the stage went well.
  grep -E '^(note|warning): ' "$stage_log" || true
}
