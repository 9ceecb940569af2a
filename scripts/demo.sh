#!/usr/bin/env bash
# Installs what is missing, builds, and runs the main job on the sample that
# ships: least-cost paths and costs between eight points of interest on a
# friction surface. Leaves a matrix, paths and a picture in build/demo.
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/install_deps.sh
scripts/build.sh release talweg talwegd talweg-worker

out=build/demo
mkdir -p "$out"
echo "== talweg matrix: 8 points of interest on 300 x 400 cells of 30 m"
build/release/bin/talweg matrix examples/data/friction.tif \
  --pois examples/data/points.gpkg --workers 2 --quiet \
  --out "$out/matrix.csv" --paths "$out/paths.gpkg" --picture "$out/demo.png"

echo
echo "Accumulated cost, in thousands (metres of level ground): from row, to column"
# The long form from_id,to_id,cost,length,outcome as a square table.
awk -F, '
  NR == 1 { next }
  !($1 in known) { known[$1]; ids[++count] = $1 }
  { cell[$1, $2] = $5 == "ok" ? sprintf("%.1f", $3 / 1000) : $5 }
  END {
    printf "%-10s", ""
    for (j = 1; j <= count; ++j) printf "%10s", ids[j]
    print ""
    for (i = 1; i <= count; ++i) {
      printf "%-10s", ids[i]
      for (j = 1; j <= count; ++j) printf "%10s", cell[ids[i], ids[j]]
      print ""
    }
  }' "$out/matrix.csv"

echo
echo "Written:"
for file in "matrix.csv   costs, lengths and outcomes of all pairs" \
            "paths.gpkg   the paths as lines, for any GIS" \
            "demo.png     the surface with the paths and points"; do
  [[ -s $out/${file%% *} ]] || { echo "missing: $out/${file%% *}" >&2; exit 1; }
  echo "  $PWD/$out/$file"
done
