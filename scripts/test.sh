#!/usr/bin/env bash
# Installs what is missing, builds the release preset, runs all tests:
#   scripts/test.sh [--with GROUP[,GROUP]] [CTEST ARGUMENT ...]
# e.g. scripts/test.sh --with peers        also those that compare with scikit-image
#      scripts/test.sh -R layering         some tests only
# Ends with ctest's closing line. Tests whose data or peers are absent say so
# and are skipped.
set -euo pipefail
cd "$(dirname "$0")/.."

with=()
if [[ ${1-} == --with ]]; then
  with=(--with "${2:?--with needs a group}")
  shift 2
fi
scripts/install_deps.sh "${with[@]}"
scripts/build.sh release
echo "== testing build/release"
ctest --preset release "$@"
