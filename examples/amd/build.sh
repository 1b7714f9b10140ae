#!/usr/bin/env bash
# Compiles the sample kernels with clang 19 and lld 19 (Debian: apt-get install clang-19 lld-19 llvm-19).
#   co/NAME.TARGET.co       each source at -O2, one file per target
#   co/samples.O0.co, O3    all sources linked together at -O0 and -O3, the three targets in one compressed bundle
set -euo pipefail
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p co
# Contraction off and correctly rounded division: results can be computed exactly on the host.
common=(-nogpulib -ffp-contract=off -mcode-object-version=5 -Wno-unused-command-line-argument)

compile() { # source target level output
  case $1 in
    *.cl) clang-19 -x cl -cl-std=CL2.0 -target amdgcn-amd-amdhsa -mcpu="$2" "-$3" -cl-fp32-correctly-rounded-divide-sqrt \
            -include src/warpline.h "${common[@]}" -c "$1" -o "$4" ;;
    *.hip) clang-19 -x hip --cuda-device-only --no-gpu-bundle-output --offload-arch="$2" -nogpuinc "-$3" -fgpu-rdc \
            "${common[@]}" -emit-llvm -c "$1" -o "$4.bc"
           clang-19 -target amdgcn-amd-amdhsa -mcpu="$2" "-$3" "${common[@]}" -x ir -c "$4.bc" -o "$4" ;;
  esac
}

for target in gfx900 gfx90a gfx942; do
  for level in O0 O2 O3; do
    objects=()
    for source in src/*.cl src/*.hip; do
      name=$(basename "${source%.*}")
      if [[ $name == mfma && $target == gfx900 ]]; then continue; fi
      object=$work/$name.$target.$level.o
      compile "$source" $target $level "$object"
      objects+=("$object")
      if [[ $level == O2 ]]; then
        ld.lld-19 -shared --strip-all "$object" -o "co/$name.$target.co"
      fi
    done
    ld.lld-19 -shared --strip-all "${objects[@]}" -o "$work/all.$target.$level.co"
  done
done
for level in O0 O3; do
  clang-offload-bundler-19 -type=o -compress -bundle-align=4096 \
    -targets=host-x86_64-unknown-linux,hipv4-amdgcn-amd-amdhsa--gfx900,hipv4-amdgcn-amd-amdhsa--gfx90a,hipv4-amdgcn-amd-amdhsa--gfx942 \
    -input=/dev/null -input="$work/all.gfx900.$level.co" -input="$work/all.gfx90a.$level.co" -input="$work/all.gfx942.$level.co" \
    -output="co/samples.$level.co"
done
du -sh co
