#!/usr/bin/env bash
# Compiles the sample kernels with clang 19 and lld 19 (Debian: apt-get install clang-19 lld-19 llvm-19).
#   co/NAME.TARGET.co            one source at -O2 for one target
#   co/stream.v4.gfx900.co, ...  other code object versions, a plain bundle
#   co/listing.tsv               instructions of each file and a digest of llvm-objdump's text, for tests
#   co/samples.O0.co, .O3.co     all sources together at -O0 and -O3, the three targets in one compressed bundle
set -euo pipefail
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p co
# Contraction off and correctly rounded division: results can be computed exactly on the host.
common=(-nogpulib -ffp-contract=off -Wno-unused-command-line-argument)

bitcode() { # source target level output [version]
  case $1 in
    *.cl) clang-19 -x cl -cl-std=CL2.0 -target amdgcn-amd-amdhsa -mcpu="$2" "-$3" -cl-fp32-correctly-rounded-divide-sqrt \
            -mcode-object-version="${5:-5}" -include src/warpline.h "${common[@]}" -emit-llvm -c "$1" -o "$4" ;;
    *.hip) clang-19 -x hip --cuda-device-only --no-gpu-bundle-output --offload-arch="$2" "-$3" -nogpuinc -fgpu-rdc -cuid="$(basename "$1" .hip)" \
            -mcode-object-version="${5:-5}" "${common[@]}" -emit-llvm -c "$1" -o "$4" ;;
  esac
}

link() { # bitcode target level output
  clang-19 -target amdgcn-amd-amdhsa -mcpu="$2" "-$3" "${common[@]}" -x ir "$1" -Xlinker --strip-all -o "$4"
}

digest() { # name target file: appends a row to co/listing.tsv
  llvm-objdump-19 -d --mcpu="$2" "$3" | sed -n 's|^\t\(.*[^ ]\) *// [0-9A-F]*:.*$|\1|p' > "$work/text"
  printf '%s\t%s\t%s\t%s\n' "$1" "$2" "$(wc -l < "$work/text")" "$(sha256sum < "$work/text" | cut -d' ' -f1)" >> co/listing.tsv
}

rm -f co/*

for target in gfx900 gfx90a gfx942; do
  for level in O0 O2 O3; do
    modules=()
    for source in src/*.cl src/*.hip; do
      name=$(basename "${source%.*}")
      if [[ $name == mfma && $target == gfx900 ]]; then continue; fi
      module=$work/$name.bc
      bitcode "$source" $target $level "$module"
      modules+=("$module")
      if [[ $level == O2 ]]; then
        link "$module" $target $level "co/$name.$target.co"
        digest "$name.$target.co" $target "co/$name.$target.co"
      fi
    done
    if [[ $level != O2 ]]; then
      llvm-link-19 "${modules[@]}" -o "$work/all.bc"
      link "$work/all.bc" $target $level "$work/all.$target.$level.co"
      digest samples.$level.co $target "$work/all.$target.$level.co"
    fi
  done
done
for level in O0 O3; do
  clang-offload-bundler-19 -type=o -compress -bundle-align=4096 \
    -targets=host-x86_64-unknown-linux,hipv4-amdgcn-amd-amdhsa--gfx900,hipv4-amdgcn-amd-amdhsa--gfx90a,hipv4-amdgcn-amd-amdhsa--gfx942 \
    -input=/dev/null -input="$work/all.gfx900.$level.co" -input="$work/all.gfx90a.$level.co" -input="$work/all.gfx942.$level.co" \
    -output="co/samples.$level.co"
done
for version in 4 6; do
  for target in gfx900 gfx942; do
    bitcode src/stream.cl $target O2 "$work/v.bc" $version
    link "$work/v.bc" $target O2 "co/stream.v$version.$target.co"
    digest stream.v$version.$target.co $target "co/stream.v$version.$target.co"
  done
done
clang-offload-bundler-19 -type=o -bundle-align=4096 \
  -targets=host-x86_64-unknown-linux,hipv4-amdgcn-amd-amdhsa--gfx90a,hipv4-amdgcn-amd-amdhsa--gfx942 \
  -input=/dev/null -input=co/stream.gfx90a.co -input=co/stream.gfx942.co -output=co/stream.bundle.co
du -sh co
