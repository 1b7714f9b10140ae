#!/usr/bin/env bash
# Writes encodings.tsv: every instruction quoted in the tests of this package, for each target that has it (llvm-mc 19).
set -euo pipefail
cd "$(dirname "$0")"
tests=../../../../../java/dev/warpline/amd/exec
lines=$(mktemp)
trap 'rm -f "$lines"' EXIT
# google-java-format may break long strings; the tests keep each instruction in one literal
grep -ohE '"(gfx[0-9a-z |-]*\| )?(s|v|ds|global|flat|scratch|buffer)_[a-z0-9_]+( [^"]*)?"' "$tests"/*Test.java | tr -d '"' | sed "s/^gfx.*| //" | sort -u > "$lines"
for target in gfx900 gfx90a gfx942; do
  # a label before each line tells which input an encoding belongs to; lines the target does not have only give errors
  awk '{ print "line" NR ":"; print }' "$lines" \
    | { llvm-mc-19 -triple=amdgcn-amd-amdhsa -mcpu=$target -show-encoding 2> /dev/null || true; } \
    | awk -v target=$target -v lines="$lines" '
        BEGIN { while ((getline text < lines) > 0) input[++n] = text }
        /^line[0-9]+:/ { at = substr($1, 5) + 0 }
        match($0, /encoding: \[[^]]*\]/) {
          bytes = substr($0, RSTART + 11, RLENGTH - 12)
          gsub("0x", "", bytes)
          count = split(bytes, b, ",")
          words = ""
          for (i = 1; i <= count; i += 4) words = words (i > 1 ? " " : "") b[i + 3] b[i + 2] b[i + 1] b[i]
          print target "\t" input[at] "\t" words
        }'
done > encodings.tsv
