// Byte and word mixing.

// The AES S-box is computed, not tabulated: inverse in GF(2^8) and an affine map.
WL uint times(uint a, uint b) {
  uint r = 0;
  for (int i = 0; i < 8; i++) {
    r ^= (b & 1) ? a : 0;
    a = (a << 1) ^ ((a & 0x80) ? 0x11b : 0);
    b >>= 1;
  }
  return r & 0xff;
}

kernel void make_sbox(global uchar *box) {
  uint x = get_global_id(0), inverse = 0;
  for (uint y = 1; y < 256; y++) inverse = times(x, y) == 1 ? y : inverse;
  uint r = inverse ^ (inverse << 1) ^ (inverse << 2) ^ (inverse << 3) ^ (inverse << 4);
  box[x] = (uchar)((r ^ (r >> 8) ^ 0x63) & 0xff);
}

// One AES round on 16 bytes per work-item: substitute, shift rows, mix columns, add the key.
kernel void aes_rounds(global const uchar *in, global uchar *out, global const uchar *box, global const uchar *keys, int rounds) {
  int i = get_global_id(0);
  uchar state[16];
  for (int k = 0; k < 16; k++) state[k] = in[16 * i + k] ^ keys[k];
  for (int r = 1; r <= rounds; r++) {
    uchar t[16];
    for (int k = 0; k < 16; k++) t[k] = box[state[(k + 4 * (k % 4)) % 16]];
    for (int c = 0; c < 4; c++) {
      uchar all = t[4 * c] ^ t[4 * c + 1] ^ t[4 * c + 2] ^ t[4 * c + 3];
      for (int k = 0; k < 4; k++) {
        uchar pair = t[4 * c + k] ^ t[4 * c + (k + 1) % 4];
        uchar doubled = (uchar)((pair << 1) ^ ((pair >> 7) * 0x1b));
        state[4 * c + k] = t[4 * c + k] ^ all ^ doubled ^ keys[16 * r + 4 * c + k];
      }
    }
  }
  for (int k = 0; k < 16; k++) out[16 * i + k] = state[k];
}

kernel void crc32(global const uchar *in, global uint *out, int length) {
  int i = get_global_id(0);
  uint crc = ~0u;
  for (int k = 0; k < length; k++) {
    crc ^= in[i * length + k];
    for (int b = 0; b < 8; b++) crc = (crc >> 1) ^ (0xedb88320u & -(crc & 1));
  }
  out[i] = ~crc;
}

kernel void gray(global const uchar4 *in, global uchar *out, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  uchar4 p = in[i];
  out[i] = (uchar)((p.x * 77 + p.y * 151 + p.z * 28) >> 8);
}

constant uint rounds32[64] = {
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
  0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
  0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
  0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
  0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
  0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
  0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
  0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

WL uint rotate_right(uint x, uint n) { return (x >> n) | (x << (32 - n)); }

// SHA-256 of one 64-byte block per work-item (no padding).
kernel void sha256_block(global const uint *in, global uint *out) {
  int i = get_global_id(0);
  uint w[16], s[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  for (int k = 0; k < 16; k++) w[k] = __builtin_bswap32(in[16 * i + k]);
  uint a = s[0], b = s[1], c = s[2], d = s[3], e = s[4], f = s[5], g = s[6], h = s[7];
  for (int k = 0; k < 64; k++) {
    if (k >= 16) {
      uint w1 = w[(k + 1) & 15], w14 = w[(k + 14) & 15];
      uint s0 = rotate_right(w1, 7) ^ rotate_right(w1, 18) ^ (w1 >> 3);
      uint s1 = rotate_right(w14, 17) ^ rotate_right(w14, 19) ^ (w14 >> 10);
      w[k & 15] += s0 + w[(k + 9) & 15] + s1;
    }
    uint t1 = h + (rotate_right(e, 6) ^ rotate_right(e, 11) ^ rotate_right(e, 25)) + ((e & f) ^ (~e & g)) + rounds32[k] + w[k & 15];
    uint t2 = (rotate_right(a, 2) ^ rotate_right(a, 13) ^ rotate_right(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    h = g; g = f; f = e; e = d + t1; d = c; c = b; b = a; a = t1 + t2;
  }
  uint r[8] = {a, b, c, d, e, f, g, h};
  for (int k = 0; k < 8; k++) out[8 * i + k] = s[k] + r[k];
}
