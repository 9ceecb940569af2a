#!/usr/bin/env bash
# Prints how many compile jobs this machine bears: one per core, and 1.5 GB of
# available memory each (a source that includes gRPC and protobuf takes 1 GB).
set -euo pipefail
available_kb=$(awk '/^MemAvailable:/ {print $2}' /proc/meminfo)
for limit in /sys/fs/cgroup/memory.max /sys/fs/cgroup/memory/memory.limit_in_bytes; do
  [[ -r $limit ]] || continue
  bytes=$(<"$limit")
  [[ $bytes != max ]] && ((${#bytes} < 16)) && ((bytes / 1024 < available_kb)) && available_kb=$((bytes / 1024))
done
jobs=$((available_kb / 1500000))
cores=$(nproc)
((jobs > cores)) && jobs=$cores
((jobs < 1)) && jobs=1
echo "$jobs"
