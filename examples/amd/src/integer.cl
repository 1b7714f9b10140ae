// Integer arithmetic of all widths.
kernel void divide(global const int *a, global const int *b, global int *out) {
  int i = get_global_id(0), x = a[i], y = b[i];
  uint ux = (uint)x, uy = (uint)y;
  out[4 * i] = x / y;
  out[4 * i + 1] = x % y;
  out[4 * i + 2] = (int)(ux / uy);
  out[4 * i + 3] = (int)(ux % uy);
}

kernel void divide64(global const long *a, global const long *b, global long *out) {
  int i = get_global_id(0);
  out[3 * i] = a[i] / b[i];
  out[3 * i + 1] = (long)((ulong)a[i] % (ulong)b[i]);
  out[3 * i + 2] = a[i] * b[i] + (a[i] >> (b[i] & 63));
}

kernel void bits(global const uint *in, global uint *out) {
  int i = get_global_id(0);
  uint x = in[i];
  out[8 * i] = __builtin_popcount(x);
  out[8 * i + 1] = x ? __builtin_clz(x) : 32;
  out[8 * i + 2] = x ? __builtin_ctz(x) : 32;
  out[8 * i + 3] = __builtin_bitreverse32(x);
  out[8 * i + 4] = __builtin_bswap32(x);
  out[8 * i + 5] = __builtin_rotateleft32(x, x & 31);
  out[8 * i + 6] = (x >> 5) & 0x3ff;
  out[8 * i + 7] = (uint)(((int)(x << 7)) >> 20);
}

kernel void narrow(global const short *a, global const char *b, global short *out) {
  int i = get_global_id(0);
  short x = a[i];
  char y = b[i];
  out[6 * i] = (short)(x + y);
  out[6 * i + 1] = (short)(x * y);
  out[6 * i + 2] = (short)(x << (y & 7));
  out[6 * i + 3] = (short)((ushort)x >> (y & 15));
  out[6 * i + 4] = x < y ? x : (short)y;
  out[6 * i + 5] = (short)(x / 3 - (y % 5));
}

kernel void wide_product(global const ulong *a, global const ulong *b, global ulong *out) {
  int i = get_global_id(0);
  unsigned __int128 p = (unsigned __int128)a[i] * b[i];
  out[2 * i] = (ulong)p;
  out[2 * i + 1] = (ulong)(p >> 64);
}
