"""Finds the tables of the special function unit in what mufu.py measured, and writes them as mufu.tsv.

python3 mufu_tables.py FOLDER (with dump.json and the dump_*.i8.xz) > mufu.tsv

Every function is a quadratic polynomial per interval, C0 + C1 X + C2 X^2 with integers C0, C1, C2, of the 17 bits X of
the reduced argument below those that choose the interval. The square lacks its columns below 2^19: regression of the
residuals of RCP over products of two bits of X gave minus their weight for columns below that and nothing above. With
that square, linear programming finds real coefficients within which all results of an interval lie; the integers near
them are then unique. C0 is a multiple of a unit plus one constant for all intervals of a function, which rounds."""
import json, lzma, sys
import numpy as np
from scipy.optimize import linprog

folder = sys.argv[1]


def square(x):
    s = np.zeros(len(x), np.int64)
    for i in range(17):
        bit = (x >> i) & 1
        if 2 * i >= 19:
            s += bit << (2 * i)
        for j in range(i + 1, 17):
            if i + j + 1 >= 19:
                s += (bit & (x >> j)) << (i + j + 1)
    return s


def dumps(name):
    body = np.frombuffer(lzma.open(f'{folder}/dump_{name}.i8.xz').read(), np.int8)
    found, at = {}, 0
    for m in json.load(open(f'{folder}/dump.json'))[name]:
        d2 = body[at:at + m['n'] - 2].astype(np.int64)
        at += m['n'] - 2
        for i, v in m['odd']:
            d2[i] = v
        d1 = np.concatenate([[m['first'][1] - m['first'][0]], d2]).cumsum()
        found[m['start']] = np.concatenate([[m['first'][0]], m['first'][0] + d1.cumsum()]).astype(np.uint32)
    return found


def real_fit(y, g, x, sq):
    """Real coefficients with y <= c0 + c1 x + c2 sq <= y + g as far as possible, by constraint generation."""
    xs, ss, scale = x / max(1, x.max()), sq / max(1, sq.max()), float(g.max())
    yy, gg, active = (y - y[0]) / scale, g / scale, set(np.linspace(0, len(y) - 1, 60).astype(int))
    for _ in range(60):
        a = np.array(sorted(active))
        A = np.column_stack([np.ones(len(a)), xs[a], ss[a]])
        ones = np.ones(len(a))
        c = linprog([0, 0, 0, 1], A_ub=np.vstack([np.column_stack([-A, -ones]), np.column_stack([A, -ones])]),
                    b_ub=np.concatenate([-yy[a], yy[a] + gg[a]]), bounds=[(None, None)] * 3 + [(-1, None)]).x
        q = c[0] + c[1] * xs + c[2] * ss
        low, high = yy - q, q - yy - gg
        if max(low.max(), high.max()) <= c[3] + 1e-10:
            break
        active.update(np.argsort(low)[-20:].tolist())
        active.update(np.argsort(high)[-20:].tolist())
    return c[1] * scale / max(1, x.max()), c[2] * scale / max(1, sq.max())


def integers(y, g, x, unit):
    """C1, C2 and the range of C0 in units of 2^-unit of y."""
    sq = square(x)
    c1, c2 = real_fit(y, g, x.astype(float), sq.astype(float))
    n1, n2, found = round(c1 * 2.0 ** (unit - 18)), round(c2 * 2.0 ** unit), []
    for a in range(n1 - 2, n1 + 3):
        for b in range(n2 - 2, n2 + 3):
            s = (a << 18) * x + b * sq
            low, high = int(((y << unit) - s).max()), int((((y + g) << unit) - s).min())
            if low < high:
                found.append((a, b, low, high))
    assert found
    return found[len(found) // 2]


def emit(name, rows, unit):
    """One constant for all intervals, in the middle of where it may be."""
    for first in rows:
        bias = first[2] % unit
        if all((bias - r[2]) % unit < r[3] - r[2] for r in rows):
            bias += min((r[3] - r[2]) - (bias - r[2]) % unit for r in rows) // 2
            for a, b, low, high in rows:
                print(name, low + (bias - low) % unit, a, b, sep='\t')
            return
    raise SystemExit(name + ': no constant')


def binade(values, bits, scale):
    """Intervals of a function whose results are whole numbers of 2^-23 of a binade."""
    y = values.astype(np.int64).reshape(1 << bits, -1)
    x = np.arange(y.shape[1], dtype=np.int64) << (bits - 6)
    one = np.ones(len(x), np.int64)
    return [integers(r, one, x, scale) for r in y]


def fixed(values, point):
    """Results as fixed-point numbers, and what truncation to 24 digits may have taken from them."""
    v = values.view(np.float32).astype(np.float64)
    g = np.maximum(1, np.ldexp(1.0, np.frexp(v)[1] - 24 + point)).astype(np.int64)
    g[v >= 1] = 1 << 30
    return (v * 2.0 ** point).astype(np.int64), g


one, two = 0x3f800000, 0x40000000
r = dumps('rcp')[one].astype(np.int64) - 0x3f000000 + (1 << 23)
emit('rcp', binade(r, 7, 34), 1 << 32)
d = dumps('rsq')
r = d[one].astype(np.int64) - 0x3f000000 + (1 << 23)
x = np.arange(1, 1 << 17, dtype=np.int64)
rows = [integers(r[1:1 << 17], np.ones(len(x), np.int64), x, 34)]     # 1 is a case of its own
rows += [integers(q, np.ones(1 << 17, np.int64), np.arange(1 << 17, dtype=np.int64), 34) for q in r.reshape(64, -1)[1:]]
emit('rsq', rows + binade(d[two].astype(np.int64) - 0x3f000000 + (1 << 23), 6, 34), 1 << 32)
d = dumps('sqrt')
emit('sqrt', binade(d[one].astype(np.int64) - one + (1 << 23), 6, 35) + binade(d[two].astype(np.int64) - one + (1 << 23), 6, 35), 1 << 33)
emit('ex2', binade(dumps('ex2')[one].astype(np.int64) - two + (1 << 23), 6, 34), 1 << 32)
x = np.arange(1 << 17, dtype=np.int64)
y, g = fixed(dumps('lg2')[one], 36)
rows = []
for i, (a, b) in enumerate(zip(y.reshape(64, -1), g.reshape(64, -1))):
    rows.append(integers(a[i == 0:], b[i == 0:], x[i == 0:], 20))
emit('lg2', rows, 1 << 30)
y, g = fixed(dumps('sin')[0x3e800000][::-1].copy(), 38)               # the second quarter, backwards
emit('sin', [integers(a, b, x, 18) for a, b in zip(y.reshape(64, -1), g.reshape(64, -1))], 1 << 31)
rows, d = [], dumps('tanh')
for e, bits in (-8, 0), (-7, 0), (-6, 0), (-5, 1), (-4, 1), (-3, 2), (-2, 2), (-1, 2), (0, 3), (1, 4), (2, 3):
    values = d[127 + e << 23]
    mantissa = np.arange(len(values), dtype=np.int64) * ((1 << 23) // len(values))
    keep = mantissa % (1 << 6 - bits) == 0
    y, g = fixed(values[keep].copy(), 38 - min(e, 0))
    mantissa = mantissa[keep]
    for i in range(1 << bits):
        here = mantissa >> (23 - bits) == i
        rows.append(integers(y[here], g[here], (mantissa[here] >> (6 - bits)) & 0x1ffff, 20))
emit('tanh', rows, 1 << 33)
