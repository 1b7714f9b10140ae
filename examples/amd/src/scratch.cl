// Private memory, calls, pointers of unknown address space.
kernel void private_array(global const int *in, global int *out, int n) {
  int stack[32];
  int i = get_global_id(0);
  for (int k = 0; k < 32; k++) stack[k] = in[(i + k) % n];
  for (int k = 0; k < 64; k++) {
    int a = stack[(k * 7 + i) & 31];
    stack[a & 31] += k;
  }
  int sum = 0;
  for (int k = 0; k < 32; k++) sum = sum * 31 + stack[k];
  out[i] = sum;
}

kernel void private_bytes(global const uchar *in, global uint *out, int length) {
  uchar seen[64];
  int i = get_global_id(0);
  for (int k = 0; k < 64; k++) seen[k] = (uchar)k;
  for (int k = 0; k < length; k++) {
    uchar v = in[i * length + k] & 63;
    uchar t = seen[v];
    seen[v] = seen[k & 63];
    seen[k & 63] = t;
  }
  uint hash = 2166136261u;
  for (int k = 0; k < 64; k++) hash = (hash ^ seen[k]) * 16777619u;
  out[i] = hash;
}

// The compiler cannot know which memory p points into.
static __attribute__((noinline)) int sum_of(const int *p, int n) {
  int s = 0;
  for (int k = 0; k < n; k++) s += p[k] * (k + 1);
  return s;
}

kernel void generic_pointer(global const int *in, global int *out) {
  local int shared_part[64];
  int mine[8];
  int i = get_global_id(0), l = get_local_id(0);
  shared_part[l] = in[i] * 3;
  for (int k = 0; k < 8; k++) mine[k] = in[i] + k;
  wl_barrier();
  int where = in[i] % 3;
  const int *p = where == 0 ? (const int *)mine : where == 1 ? (const int *)(shared_part + l / 8 * 8) : (const int *)(in + i / 8 * 8);
  out[i] = sum_of(p, 8);
}

static __attribute__((noinline)) uint collatz(uint x) {
  uint n = 0;
  while (x != 1) {
    x = (x & 1) ? 3 * x + 1 : x / 2;
    n++;
  }
  return n;
}

kernel void divergent_calls(global const uint *in, global uint *out) {
  int i = get_global_id(0);
  uint x = in[i];
  uint r = x * 5;
  if (x % 3 == 0) r = collatz(x + 1);
  else if (x % 3 == 1) r = collatz(x) + collatz(x + 2);
  out[i] = r;
}
