#!/usr/bin/env bash
# Captures the programs of this folder with their times on this machine's GPU: all.sh DIR [NAME ...]. PASSES=N measures their times N times. Captures go to DIR/NAME, what was said to DIR/log.txt.
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
dir=$(realpath -m "$1"); shift
mkdir -p "$dir"/programs
record=$here/../../../../capture/warpline-capture
names=${*:-$(cd "$here" && ls ./*.cu ./*.py | sed 's#^./##; s#\..*##' | grep -v -e '^torch_common$' -e '^steps$')}
"$record" --build
printf '%s\n' $names | xargs -P "$(nproc)" -I{} sh -c "[ ! -f '$here/{}.cu' ] || nvcc -arch=sm_90a -lineinfo -std=c++17 -O3 -w -o '$dir/programs/{}' '$here/{}.cu' -lcuda"
for name in $names; do
  start=$SECONDS
  if [ -f "$here/$name.cu" ]; then command=("$dir/programs/$name"); else command=(python3 "$here/$name.py"); fi
  timeout 180 "$record" --time --passes "${PASSES:-1}" -o "$dir/$name" -- "${command[@]}" 2>&1 | tail -2
  echo "$name: $((SECONDS - start)) s, $(du -sk "$dir/$name" | cut -f1) KiB"
done 2>&1 | tee "$dir/log.txt"
rm -r "$dir/programs"
