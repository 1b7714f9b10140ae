"""Measures the special function unit: nvcc -arch=sm_90a -cubin mufu.cu; python3 mufu.py FOLDER. Writes to the folder
mufu_small.npz (a sum for each 2^18 inputs of the whole range, some mantissas of each sign and exponent, the 16-bit
functions, the 64-bit ones) and dump.json; to /tmp dump_*.i8.xz: second differences of results over whole binades, one
byte each. mufu_tables.py makes the emulator's table of them."""
import sys, struct, json, subprocess, os, numpy as np, driver as cu
out = sys.argv[1]
NAMES = {0: 'cos', 1: 'sin', 2: 'ex2', 3: 'lg2', 4: 'rcp', 5: 'rsq', 8: 'sqrt', 9: 'tanh'}
image = open('mufu.cubin', 'rb').read()
def patched(n):
    d = bytearray(image); found = 0
    for at in range(0, len(d) - 15, 16):
        lo, hi = struct.unpack_from('<QQ', d, at)
        if lo & 0xfff == 0x308 and hi & 0x3f00 == 0x0800:
            struct.pack_into('<Q', d, at + 8, hi & ~0x3c00 | n << 10); found += 1
    assert found == 3, found
    return d
cu.start()
N = 1 << 23
buf = cu.alloc(4 * N); sums = cu.alloc(8 * 16384)
zero = np.zeros(16384, np.uint64)
rng = np.random.default_rng(1)
mant = np.concatenate([[0, 1, 2, 3, 4, 0x3fffff, 0x400000, 0x400001, 0x7fffff, 0x7ffffe], rng.integers(0, 1 << 23, 54)]).astype(np.uint32)
inputs = (np.arange(512, dtype=np.uint32)[:, None] << np.uint32(23) | mant[None, :]).ravel()
F = lambda e: (127 + e) << 23
S = 1 << 31
# function: (first input, step)
DUMPS = {
    'rcp': [(F(0), 1)],
    'rsq': [(F(0), 1), (F(1), 1)],
    'sqrt': [(F(0), 1), (F(1), 1)],
    'ex2': [(F(0), 1), (F(-1), 1), (S | F(-2), 4), (F(-3), 4)],
    'lg2': [(F(0), 1), (F(-1), 1), (F(1), 1), (F(2), 4), (F(5), 4), (F(-2), 4), (F(-20), 4)],
    'sin': [(F(-1), 1), (F(-2), 1), (F(-3), 1), (F(-4), 1), (F(-5), 4), (F(-8), 4), (F(1), 4), (F(-12), 8)],
    'cos': [(F(-1), 1), (F(-2), 4), (F(-3), 1), (F(-4), 4), (F(-8), 8)],
    'tanh': [(F(e), 2 if e > -4 else 4) for e in range(-12, 4)],
}
allsums, samples, meta, files = {}, {}, {}, {}
def measure(m, name, suffix):
    cu.put(sums, zero); cu.launch(cu.function(m, 'sums_' + suffix), 16384, 256, ('l', sums))
    allsums[name] = cu.get(sums, 16384, np.uint64)
    cu.put(buf, inputs); cu.launch(cu.function(m, 'list_' + suffix), len(inputs) // 256, 256, ('l', buf), ('l', buf))
    samples[name] = cu.get(buf, len(inputs), np.uint32)
def dump(m, suffix, start, step, n):
    cu.launch(cu.function(m, 'dump_' + suffix), n // 256, 256, ('i', start), ('i', step), ('l', buf))
    return cu.get(buf, n, np.uint32)
procs = []
for n, name in NAMES.items():
    m = cu.module(patched(n))
    measure(m, name, 'mufu')
    body = b''; meta[name] = []
    for start, step in DUMPS[name]:
        v = dump(m, 'mufu', start, step, N // step).astype(np.int64)
        d2 = np.diff(v, 2)
        odd = np.nonzero(np.abs(d2) > 127)[0]
        if len(odd) > 200000: print('many odd', name, hex(start), len(odd))
        odd = odd[:200000]
        meta[name].append({'start': start, 'step': step, 'n': N // step, 'first': [int(v[0]), int(v[1])], 'odd': [[int(i), int(d2[i])] for i in odd]})
        d2[odd] = 0
        body += np.clip(d2, -128, 127).astype(np.int8).tobytes()
    p = '/tmp/dump_%s.i8' % name
    open(p, 'wb').write(body)
    procs.append((name, subprocess.Popen(['xz', '-k', '-f', '-T2', '-1', p])))
m = cu.module(image)
for name in ('rcp64h', 'rsq64h'): measure(m, name, name)
halves = {name: dump(m, name, 0, 1, 65536).astype(np.uint16) for name in ('ex2h', 'tanhh', 'ex2b', 'tanhb')}
h64 = {'rcp64h': dump(m, 'rcp64h', 0x3ff00000, 1, 1 << 20), 'rsq64h': dump(m, 'rsq64h', 0x3ff00000, 1, 1 << 21)}
np.savez_compressed(out + '/mufu_small.npz', inputs=inputs, **{'sums_' + k: v for k, v in allsums.items()}, **{'samples_' + k: v for k, v in samples.items()}, **{'half_' + k: v for k, v in halves.items()}, **{'wide_' + k: v for k, v in h64.items()})
json.dump(meta, open(out + '/dump.json', 'w'))
for name, p in procs:
    p.wait(); print(name, os.path.getsize('/tmp/dump_%s.i8.xz' % name))
