#!/usr/bin/env bash
# clang-tidy by .clang-tidy over the project's sources (or those named).
# Reads the compile commands of the clang build (preset `clang`).
set -euo pipefail
cd "$(dirname "$0")/.."

build=build/clang
[[ -f $build/compile_commands.json ]] || cmake --preset clang >/dev/null
# Generated headers must exist before sources that include them are read.
cmake --build "$build" --target talweg_protos talweg_protos_grpc -j "$(scripts/jobs.sh)" >/dev/null
if (($#)); then files=("$@"); else mapfile -t files < <(git ls-files 'core/*.cc' 'server/*.cc' 'client/*.cc'); fi
printf '%s\0' "${files[@]}" | xargs -0 -n 1 -P "$(nproc)" clang-tidy --quiet -p "$build"
