// Reductions, scans and histograms.
kernel void reduce_sum(global const int *in, global int *out, int n) {
  local int part[256];
  int l = get_local_id(0), size = get_local_size(0);
  int sum = 0;
  for (int i = get_global_id(0); i < n; i += get_global_size(0)) sum += in[i];
  part[l] = sum;
  wl_barrier();
  for (int step = size / 2; step > 0; step /= 2) {
    if (l < step) part[l] += part[l + step];
    wl_barrier();
  }
  if (l == 0) out[get_group_id(0)] = part[0];
}

// Within a wave through lane permutation, without LDS memory; then one atomic per wave.
kernel void reduce_wave(global const int *in, global int *out) {
  int lane = __builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0));
  int v = in[get_global_id(0)];
  for (int step = 32; step > 0; step /= 2) v += __builtin_amdgcn_ds_bpermute((lane ^ step) * 4, v);
  if (lane == 0) wl_atomic_add(out, v);
}

// The same with DPP row shifts and broadcasts, as compilers emit for reductions on these targets.
kernel void reduce_dpp(global const int *in, global int *out) {
  int v = in[get_global_id(0)];
  v += __builtin_amdgcn_update_dpp(0, v, 0x111, 0xf, 0xf, false);
  v += __builtin_amdgcn_update_dpp(0, v, 0x112, 0xf, 0xf, false);
  v += __builtin_amdgcn_update_dpp(0, v, 0x114, 0xf, 0xf, false);
  v += __builtin_amdgcn_update_dpp(0, v, 0x118, 0xf, 0xf, false);
  v += __builtin_amdgcn_update_dpp(0, v, 0x142, 0xa, 0xf, false);
  v += __builtin_amdgcn_update_dpp(0, v, 0x143, 0xc, 0xf, false);
  int total = __builtin_amdgcn_readlane(v, 63);
  if (get_local_id(0) % 64 == 0) out[get_global_id(0) / 64] = total;
}

// Inclusive scan of each group (Hillis and Steele) and the groups' totals.
kernel void scan_blocks(global const int *in, global int *out, global int *totals) {
  local int part[2][256];
  int l = get_local_id(0), size = get_local_size(0), from = 0;
  part[0][l] = in[get_global_id(0)];
  wl_barrier();
  for (int step = 1; step < size; step *= 2) {
    part[1 - from][l] = part[from][l] + (l >= step ? part[from][l - step] : 0);
    from = 1 - from;
    wl_barrier();
  }
  out[get_global_id(0)] = part[from][l];
  if (l == size - 1) totals[get_group_id(0)] = part[from][l];
}

kernel void scan_add(global int *data, global const int *totals) {
  int group = get_group_id(0), before = 0;
  for (int g = 0; g < group; g++) before += totals[g];
  data[get_global_id(0)] += before;
}

kernel void histogram_global(global const uint *in, global uint *bins, int n) {
  int i = get_global_id(0);
  if (i < n) wl_atomic_add(&bins[in[i] & 63], 1u);
}

kernel void histogram_lds(global const uint *in, global uint *bins, int n) {
  local uint mine[64];
  int l = get_local_id(0);
  if (l < 64) mine[l] = 0;
  wl_barrier();
  for (int i = get_global_id(0); i < n; i += get_global_size(0)) wl_local_add(&mine[in[i] & 63], 1u);
  wl_barrier();
  if (l < 64) wl_atomic_add(&bins[l], mine[l]);
}
