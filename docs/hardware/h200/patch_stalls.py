"""Sets the stall count of every instruction between a kernel's first and last clock read to 1 and clears its yield and wait fields.

usage: patch_stalls.py in.cubin out.cubin   (kernels named q_*; see open_questions.cu)"""
import struct, sys
d = bytearray(open(sys.argv[1], 'rb').read())
shoff, = struct.unpack_from('<Q', d, 0x28); n, names = struct.unpack_from('<HH', d, 0x3c)
secs = [struct.unpack_from('<IIQQQQIIQQ', d, shoff + 64 * i) for i in range(n)]
for s in secs:
    at = secs[names][4] + s[0]; name = d[at:d.index(b'\0', at)].decode()
    if not name.startswith('.text.q_'): continue
    ins = [struct.unpack_from('<QQ', d, s[4] + 16 * i) for i in range(s[5] // 16)]
    clocks = [i for i, (lo, hi) in enumerate(ins) if (lo & 0x1ff) == 0x005 and (hi >> 8 & 0xff) == 0x50]
    if len(clocks) < 2: print('no clock pair in', name); continue
    for i in range(clocks[-2], clocks[-1]):
        lo, hi = ins[i]; c = hi >> 41 & 0x1fffff
        c = c & ~0x1f & ~(63 << 11) | 1 | 1 << 4
        struct.pack_into('<Q', d, s[4] + 16 * i + 8, hi & ~(0x1fffff << 41) | c << 41)
    print(name, [hex(ins[i][0] & 0xfff) for i in range(clocks[-2], clocks[-1] + 1)])
open(sys.argv[2], 'wb').write(d)
