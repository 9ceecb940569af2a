#!/usr/bin/env bash
# The only list of the Debian 12 packages that Talweg is built and tested with.
#
#   scripts/install_deps.sh                    what building and running needs
#   scripts/install_deps.sh --with peers       ... and the peers tests compare with
#   scripts/install_deps.sh --with peers,lint  several groups
#   scripts/install_deps.sh --print GROUP      only prints the packages (for a Dockerfile)
#
# Installs what is missing and nothing else: when all is there it asks neither
# the network nor for root.
set -euo pipefail

# What compiling the programs, the tests and the micro-benchmarks needs.
build=(
  g++ cmake ninja-build pkg-config
  libgrpc++-dev protobuf-compiler-grpc libprotobuf-dev protobuf-compiler
  libabsl-dev
  libxtensor-dev
  libxxhash-dev
  libgdal-dev
  libcli11-dev libspdlog-dev nlohmann-json3-dev
  zlib1g-dev libssl-dev
  libgtest-dev libgmock-dev
  libbenchmark-dev
  python3      # tests/layering
)
# What the installed programs need on a machine that builds nothing: talwegd
# and talweg-worker only ...
server=(libgrpc++1.51 libprotobuf32 libspdlog1.10 libssl3 zlib1g libxxhash0)
# ... and the talweg command beside them.
client=(libgdal32 "${server[@]}")
# Looking at results: gdalinfo, ogrinfo.
tools=(gdal-bin)
# Peers: tests with the label `peers` and bench/side_by_side.py compare with
# scikit-image. These run by /usr/bin/python3.
peers=(python3-numpy python3-skimage python3-joblib python3-gdal)
# The second compiler, the formatter, the linter, the sanitizers' run time.
lint=(clang-14 clang-format-14 clang-format clang-tidy-14 clang-tidy libclang-rt-14-dev)
groups=(build server client tools peers lint)

usage() {
  echo "usage: scripts/install_deps.sh [--with GROUP[,GROUP...]] | --print GROUP" >&2
  echo "groups: ${groups[*]}" >&2
  exit 2
}
is_group() { [[ " ${groups[*]} " == *" $1 "* ]]; }

wanted=(build tools)
while (($#)); do
  case $1 in
    --print)
      [[ $# -eq 2 ]] && is_group "$2" || usage
      declare -n group=$2
      printf '%s\n' "${group[@]}"
      exit 0
      ;;
    --with)
      [[ $# -ge 2 ]] || usage
      IFS=, read -r -a more <<<"$2"
      for name in "${more[@]}"; do is_group "$name" || usage; done
      wanted+=("${more[@]}")
      shift 2
      ;;
    *) usage ;;
  esac
done

packages=()
for name in "${wanted[@]}"; do
  declare -n group=$name
  packages+=("${group[@]}")
done

installed=$(dpkg-query -W -f '${Package} ${db:Status-Status}\n' 2>/dev/null | sed -n 's/ installed$//p') || true
missing=()
for package in "${packages[@]}"; do
  grep -qxF -- "$package" <<<"$installed" || missing+=("$package")
done
if ((${#missing[@]} == 0)); then
  echo "dependencies: all ${#packages[@]} packages are there"
  exit 0
fi

distribution=unknown
[[ -r /etc/os-release ]] && distribution=$(. /etc/os-release && echo "${ID-unknown} ${VERSION_ID-}")
if [[ $distribution != "debian 12" ]]; then
  echo "This machine says it is \"$distribution\"; the package names are those of Debian 12 (bookworm)." >&2
  echo "Install the counterparts of these by hand, or build in a debian:bookworm container:" >&2
  printf '  %s\n' "${missing[@]}" >&2
  exit 1
fi

as_root=()
if ((EUID != 0)); then
  command -v sudo >/dev/null || { echo "Missing: ${missing[*]}; run this as root, or install sudo." >&2; exit 1; }
  as_root=(sudo)
fi
echo "dependencies: installing ${missing[*]}"
install=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive
  apt-get install -y -q --no-install-recommends "${missing[@]}")
# A list that is there may be old: try it, and fetch a fresh one when it fails.
"${install[@]}" || { "${as_root[@]}" apt-get update -q && "${install[@]}"; }
