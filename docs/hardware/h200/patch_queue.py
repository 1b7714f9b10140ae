"""Puts N instructions of a kind between the clock reads of kernel `base` of queue.cu.

usage: patch_queue.py queue.cubin OUTDIR   (a cubin for each kind and N; queue_run.cpp runs them)"""
import struct, sys, os
src = bytearray(open(sys.argv[1], 'rb').read()); out = sys.argv[2]; os.makedirs(out, exist_ok=True)
shoff, = struct.unpack_from('<Q', src, 0x28); n, names = struct.unpack_from('<HH', src, 0x3c)
secs = [struct.unpack_from('<IIQQQQIIQQ', src, shoff + 64 * i) for i in range(n)]
text = {}
for s in secs:
    at = secs[names][4] + s[0]; name = src[at:src.index(b'\0', at)].decode()
    if name.startswith('.text.'): text[name[6:]] = (s[4], s[5] // 16)
def code(name):
    o, c = text[name]
    return [list(struct.unpack_from('<QQ', src, o + 16 * i)) for i in range(c)]
base, donor = code('base'), code('donor')
def op(i): return i[0] & 0xfff
def control(i, stall=1, wb=0, rb=7, wait=0):
    c = stall | 1 << 4 | wb << 5 | rb << 8 | wait << 11
    return [i[0], i[1] & ~(0x1fffff << 41) | c << 41]
def dest(i, r): return [i[0] & ~(0xff << 16) | r << 16, i[1]]
def always(i): return [i[0] & ~(0xf << 12) | 7 << 12, i[1]]
def special(i, sr): return [i[0], i[1] & ~(0xff << 8) | sr << 8]
s2ur = next(i for i in base if op(i) == 0x9c3)
s2r = next(i for i in base if op(i) == 0x919)
nop = next(i for i in base if op(i) == 0x918)
ldc = [i for i in base + donor if op(i) == 0xb82]
ldc32 = next(i for i in ldc if (i[1] >> 9 & 7) == 4); ldc64 = next(i for i in ldc if (i[1] >> 9 & 7) == 5)
lds = next(i for i in base if op(i) == 0x984)
mufu = next(i for i in donor if op(i) & 0x1ff == 0x108)
shfl = next(i for i in donor if op(i) & 0x1ff == 0x189)
queued = {
  's2r_tid': [(special(dest(s2r, 8), 0x21), 1, 0, True)], 's2r_ctaid': [(special(dest(s2r, 8), 0x25), 1, 0, True)], 's2r_lane': [(special(dest(s2r, 8), 0x00), 1, 0, True)],
  's2ur_ctaid': [(special(dest(s2ur, 30), 0x25), 1, 0, True)], 'ldc32': [(dest(ldc32, 8), 1, 0, True)], 'ldc64': [(dest(ldc64, 8), 1, 0, True)],
  'lds': [(dest(lds, 8), 1, 0, True)], 'mufu': [(dest(mufu, 8), 1, 0, True)], 'shfl': [(dest(shfl, 8), 1, 0, True)],
}
for a, b in [('s2r_tid', 'ldc64'), ('s2r_tid', 'lds'), ('ldc64', 'lds'), ('mufu', 'ldc64'), ('s2r_tid', 's2r_ctaid'), ('s2ur_ctaid', 's2r_tid'), ('shfl', 'ldc64'), ('mufu', 's2r_tid')]:
    queued[a + '+' + b] = queued[a] + queued[b]
donor2, donor3 = code('donor2'), code('donor3')
bra = next(i for i in donor2 if op(i) & 0xfff == 0x947)
bssy = next(i for i in donor2 if op(i) == 0x945)
bsync = next(i for i in donor2 if op(i) == 0x941)
warpsync = next((i for i in donor2 if op(i) == 0x948), None)
fadd = next(i for i in donor3 if op(i) & 0x1ff in (0x021, 0x023))
def offset(i, bytes):
    lo, hi = i
    v = (bytes >> 2) & ((1 << 48) - 1)
    return [lo & ~(((1 << 30) - 1) << 34) | (v & ((1 << 30) - 1)) << 34, hi & ~((1 << 18) - 1) | v >> 30]
def never(i): return [i[0] & ~(0xf << 12) | 0xf << 12, i[1]]
F = lambda k: (dest(fadd, 8 + k % 4), 1, 7, True)
M = (dest(mufu, 8), 1, 0, True)
# (instruction, stall, write barrier, always)
kinds = {
  'bra_not': [(never(offset(bra, 0)), 5, 7, False)],
  'bssy+bsync': [(offset(bssy, 16), 4, 7, True), (bsync, 5, 7, True)], 'bssy': [(offset(bssy, 16), 1, 7, True)],
}
if warpsync: kinds['warpsync'] = [(warpsync, 5, 7, True)]
for k in (1, 2, 3, 5, 7, 11):
    kinds['mufu+%dfadd' % k] = [M] + [F(j) for j in range(k)]
kinds['fadd'] = [F(j) for j in range(4)]
kinds.update(queued)
o, c = text['base']
body = [k for k, i in enumerate(base) if op(i) == 0x9c3 and (i[1] >> 8 & 0xff) == 0x43 or op(i) in (0x919,) and (i[1] >> 8 & 0xff) == 0x43]
if not body: body = [k for k, i in enumerate(base) if op(i) == 0x9c3][2:]
first = body[0]
clock = next(k for k, i in enumerate(base) if k > body[-1] and op(i) == 0x805)
use = next(k for k in range(body[-1], clock) if op(base[k]) in (0x836, 0xc36, 0x810, 0xc10, 0x235, 0x835) or k == clock - 3)
print('body', first, body[-1], 'use', use, hex(op(base[use])), 'clock', clock, 'sr', hex(base[first][1] >> 8 & 0xff))
for name, kind in kinds.items():
    for count in (0, 1, 2, 4, 8, 16, 24, 32, 48):
        d = bytearray(src)
        for k in range(first, use):
            at = k - first
            x = kind[at % len(kind)]; i = control(always(x[0]) if x[3] else x[0], x[1], x[2]) if at < count else control(nop, 1, 7)
            struct.pack_into('<QQ', d, o + 16 * k, *i)
        i = base[use]; wait = 1
        struct.pack_into('<QQ', d, o + 16 * use, *control(i, 5, 7, 7, 1))
        for k in range(use + 1, clock): struct.pack_into('<QQ', d, o + 16 * k, *control(base[k], 5, 7, 7, 0))
        open('%s/%s.%d.cubin' % (out, name, count), 'wb').write(d)
