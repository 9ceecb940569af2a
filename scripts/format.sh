#!/usr/bin/env bash
# Formats the project's C++ by .clang-format; with --check changes nothing and
# fails when something would change.
set -euo pipefail
cd "$(dirname "$0")/.."

mapfile -t files < <(git ls-files --cached --others --exclude-standard '*.h' '*.cc' |
  while read -r file; do [[ -f $file ]] && echo "$file"; done)
case ${1-} in
  "") clang-format -i "${files[@]}" ;;
  --check) clang-format --dry-run --Werror "${files[@]}" && echo "format: ${#files[@]} files are fine" ;;
  *) echo "usage: scripts/format.sh [--check]" >&2; exit 2 ;;
esac
