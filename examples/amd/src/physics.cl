// Compute-bound kernels.
kernel void nbody(global const float4 *in, global float4 *velocity, global float4 *out, int n, float dt) {
  local float4 tile[64];
  int i = get_global_id(0), l = get_local_id(0);
  float4 me = in[i];
  float ax = 0.0f, ay = 0.0f, az = 0.0f;
  for (int t = 0; t < n; t += 64) {
    tile[l] = in[t + l];
    wl_barrier();
    for (int k = 0; k < 64; k++) {
      float dx = tile[k].x - me.x, dy = tile[k].y - me.y, dz = tile[k].z - me.z;
      float d2 = wl_fma(dx, dx, wl_fma(dy, dy, wl_fma(dz, dz, 0.01f)));
      float s = tile[k].w / (d2 * wl_sqrt(d2));
      ax = wl_fma(dx, s, ax);
      ay = wl_fma(dy, s, ay);
      az = wl_fma(dz, s, az);
    }
    wl_barrier();
  }
  float4 v = velocity[i];
  v.x = wl_fma(ax, dt, v.x);
  v.y = wl_fma(ay, dt, v.y);
  v.z = wl_fma(az, dt, v.z);
  velocity[i] = v;
  out[i] = (float4)(wl_fma(v.x, dt, me.x), wl_fma(v.y, dt, me.y), wl_fma(v.z, dt, me.z), me.w);
}

// Lanes leave the loop at different times.
kernel void mandelbrot(global int *out, int width, float scale, int limit) {
  int px = get_global_id(0), py = get_global_id(1);
  float cx = px * scale - 2.0f, cy = py * scale - 1.5f, x = 0.0f, y = 0.0f;
  int n = 0;
  while (n < limit && x * x + y * y < 4.0f) {
    float t = x * x - y * y + cx;
    y = 2.0f * x * y + cy;
    x = t;
    n++;
  }
  out[py * width + px] = n;
}

WL float normal(float x) {
  float t = 1.0f / (1.0f + 0.2316419f * __builtin_fabsf(x));
  float p = t * (0.31938153f + t * (-0.356563782f + t * (1.781477937f + t * (-1.821255978f + t * 1.330274429f))));
  float tail = 0.39894228f * wl_exp(-0.5f * x * x) * p;
  return x < 0.0f ? tail : 1.0f - tail;
}

kernel void black_scholes(global const float *spot, global const float *strike, global float *call, float years, float rate, float sigma) {
  int i = get_global_id(0);
  float root = wl_sqrt(years);
  float d1 = (wl_log(spot[i] / strike[i]) + (rate + 0.5f * sigma * sigma) * years) / (sigma * root);
  float d2 = d1 - sigma * root;
  call[i] = spot[i] * normal(d1) - strike[i] * wl_exp(-rate * years) * normal(d2);
}

kernel void kmeans_assign(global const float *points, global const float *centers, global int *owner, int n, int clusters, int features) {
  int i = get_global_id(0);
  if (i >= n) return;
  int best = 0;
  float bestDistance = 3.0e38f;
  for (int c = 0; c < clusters; c++) {
    float distance = 0.0f;
    for (int f = 0; f < features; f++) {
      float d = points[f * n + i] - centers[c * features + f];
      distance = wl_fma(d, d, distance);
    }
    if (distance < bestDistance) {
      bestDistance = distance;
      best = c;
    }
  }
  owner[i] = best;
}

kernel void monte_carlo(global uint *inside, uint seed, int tries) {
  uint s = seed + get_global_id(0) * 2654435761u;
  uint hits = 0;
  for (int k = 0; k < tries; k++) {
    s ^= s << 13; s ^= s >> 17; s ^= s << 5;
    uint x = s & 0xffff, y = s >> 16;
    hits += (ulong)x * x + (ulong)y * y < 0x100000000ul;
  }
  inside[get_global_id(0)] = hits;
}
