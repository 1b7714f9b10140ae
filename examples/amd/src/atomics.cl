// Atomic operations of every kind.
kernel void atomics_u32(global const uint *in, global uint *cells) {
  uint v = in[get_global_id(0)];
  wl_atomic_add(&cells[0], v);
  wl_atomic_sub(&cells[1], v);
  wl_atomic_and(&cells[2], v | 0xff00ff00u);
  wl_atomic_or(&cells[3], v & 0x00ff00ffu);
  wl_atomic_xor(&cells[4], v);
  wl_atomic_min(&cells[5], v);
  wl_atomic_max(&cells[6], v);
  wl_atomic_min((global int *)&cells[7], (int)v);
  wl_atomic_max((global int *)&cells[8], (int)v);
}

kernel void atomics_u64(global const ulong *in, global ulong *cells) {
  ulong v = in[get_global_id(0)];
  wl_atomic_add(&cells[0], v);
  wl_atomic_xor(&cells[1], v);
  wl_atomic_max(&cells[2], v);
  wl_atomic_min((global long *)&cells[3], (long)v);
}

// Each work-item takes a number; the old values form a permutation.
kernel void tickets(global int *counter, global int *taken) {
  int t = wl_atomic_add(counter, 1);
  taken[t] = 1 + wl_atomic_xchg(&counter[1 + t % 4], t) * 0;
}

// Compare and swap: adds a float exactly (the values are small integers).
kernel void float_sum(global const float *in, global float *sum) {
  float v = in[get_global_id(0)];
  global uint *cell = (global uint *)sum;
  uint seen = __scoped_atomic_load_n(cell, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
  for (;;) {
    float next = __builtin_bit_cast(float, seen) + v;
    uint found = seen;
    if (__scoped_atomic_compare_exchange_n(cell, &found, __builtin_bit_cast(uint, next), 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE)) break;
    seen = found;
  }
}

kernel void lds_atomics(global const int *in, global int *out) {
  local int sum, most;
  local ulong wide;
  if (get_local_id(0) == 0) { sum = 0; most = -2147483647 - 1; wide = 0; }
  wl_barrier();
  int v = in[get_global_id(0)];
  wl_local_add(&sum, v);
  wl_local_max(&most, v);
  wl_local_add(&wide, (ulong)(uint)v << 16);
  wl_barrier();
  if (get_local_id(0) == 0) {
    out[4 * get_group_id(0)] = sum;
    out[4 * get_group_id(0) + 1] = most;
    out[4 * get_group_id(0) + 2] = (int)wide;
    out[4 * get_group_id(0) + 3] = (int)(wide >> 32);
  }
}
