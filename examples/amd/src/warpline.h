// Work-item functions, barriers, atomics and a little mathematics for kernels that are compiled
// with clang alone, without a device library. OpenCL C; see warpline_hip.h for HIP.
#define WL static __attribute__((overloadable, always_inline))

WL uint get_local_id(uint d) {
  return d == 0 ? __builtin_amdgcn_workitem_id_x()
       : d == 1 ? __builtin_amdgcn_workitem_id_y() : __builtin_amdgcn_workitem_id_z();
}
WL uint get_group_id(uint d) {
  return d == 0 ? __builtin_amdgcn_workgroup_id_x()
       : d == 1 ? __builtin_amdgcn_workgroup_id_y() : __builtin_amdgcn_workgroup_id_z();
}
WL uint get_local_size(uint d) {
  return d == 0 ? __builtin_amdgcn_workgroup_size_x()
       : d == 1 ? __builtin_amdgcn_workgroup_size_y() : __builtin_amdgcn_workgroup_size_z();
}
WL uint get_global_size(uint d) {
  return d == 0 ? __builtin_amdgcn_grid_size_x()
       : d == 1 ? __builtin_amdgcn_grid_size_y() : __builtin_amdgcn_grid_size_z();
}
WL uint get_global_id(uint d) { return get_group_id(d) * get_local_size(d) + get_local_id(d); }

static __attribute__((always_inline, convergent)) void wl_barrier(void) {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}

// Atomics at device scope (global memory) and work-group scope (LDS), relaxed.
#define wl_atomic_add(p, v) __scoped_atomic_fetch_add(p, v, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE)
#define wl_atomic_sub(p, v) __scoped_atomic_fetch_sub(p, v, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE)
#define wl_atomic_and(p, v) __scoped_atomic_fetch_and(p, v, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE)
#define wl_atomic_or(p, v) __scoped_atomic_fetch_or(p, v, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE)
#define wl_atomic_xor(p, v) __scoped_atomic_fetch_xor(p, v, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE)
#define wl_atomic_min(p, v) __scoped_atomic_fetch_min(p, v, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE)
#define wl_atomic_max(p, v) __scoped_atomic_fetch_max(p, v, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE)
#define wl_atomic_xchg(p, v) __scoped_atomic_exchange_n(p, v, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE)
#define wl_local_add(p, v) __scoped_atomic_fetch_add(p, v, __ATOMIC_RELAXED, __MEMORY_SCOPE_WRKGRP)
#define wl_local_max(p, v) __scoped_atomic_fetch_max(p, v, __ATOMIC_RELAXED, __MEMORY_SCOPE_WRKGRP)

#define wl_min(a, b) __builtin_elementwise_min(a, b)
#define wl_max(a, b) __builtin_elementwise_max(a, b)

// Hardware functions: base-2 exponential and logarithm, sine and cosine of revolutions.
#define wl_exp2(x) __builtin_amdgcn_exp2f(x)
#define wl_log2(x) __builtin_amdgcn_logf(x)
#define wl_sin_turns(x) __builtin_amdgcn_sinf(x)
#define wl_cos_turns(x) __builtin_amdgcn_cosf(x)
#define wl_rsqrt(x) __builtin_amdgcn_rsqf(x)
#define wl_sqrt(x) __builtin_sqrtf(x)
#define wl_fma(a, b, c) __builtin_fmaf(a, b, c)
#define wl_exp(x) wl_exp2((x) * 1.44269504f)
#define wl_log(x) (wl_log2(x) * 0.69314718f)
