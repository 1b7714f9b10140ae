#!/bin/sh
# Compiles the programs of this folder, for gfx90a and gfx942: build.sh FOLDER [OPTIMISATION] [PROGRAM...]
# Needs clang 19 with lld, HIP's headers and the device libraries (Debian: clang-19 clang-tools-19 lld-19 libamdhip64-dev rocm-device-libs).
set -eu
from=$(cd "$(dirname "$0")" && pwd)
to=${1:?expected a folder to build into}
optimisation=${2:--O3}
shift
[ $# -eq 0 ] || shift
clang=${CLANG:-clang++-19}
bitcode=${ROCM_BITCODE:-/usr/lib/x86_64-linux-gnu/amdgcn/bitcode}
mkdir -p "$to"
to=$(cd "$to" && pwd)

# ROCm 5.2 does not know gfx942; what it lacks is one number.
if [ ! -f "$bitcode/oclc_isa_version_942.bc" ]; then
  if [ ! -f "$to/bitcode/oclc_isa_version_942.bc" ]; then
    mkdir -p "$to/bitcode"
    ln -sf "$bitcode"/*.bc "$to/bitcode"
    printf '%s\n' '@__oclc_ISA_version = linkonce_odr hidden local_unnamed_addr addrspace(4) constant i32 9402, align 4' \
      > "$to/bitcode/942.ll"
    "$clang" -x ir -w -nogpulib -target amdgcn-amd-amdhsa -mcpu=gfx942 -emit-llvm -c "$to/bitcode/942.ll" -o "$to/bitcode/oclc_isa_version_942.bc"
  fi
  bitcode=$to/bitcode
fi

compile() {
  "$clang" -x hip --rocm-path="${ROCM_PATH:-/usr}" --rocm-device-lib-path="$bitcode" -std=c++17 "$optimisation" \
    -Wno-unused-result -Wno-unused-value "$@"
}

if [ $# -eq 0 ]; then
  set -- "$from"/*.hip "$from"/benchmarks/*.hip
fi
for source; do
  name=$(basename "$source" .hip)
  if [ "$to/$name" -nt "$source" ] && [ "$to/$name" -nt "$from/check.h" ]; then
    continue
  fi
  compile --offload-arch=gfx90a --offload-arch=gfx942 "$source" -o "$to/$name" -lamdhip64 -lpthread
  if [ "$name" = module ]; then
    compile --offload-arch=gfx90a --offload-arch=gfx942 --cuda-device-only --gpu-bundle-output "$source" -o "$to/module.co"
  fi
done
