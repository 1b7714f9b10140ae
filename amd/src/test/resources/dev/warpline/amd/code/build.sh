#!/usr/bin/env bash
# Makes program (a HIP program of two source files for two targets, one bundle compressed) and unlinked.co
# (Debian: apt-get install clang-19 clang-tools-19 lld-19 libamdhip64-dev rocm-device-libs).
set -euo pipefail
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
library=$(dirname "$(dpkg -L rocm-device-libs | grep oclc_isa_version_900.bc)")
hip=(clang++-19 -x hip --offload-arch=gfx900 --offload-arch=gfx90a --rocm-device-lib-path="$library" -O2)
"${hip[@]}" -c scale.hip -o "$work/scale.o"
"${hip[@]}" --offload-compress -c shift.hip -o "$work/shift.o"
clang++-19 "$work/scale.o" "$work/shift.o" -lamdhip64 -Wl,-s -o program
clang++-19 -x hip --offload-arch=gfx900 --rocm-device-lib-path="$library" -O2 --cuda-device-only --no-gpu-bundle-output \
  -fgpu-rdc -emit-llvm -c scale.hip -o "$work/scale.bc"
clang-19 -target amdgcn-amd-amdhsa -mcpu=gfx900 -O2 -nogpulib -x ir -c "$work/scale.bc" -o unlinked.co
ls -l program unlinked.co
