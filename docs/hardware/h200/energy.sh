#!/usr/bin/env bash
# Measures what kernels cost in joules on the GPU of this machine: energy.sh DIR [PART ...]. Rows go to DIR/rows.csv, every reading of the meter to DIR/raw.csv.
# Parts: micro (of which memory), suite hopper general torch short. Nothing of the card is set. Programs that were built before (DIR of BIN) are used if they start.
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
dir=$1; shift; parts=${*:-micro suite hopper general torch}
bin=${BIN:-$dir}
mkdir -p "$dir" "$bin"
export ROWS=$dir/rows.csv RAW=$dir/raw.csv WARM=${WARM:-0.5} LENGTH=${LENGTH:-1.0}
flags="-O2 -std=c++17 -DSTEADY --default-stream per-thread -gencode arch=compute_90a,code=sm_90a"
build() { [ -x "$bin/$1" ] && ldd "$bin/$1" >/dev/null 2>&1 && ! ldd "$bin/$1" 2>&1 | grep -q 'not found' || nvcc $flags -o "$bin/$1" "$here/$1.cu" -lcuda -ldl; }
nvidia-smi -q -d POWER,CLOCK,TEMPERATURE,PERFORMANCE > "$dir/card.txt" 2>&1
nvidia-smi --query-gpu=name,driver_version,power.limit,clocks.max.sm,clocks.max.mem,temperature.gpu --format=csv >> "$dir/card.txt" 2>&1
for part in $parts; do
  case $part in
    micro) build energy && "$bin/energy" all ;;
    memory) build energy && "$bin/energy" shared && "$bin/energy" memory ;;
    short) build energy && "$bin/energy" idle && ONLY=ffma,imad,lop3,dfma,mma_f16,wgmma_f16_n256,wgmma_bf16_n256,lds32,l1_128,l2_read128,l2_write128,dram_read128,dram_write128,dram_copy128 "$bin/energy" all ;;
    suite) build suite && "$bin/suite" all ;;
    hopper) build hopper && for k in bulk_stream tile_scale wgmma_s1 wgmma_s2 wgmma_s4; do "$bin/hopper" $k; done ;;
    general) build general && "$bin/general" ;;
    torch) [ -f "$bin/meter.so" ] || nvcc -O2 -std=c++17 --default-stream per-thread -shared -Xcompiler -fPIC -o "$bin/meter.so" "$here/energy_meter.cu" -ldl; python3 "$here/energy_torch.py" "$bin/meter.so" ;;
    *) echo "no part $part" >&2; exit 1 ;;
  esac
  echo "$part: $? at $SECONDS s"
done 2>&1 | tee "$dir/log.txt"
