#!/usr/bin/env bash
# Configures and builds a preset (CMakePresets.json) into build/PRESET:
#   scripts/build.sh [PRESET [TARGET ...]]        default: release, everything
# Uses ccache where it is installed. A second run only checks what changed.
set -euo pipefail
cd "$(dirname "$0")/.."

preset=${1-release}
(($#)) && shift
if [[ -z ${CMAKE_CXX_COMPILER_LAUNCHER-} ]] && command -v ccache >/dev/null; then
  export CMAKE_CXX_COMPILER_LAUNCHER=ccache
fi
jobs=$(scripts/jobs.sh)
# Configuring takes seconds; ninja does it again by itself when a CMakeLists.txt
# changes, so an existing build needs it only when the presets changed.
if [[ ! -f build/$preset/build.ninja || CMakePresets.json -nt build/$preset/CMakeCache.txt ]]; then
  echo "== configuring build/$preset"
  cmake --preset "$preset"
fi
echo "== building build/$preset with $jobs jobs"
cmake --build --preset "$preset" -j "$jobs" ${1+--target "$@"}
