"""The few calls of the CUDA driver that the measuring programs need."""
import ctypes, numpy as np
cuda = ctypes.CDLL('libcuda.so.1')
def ok(r, what=''):
    if r: raise RuntimeError('%s: error %d' % (what, r))
def start():
    ok(cuda.cuInit(0)); d = ctypes.c_int(); ok(cuda.cuDeviceGet(ctypes.byref(d), 0))
    c = ctypes.c_void_p(); ok(cuda.cuDevicePrimaryCtxRetain(ctypes.byref(c), d)); ok(cuda.cuCtxSetCurrent(c))
def module(image):
    m = ctypes.c_void_p(); ok(cuda.cuModuleLoadData(ctypes.byref(m), ctypes.c_char_p(bytes(image))), 'load'); return m
def function(m, name):
    f = ctypes.c_void_p(); ok(cuda.cuModuleGetFunction(ctypes.byref(f), m, name.encode()), name); return f
def alloc(n):
    p = ctypes.c_uint64(); ok(cuda.cuMemAlloc_v2(ctypes.byref(p), ctypes.c_size_t(n)), 'alloc'); return p.value
def put(p, a): ok(cuda.cuMemcpyHtoD_v2(ctypes.c_uint64(p), a.ctypes.data_as(ctypes.c_void_p), ctypes.c_size_t(a.nbytes)), 'put')
def get(p, n, t):
    a = np.empty(n, t); ok(cuda.cuMemcpyDtoH_v2(a.ctypes.data_as(ctypes.c_void_p), ctypes.c_uint64(p), ctypes.c_size_t(a.nbytes)), 'get'); return a
def launch(f, grid, block, *args, shared=0):
    held = [ctypes.c_uint64(a[1]) if a[0] == 'l' else ctypes.c_uint32(a[1]) for a in args]
    ptrs = (ctypes.c_void_p * max(1, len(held)))(*[ctypes.cast(ctypes.pointer(h), ctypes.c_void_p) for h in held])
    ok(cuda.cuLaunchKernel(f, grid, 1, 1, block, 1, 1, shared, None, ptrs, None), 'launch')
    ok(cuda.cuCtxSynchronize(), 'run')
