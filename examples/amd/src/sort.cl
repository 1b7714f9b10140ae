// Sorting: bitonic networks over memory and in LDS, rank sort.
kernel void bitonic_step(global uint *data, int stage, int pass) {
  uint i = get_global_id(0);
  uint distance = 1u << (stage - pass);
  uint left = i % distance + i / distance * 2 * distance;
  uint right = left + distance;
  uint a = data[left], b = data[right];
  int up = ((i >> stage) & 1) == 0;
  data[left] = up ? wl_min(a, b) : wl_max(a, b);
  data[right] = up ? wl_max(a, b) : wl_min(a, b);
}

kernel void bitonic_local(global int *data) {
  local int part[512];
  int l = get_local_id(0), base = get_group_id(0) * 512;
  part[l] = data[base + l];
  part[l + 256] = data[base + l + 256];
  for (int size = 2; size <= 512; size *= 2)
    for (int step = size / 2; step > 0; step /= 2) {
      wl_barrier();
      int at = 2 * l - (l & (step - 1));
      int up = (at & size) == 0;
      int a = part[at], b = part[at + step];
      if ((a > b) == up) {
        part[at] = b;
        part[at + step] = a;
      }
    }
  wl_barrier();
  data[base + l] = part[l];
  data[base + l + 256] = part[l + 256];
}

kernel void rank_sort(global const int *in, global int *out, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  int mine = in[i], rank = 0;
  for (int k = 0; k < n; k++) rank += in[k] < mine || (in[k] == mine && k < i);
  out[rank] = mine;
}
