// Cross-lane operations.
#include "warpline_hip.h"

static __device__ inline int lane() { return __builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0)); }

// Votes, first lane, compaction.
extern "C" __global__ void compact(const int *in, int *out, int *count) {
  int v = in[global_x()];
  bool keep = v > 0;
  ulong votes = __builtin_amdgcn_ballot_w64(keep);
  ulong below = votes & ((1ul << lane()) - 1);
  int wave = global_x() / 64;
  if (keep) out[wave * 64 + __builtin_popcountl(below)] = v;
  if (lane() == 0) count[wave] = __builtin_popcountl(votes);
}

// A value travels from lane to lane.
extern "C" __global__ void shuffle(const int *in, int *out) {
  int v = in[global_x()];
  int rotated = __builtin_amdgcn_ds_bpermute(((lane() + 5) & 63) * 4, v);
  int pushed = __builtin_amdgcn_ds_permute(((lane() * 7) & 63) * 4, v);
  int swapped = __builtin_amdgcn_ds_swizzle(v, 0x041f);
  int quad = __builtin_amdgcn_update_dpp(v, v, 0x1b, 0xf, 0xf, false);
  int mirrored = __builtin_amdgcn_update_dpp(v, v, 0x140, 0xf, 0xf, false);
  int first = __builtin_amdgcn_readfirstlane(v);
  int fixed = __builtin_amdgcn_readlane(v, 17);
  out[global_x()] = rotated + 3 * pushed + 5 * swapped + 7 * quad + 11 * mirrored + 13 * first + 17 * fixed;
}

// Loops whose trip count differs between lanes, nested, with early exits.
extern "C" __global__ void nested_loops(const int *in, int *out) {
  int v = in[global_x()] & 31, sum = 0;
  for (int i = 0; i < v; i++) {
    if ((i * v) % 7 == 3) continue;
    for (int k = i; k < v; k += 3) {
      sum += i * k;
      if (sum > 4000) break;
    }
    if (sum % 11 == 10) break;
  }
  switch (v & 3) {
    case 0: sum += 1; break;
    case 1: sum *= 2; break;
    case 2: sum -= 7;
    default: sum ^= 0x55;
  }
  out[global_x()] = sum;
}
