#!/usr/bin/env bash
# Traces the kernels of general.tar.xz without a GPU and compares the model with what an H200 took for them.
# general.sh [DIR]: DIR keeps the traces (default: a temporary folder).
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
warpline=$here/../../../warpline
dir=${1:-$(mktemp -d)}
mkdir -p "$dir/traces"
tar -xJf "$here/general.tar.xz" -C "$dir"
for launch in "$dir"/general/launch/*/; do
  name=$(basename "$launch")
  # Exit code 5: the results of a kernel differ from the GPU's (last bits of MUFU, order of atomics); its trace is written.
  "$warpline" trace "$launch/launch.yaml" -o "$dir/traces/$name" >/dev/null || [ $? = 5 ]
done
"$warpline" validate --gpu h200 --hardware "$dir/general/hardware.csv" --traces "$dir/traces" --stalls
