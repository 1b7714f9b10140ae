"""Writes samples.cu: a kernel for each instruction of PTX whose machine code is to be tried on many inputs, and
samples.txt: their names with the kind of input."""
import itertools, re
K = []   # (name, inputs, body)
names = set()
def clean(s): return re.sub(r'[^A-Za-z0-9]+', '_', s).strip('_')
REG = {'r': ('unsigned', ['a.x', 'a.y', 'a.z', 'a.w']),
       'l': ('unsigned long long', ['pair(a.x,a.y)', 'pair(a.z,a.w)', 'pair(b.x,b.y)']),
       'h': ('unsigned short', ['(unsigned short)a.x', '(unsigned short)a.y', '(unsigned short)a.z']),
       'n': ('unsigned short', ['(unsigned short)a.x', '(unsigned short)a.y', '(unsigned short)a.z'])}
def op(ptx, outs, ins, kind, name=None):
    """One instruction; outs and ins are letters of constraints."""
    name = name or clean(ptx)
    assert name not in names, name
    names.add(name)
    n = len(outs) + len(ins)
    count = {}
    decl, args, store = [], [], []
    word = 0
    for i, o in enumerate(outs):
        decl.append('%s o%d;' % (REG[o][0], i))
        if o == 'l':
            store.append('set(r,%d,(unsigned)o%d); set(r,%d,(unsigned)(o%d>>32));' % (word, i, word + 1, i)); word += 2
        else:
            store.append('set(r,%d,o%d);' % (word, i)); word += 1
    for i in ins:
        k = count.get(i, 0); count[i] = k + 1
        args.append('"%s"(%s)' % (i, REG[i][1][k]))
    text = ptx if '%0' in ptx or '{' in ptx else ptx + ' ' + ', '.join('%%%d' % i for i in range(n)) + ';'
    body = ' '.join(decl) + ' asm volatile("%s" : %s : %s); ' % (text, ', '.join('"=%s"(o%d)' % (o, i) for i, o in enumerate(outs)), ', '.join(args)) + ' '.join(store)
    K.append((name, kind, body))
def c(name, kind, body):
    assert name not in names, name
    names.add(name); K.append((name, kind, body))

RND = ['rn', 'rz', 'rm', 'rp']
for r in RND:
    for f in ('', '.ftz'):
        op('add.%s%s.f32' % (r, f), 'r', 'rr', 'f32'); op('mul.%s%s.f32' % (r, f), 'r', 'rr', 'f32'); op('fma.%s%s.f32' % (r, f), 'r', 'rrr', 'f32')
        op('add.%s%s.sat.f32' % (r, f), 'r', 'rr', 'f32'); op('mul.%s%s.sat.f32' % (r, f), 'r', 'rr', 'f32'); op('fma.%s%s.sat.f32' % (r, f), 'r', 'rrr', 'f32')
    op('add.%s.f64' % r, 'l', 'll', 'f64'); op('mul.%s.f64' % r, 'l', 'll', 'f64'); op('fma.%s.f64' % r, 'l', 'lll', 'f64')
    for f in ('', '.ftz'):
        for g in ('rcp', 'sqrt'): op('%s.%s%s.f32' % (g, r, f), 'r', 'r', 'f32')
        op('div.%s%s.f32' % (r, f), 'r', 'rr', 'f32')
    for g in ('rcp', 'sqrt'): op('%s.%s.f64' % (g, r), 'l', 'l', 'f64')
    op('div.%s.f64' % r, 'l', 'll', 'f64')
for f in ('', '.ftz'):
    for g in ('rcp', 'sqrt', 'rsqrt', 'sin', 'cos', 'lg2', 'ex2'): op('%s.approx%s.f32' % (g, f), 'r', 'r', 'f32')
    op('div.full%s.f32' % f, 'r', 'rr', 'f32'); op('div.approx%s.f32' % f, 'r', 'rr', 'f32')
    for m in ('min', 'max'):
        for q in ('', '.NaN', '.xorsign.abs', '.NaN.xorsign.abs'): op('%s%s%s.f32' % (m, f, q), 'r', 'rr', 'f32')
    op('abs%s.f32' % f, 'r', 'r', 'f32'); op('neg%s.f32' % f, 'r', 'r', 'f32')
    for cmp in ('eq', 'ne', 'lt', 'le', 'gt', 'ge', 'equ', 'neu', 'ltu', 'leu', 'gtu', 'geu', 'num', 'nan'):
        op('set.%s%s.u32.f32' % (cmp, f), 'r', 'rr', 'f32'); 
        if f: op('set.%s%s.f32.f32' % (cmp, f), 'r', 'rr', 'f32')
op('copysign.f32', 'r', 'rr', 'f32'); op('copysign.f64', 'l', 'll', 'f64'); op('tanh.approx.f32', 'r', 'r', 'f32')
op('slct.s32.f32', 'r', 'rrr', 'f32'); op('slct.ftz.s32.f32', 'r', 'rrr', 'f32')
for t in ('finite', 'infinite', 'number', 'notanumber', 'normal', 'subnormal'):
    for ty, l in (('f32', 'r'), ('f64', 'l')):
        op('{.reg .pred p; testp.%s.%s p, %%1; selp.u32 %%0, 1, 0, p;}' % (t, ty), 'r', l, ty, 'testp_%s_%s' % (t, ty))
for m in ('min', 'max'): op(m + '.f64', 'l', 'll', 'f64')
op('abs.f64', 'l', 'l', 'f64'); op('neg.f64', 'l', 'l', 'f64')
op('rcp.approx.ftz.f64', 'l', 'l', 'f64'); op('rsqrt.approx.f64', 'l', 'l', 'f64'); op('rsqrt.approx.ftz.f64', 'l', 'l', 'f64')
for cmp in ('eq', 'ne', 'lt', 'le', 'gt', 'ge', 'equ', 'neu', 'ltu', 'leu', 'gtu', 'geu', 'num', 'nan'):
    op('set.%s.u32.f64' % cmp, 'r', 'll', 'f64')
# conversions
INTS = ['s8', 'u8', 's16', 'u16', 's32', 'u32', 's64', 'u64']
def L(t): return 'l' if t.endswith('64') else 'h' if t in ('f16', 'bf16', 's16', 'u16') else 'r' if t.endswith('32') else 'r'
def reg(t): return {'8': '16'}.get(t[1:], t[1:])
def cvt(mods, to, frm):
    lo, li = (L(t) for t in (to, frm))
    kind = 'int' if frm[0] in 'su' else {'f16': 'f16', 'bf16': 'bf16', 'f32': 'f32', 'f64': 'f64'}[frm]
    op('cvt%s.%s.%s' % (mods, to, frm), lo, li, kind)
for r in ('rni', 'rzi', 'rmi', 'rpi'):
    for i in INTS:
        for f in ('f16', 'f32', 'f64'): cvt('.' + r, i, f)
        if r == 'rzi': cvt('.rzi.ftz', i, 'f32')
    for f in ('f16', 'f32', 'f64'): cvt('.' + r, f, f)
    cvt('.' + r + '.ftz', 'f32', 'f32'); cvt('.' + r + '.sat', 'f32', 'f32')
    for i in ('s8', 'u8', 's32', 'u32', 's64', 's16'): cvt('.' + r, i, 'bf16')
for r in RND:
    for i in INTS:
        for f in ('f16', 'f32', 'f64'): cvt('.' + r, f, i)
    for i in ('s8', 'u8', 's32', 'u32', 's64', 's16', 'u64'): cvt('.' + r, 'bf16', i)
    cvt('.' + r, 'f32', 'f64'); cvt('.' + r + '.ftz', 'f32', 'f64'); cvt('.' + r, 'f16', 'f32'); cvt('.' + r, 'f16', 'f64')
    cvt('.' + r + '.sat', 'f32', 'f64')
    cvt('.' + r, 'bf16', 'f64'); cvt('.' + r, 'f16', 'bf16')
    if r in ('rn', 'rz'):
        cvt('.' + r, 'bf16', 'f32'); cvt('.' + r + '.relu', 'bf16', 'f32'); cvt('.' + r + '.relu', 'f16', 'f32')
    cvt('.' + r, 'bf16', 'f16')
for a, b in (('f32', 'f16'), ('f64', 'f16'), ('f64', 'f32'), ('f32', 'bf16'), ('f64', 'bf16')): cvt('', a, b)
cvt('.ftz', 'f64', 'f32'); cvt('.sat', 'f32', 'f32'); cvt('.ftz.sat', 'f32', 'f32'); cvt('.sat', 'f64', 'f64'); cvt('.sat', 'f16', 'f16'); cvt('.rn.sat', 'f16', 'f32'); cvt('.sat', 'f32', 'f16')
for a, b in itertools.product(INTS, INTS):
    if a != b: cvt('.sat', a, b)
for r in ('rn', 'rz'):
    for q in ('', '.relu'):
        for t in ('f16x2', 'bf16x2'): op('cvt.%s%s.%s.f32' % (r, q, t), 'r', 'rr', 'f32')
        op('cvt.%s%s.tf32.f32' % (r, q), 'r', 'r', 'f32')
op('cvt.rna.tf32.f32', 'r', 'r', 'f32')
for q in ('', '.relu'):
    for t in ('e4m3x2', 'e5m2x2'):
        op('cvt.rn.satfinite%s.%s.f32' % (q, t), 'h', 'rr', 'f8')
        op('cvt.rn.satfinite%s.%s.f16x2' % (q, t), 'h', 'r', 'f16')
        op('cvt.rn%s.f16x2.%s' % (q, t), 'r', 'h', 'int')
for a, b in (('u16', 's32'), ('s16', 's32'), ): op('cvt.pack.sat.%s.%s' % (a, b), 'r', 'rr', 'int')
for a in ('u8', 's8'): op('cvt.pack.sat.%s.s32.b32' % a, 'r', 'rrr', 'int')
# integers
for t in ('s32', 'u32'):
    for q in ('lo', 'hi'): op('mul.%s.%s' % (q, t), 'r', 'rr', 'int'); op('mad.%s.%s' % (q, t), 'r', 'rrr', 'int'); op('mul24.%s.%s' % (q, t), 'r', 'rr', 'int'); op('mad24.%s.%s' % (q, t), 'r', 'rrr', 'int')
    op('mul.wide.' + t, 'l', 'rr', 'int'); op('mad.wide.' + t, 'l', 'rrl', 'int')
    for q in ('div', 'rem', 'sad') : op('%s.%s' % (q, t), 'r', 'rrr' if q == 'sad' else 'rr', 'int')
    for q in ('bfe',): op('%s.%s' % (q, t), 'r', 'rrr', 'bits')
    for q in ('bfind', 'bfind.shiftamt'): op('%s.%s' % (q, t), 'r', 'r', 'int')
    for q in ('wrap', 'clamp'): op('szext.%s.%s' % (q, t), 'r', 'rr', 'bits')
    for u in ('s32', 'u32'):
        op('dp4a.%s.%s' % (t, u), 'r', 'rrr', 'int')
        for q in ('lo', 'hi'): op('dp2a.%s.%s.%s' % (q, t, u), 'r', 'rrr', 'int')
for t in ('s64', 'u64'):
    for q in ('mul.lo', 'mul.hi', 'div', 'rem', 'min', 'max'): op('%s.%s' % (q, t), 'l', 'll', 'int')
    op('mad.lo.' + t, 'l', 'lll', 'int'); op('mad.hi.' + t, 'l', 'lll', 'int')
    op('bfind.' + t, 'r', 'l', 'int'); op('bfind.shiftamt.' + t, 'r', 'l', 'int'); op('bfe.' + t, 'l', 'lrr', 'bits')
    for cmp in ('eq', 'ne', 'lt', 'le', 'gt', 'ge'): op('set.%s.u32.%s' % (cmp, t), 'r', 'll', 'bits')
for t in ('s16', 'u16'):
    for q in ('mul.lo', 'mul.hi', 'div', 'rem', 'min', 'max'): op('%s.%s' % (q, t), 'h', 'hh', 'int')
    op('mul.wide.' + t, 'r', 'hh', 'int'); op('mad.lo.' + t, 'h', 'hhh', 'int')
    op('sad.' + t, 'h', 'hhh', 'int')
for t in ('s32', 'u32'):
    for m in ('min', 'max'): op('%s.%s' % (m, t), 'r', 'rr', 'int')
    for cmp in ('eq', 'ne', 'lt', 'le', 'gt', 'ge'): op('set.%s.u32.%s' % (cmp, t), 'r', 'rr', 'bits')
for m in ('min', 'max'):
    op(m + '.relu.s32', 'r', 'rr', 'int'); op(m + '.relu.s16x2', 'r', 'rr', 'int'); op(m + '.s16x2', 'r', 'rr', 'int'); op(m + '.u16x2', 'r', 'rr', 'int')
for t in ('s16x2', 'u16x2'): op('add.' + t, 'r', 'rr', 'int')
op('add.sat.s32', 'r', 'rr', 'int'); op('sub.sat.s32', 'r', 'rr', 'int'); op('mad.hi.sat.s32', 'r', 'rrr', 'int')
for t, l in (('s16', 'h'), ('s32', 'r'), ('s64', 'l')): op('abs.' + t, l, l, 'int'); op('neg.' + t, l, l, 'int')
for t, l in (('b32', 'r'), ('b64', 'l')):
    op('popc.' + t, 'r', l, 'int'); op('clz.' + t, 'r', l, 'int'); op('brev.' + t, l, l, 'int'); op('cnot.' + t, l, l, 'int'); op('bfi.' + t, l, l + l + 'rr', 'bits') if t == 'b32' else None
    for q in ('and', 'or', 'xor'): op('%s.%s' % (q, t), l, l + l, 'int')
    op('not.' + t, l, l, 'int'); op('shl.' + t, l, l + 'r', 'bits')
for t, l in (('s16', 'h'), ('u16', 'h'), ('s32', 'r'), ('u32', 'r'), ('s64', 'l'), ('u64', 'l')): op('shr.' + t, l, l + ('r' if l != 'r' else 'r'), 'bits')
for d in ('l', 'r'):
    for m in ('clamp', 'wrap'): op('shf.%s.%s.b32' % (d, m), 'r', 'rrr', 'bits')
for m in ('clamp', 'wrap'): op('bmsk.%s.b32' % m, 'r', 'rr', 'bits')
for lut in (0x1, 0x2, 0x4, 0x17, 0x35, 0x56, 0x78, 0x96, 0xca, 0xe8, 0x6a, 0xb4, 0xfe): op('{lop3.b32 %%0, %%1, %%2, %%3, %d;}' % lut, 'r', 'rrr', 'int', 'lop3_%02x' % lut)
op('{.reg .pred p,q; setp.lt.s32 q, %3, 0; lop3.or.b32 %0|p, %1, %2, %3, 120, q; selp.u32 %4, 1, 0, p;}'.replace('%4', '%0').replace('%0|p', 't|p').replace('{.reg', '{.reg .b32 t; .reg'), 'r', 'rrr', 'int', 'lop3_or')
op('{.reg .b32 t; .reg .pred p,q; setp.lt.s32 q, %3, 0; lop3.and.b32 t|p, %1, %2, %3, 8, q; selp.u32 %0, 1, 0, p;}', 'r', 'rrr', 'bits', 'lop3_and')
op('prmt.b32', 'r', 'rrr', 'int')
for q in ('f4e', 'b4e', 'rc8', 'ecl', 'ecr', 'rc16'): op('prmt.b32.' + q, 'r', 'rrr', 'int')
op('fns.b32', 'r', 'rrr', 'bits')
op('{add.cc.u32 %0, %2, %4; addc.u32 %1, %3, %5;}', 'rr', 'rrrr', 'int', 'addc'); op('{sub.cc.u32 %0, %2, %4; subc.u32 %1, %3, %5;}', 'rr', 'rrrr', 'int', 'subc')
op('{mad.lo.cc.u32 %0, %2, %3, %4; madc.hi.u32 %1, %2, %3, %5;}', 'rr', 'rrrr', 'int', 'madc'); op('{mad.lo.cc.s32 %0, %2, %3, %4; madc.hi.s32 %1, %2, %3, %5;}', 'rr', 'rrrr', 'int', 'madcs')
op('{add.cc.u32 %0, %3, %4; addc.cc.u32 %1, %4, %5; addc.u32 %2, 0, 0;}', 'rrr', 'rrrr', 'int', 'addccc'); op('{sub.cc.u32 %0, %3, %4; subc.cc.u32 %1, %4, %5; subc.u32 %2, 0, 0;}', 'rrr', 'rrrr', 'int', 'subccc')
op('{mul.lo.u64 %0, %1, %2; add.u64 %0, %0, %3;}', 'l', 'lll', 'int', 'mad64')
# video
for q in ('vadd', 'vsub', 'vabsdiff', 'vmin', 'vmax'):
    for t in ('s32.s32.s32', 'u32.u32.u32', 's32.u32.s32', 's32.s32.s32.sat'):
        for sel in (('.b0', '.h1'), ('', '')): op('{%s.%s %%0, %%1%s, %%2%s;}' % (q, t, *sel), 'r', 'rr', 'int', clean(q + t + '_' + sel[0] + sel[1] + 'x'))
for q in ('vshl', 'vshr'):
    for t in ('s32.s32.u32', 'u32.u32.u32'):
        for m in ('clamp', 'wrap'): op('%s.%s.%s' % (q, t, m), 'r', 'rr', 'bits')
op('vmad.s32.s32.s32', 'r', 'rrr', 'int'); op('vmad.u32.u32.u32.shr15', 'r', 'rrr', 'int'); op('vset.s32.s32.lt', 'r', 'rr', 'int')
for q in ('vadd', 'vsub', 'vavrg', 'vabsdiff', 'vmin', 'vmax'):
    for w in ('2', '4'):
        for t in ('s32.s32.s32', 'u32.u32.u32'): op('%s%s.%s' % (q, w, t), 'r', 'rrr', 'int')
        op('%s%s.s32.s32.s32.sat' % (q, w), 'r', 'rrr', 'int') if q != 'vavrg' else None
# halves
for t, n, k in (('f16', 'h', 'f16'), ('f16x2', 'r', 'f16'), ('bf16', 'h', 'bf16'), ('bf16x2', 'r', 'bf16')):
    b = t.startswith('b')
    for q in ('add', 'sub', 'mul'):
        for m in ([''] if b else ['', '.ftz', '.sat', '.ftz.sat']): op('%s.rn%s.%s' % (q, m, t), n, n + n, k)
    for m in (['', '.relu', '.oob', '.oob.relu'] if b else ['', '.ftz', '.sat', '.ftz.sat', '.relu', '.ftz.relu', '.oob', '.oob.relu', '.ftz.oob']): op('fma.rn%s.%s' % (m, t), n, n * 3, k)
    op('neg.' + t, n, n, k); op('abs.' + t, n, n, k)
    for q in ('min', 'max'):
        for m in (['', '.NaN', '.xorsign.abs', '.NaN.xorsign.abs'] if b else ['', '.NaN', '.ftz', '.xorsign.abs', '.ftz.NaN.xorsign.abs']): op('%s%s.%s' % (q, m, t), n, n + n, k)
    if not b: op('ex2.approx.' + t, n, n, k); op('tanh.approx.' + t, n, n, k)
    else: op('ex2.approx.ftz.' + t, n, n, k); op('tanh.approx.' + t, n, n, k)
    for cmp in ('eq', 'ne', 'lt', 'le', 'gt', 'ge', 'equ', 'neu', 'ltu', 'leu', 'gtu', 'geu', 'num', 'nan'):
        if t.endswith('x2'): op('{.reg .pred p,q; setp.%s.%s p|q, %%2, %%3; selp.u32 %%0,1,0,p; selp.u32 %%1,1,0,q;}' % (cmp, t), 'rr', 'rr', k, 'setp_%s_%s' % (cmp, t)); op('set.%s.%s.%s' % (cmp, t, t), 'r', 'rr', k) if cmp in ('lt', 'neu', 'nan', 'ge') else None
        else: op('{.reg .pred p; setp.%s.%s p, %%1, %%2; selp.u32 %%0,1,0,p;}' % (cmp, t), 'r', 'hh', k, 'setp_%s_%s' % (cmp, t)); op('set.%s.%s.%s' % (cmp, t, t), 'h', 'hh', k) if cmp in ('lt', 'neu') else None
    if not b: op('{.reg .pred p,q; setp.lt.ftz.f16x2 p|q, %2, %3; selp.u32 %0,1,0,p; selp.u32 %1,1,0,q;}', 'rr', 'rr', k, 'setp_ltftz_' + t) if t.endswith('x2') else None
op('add.f16x2', 'r', 'rr', 'f16')
# DPX, by the functions of cuda_runtime
for s in ('s32', 'u32', 's16x2', 'u16x2'):
    for m in ('max', 'min'):
        args3 = '(a.x, a.y, a.z)'
        for f in ('__vi%s3_%s' % (m, s), '__viadd%s_%s' % (m, s)): c(f[2:], 'int', 'r.x = %s%s;' % (f, args3))
        if s[0] == 's':
            for f in ('__vi%s3_%s_relu' % (m, s), '__viadd%s_%s_relu' % (m, s)): c(f[2:], 'int', 'r.x = %s%s;' % (f, args3))
            c('vi%s_%s_relu' % (m, s), 'int', 'r.x = __vi%s_%s_relu(a.x, a.y);' % (m, s))
        if s.endswith('x2'): c('vib%s_%s' % (m, s), 'int', 'bool p, q; r.x = __vib%s_%s(a.x, a.y, &p, &q); r.y = p; r.z = q;' % (m, s))
        else: c('vib%s_%s' % (m, s), 'int', 'bool p; r.x = __vib%s_%s(a.x, a.y, &p); r.y = p;' % (m, s))
        c('vi%smid_%s' % (m, s), 'int', 'r.x = __vi%s3_%s(a.x, a.y, 7); r.y = __vi%s3_%s(a.x, a.y, a.x);' % (m, s, m, s))
for f in ('vabs2', 'vabs4', 'vabsss2', 'vneg2', 'vneg4', 'vnegss4'): c(f, 'int', 'r.x = __%s(a.x);' % f)
for f in ('vadd2', 'vadd4', 'vaddss2', 'vaddus4', 'vavgs2', 'vavgu4', 'vcmpeq4', 'vcmpgts2', 'vcmpltu4', 'vhaddu2', 'vmaxs4', 'vminu2', 'vsads2', 'vsadu4', 'vseteq4', 'vsetges2', 'vsub2', 'vsubss4', 'vabsdiffs2', 'vabsdiffu4'): c('simd_' + f, 'int', 'r.x = __%s(a.x, a.y);' % f)
# lanes
LOW = 'unsigned lane = threadIdx.x & 31;'
for m in ('up', 'down', 'bfly', 'idx'):
    c('shfl_' + m, 'bits', '{unsigned o, p; asm volatile("{.reg .pred q; shfl.sync.%s.b32 %%0|q, %%2, %%3, %%4, -1; selp.u32 %%1, 1, 0, q;}" : "=r"(o), "=r"(p) : "r"(a.x), "r"(a.y & 31), "r"((b.x & 0x1f) | (b.x & 0x1800))); r.x = o; r.y = p;}' % m)
    c('shfl_half_' + m, 'bits', LOW + 'if (lane & 1) {unsigned o, p; asm volatile("{.reg .pred q; shfl.sync.%s.b32 %%0|q, %%2, 2, 0x%s, 0xaaaaaaaa; selp.u32 %%1, 1, 0, q;}" : "=r"(o), "=r"(p) : "r"(a.x)); r.x = o; r.y = p;}' % (m, 'c00' if m == 'up' else 'c1f'))
c('votes', 'bits', LOW + 'bool p = a.x & 4; r.x = __ballot_sync(~0u, p); r.y = __any_sync(~0u, a.y == 77); r.z = __all_sync(~0u, a.z != 5); int u; asm volatile("{.reg .pred p, q; setp.lt.s32 p, %1, 8; vote.sync.uni.pred q, p, -1; selp.u32 %0, 1, 0, q;}" : "=r"(u) : "r"(lane)); r.w = u;')
c('votes_divergent', 'bits', LOW + 'if (a.x & 1) { unsigned m = __activemask(); r.x = m; r.y = __ballot_sync(m, a.y & 2); } else { r.z = __activemask(); } __syncwarp(); r.w = __activemask();')
c('matches', 'bits', 'int p; r.x = __match_any_sync(~0u, a.x & 3); r.y = __match_all_sync(~0u, a.y >> 31 >> 1, &p); r.z = p; r.w = __match_any_sync(~0u, pair(a.x & 1, a.y & 1));')
c('match_all64', 'bits', 'int p; r.x = __match_all_sync(~0u, pair(blockIdx.x, threadIdx.x >> 5), &p); r.y = p; r.z = __match_all_sync(~0u, a.x & 1, &p); r.w = p;')
c('reduxes', 'bits', 'r.x = __reduce_add_sync(~0u, a.x); r.y = __reduce_min_sync(~0u, (int)a.y); r.z = __reduce_max_sync(~0u, a.z); r.w = __reduce_xor_sync(~0u, a.w);')
c('reduxes2', 'bits', LOW + 'if (lane & 2) { r.x = __reduce_and_sync(0xcccccccc, a.x | 0xff00); r.y = __reduce_or_sync(0xcccccccc, a.y & 0xff); r.z = __reduce_max_sync(0xcccccccc, (int)a.z); r.w = __reduce_min_sync(0xcccccccc, a.w); }')
c('elect', 'bits', 'unsigned p, l; asm volatile("{.reg .pred q; elect.sync %0|q, -1; selp.u32 %1, 1, 0, q;}" : "=r"(l), "=r"(p)); r.x = l; r.y = p;')
c('masks', 'bits', 'asm("mov.u32 %0, %lanemask_lt; mov.u32 %1, %lanemask_ge; mov.u32 %2, %lanemask_eq; mov.u32 %3, %laneid;" : "=r"(r.x), "=r"(r.y), "=r"(r.z), "=r"(r.w));'.replace('%lane', '%%lane'))
c('masks2', 'bits', 'asm("mov.u32 %0, %lanemask_le; mov.u32 %1, %lanemask_gt; mov.u32 %2, %nctaid.x; mov.u32 %3, %ntid.x;" : "=r"(r.x), "=r"(r.y), "=r"(r.z), "=r"(r.w));'.replace('%lane', '%%lane').replace('%nc', '%%nc').replace('%nt', '%%nt'))
c('bar_red', 'bits', 'r.x = __syncthreads_count(a.x & 1); r.y = __syncthreads_and(a.y != 3); r.z = __syncthreads_or(a.z == 12345); asm volatile("bar.sync 2, 128;");')
c('bar_parts', 'bits', '__shared__ unsigned s[128]; unsigned w = threadIdx.x >> 5; s[threadIdx.x] = a.x; if (w < 2) { asm volatile("bar.sync 3, 64;" ::: "memory"); r.x = s[threadIdx.x ^ 32]; asm volatile("bar.arrive 4, 128;" ::: "memory"); } else { asm volatile("bar.sync 4, 128;" ::: "memory"); r.x = s[threadIdx.x ^ 64]; }')
# memory
for t, l in (('u8', 'r'), ('s8', 'r'), ('u16', 'r'), ('s16', 'r'), ('b32', 'r'), ('b64', 'l')):
    for sp in ('global', 'shared', 'local', 'generic', 'const'):
        w = {'8': 1, '6': 2, '2': 4, '4': 8}[t[-1]]
        where = {'global': 'unsigned char *m = scratch + 64 * i;', 'shared': '__shared__ __align__(16) unsigned char sm[128 * 64]; unsigned char *m = sm + 64 * threadIdx.x;', 'local': '__align__(16) unsigned char m[64];', 'generic': '__shared__ __align__(16) unsigned char sm[128 * 64]; __align__(16) unsigned char lm[64]; unsigned char *m = threadIdx.x % 3 == 0 ? sm + 64 * threadIdx.x : threadIdx.x % 3 == 1 ? scratch + 64 * i : lm;', 'const': 'const unsigned char *m = table;'}[sp]
        body = where
        ty = {'u8': 'unsigned char', 's8': 'signed char', 'u16': 'unsigned short', 's16': 'short', 'b32': 'unsigned', 'b64': 'unsigned long long'}[t]
        if sp != 'const': body += 'for (int k = 0; k < 64; k++) ((volatile unsigned char *)m)[k] = (unsigned char)(a.x >> (k & 31)) + k; *(volatile %s *)(m + (b.x & 31) * 2 / %d * %d) = (%s)a.y; ' % (ty, w, w, ty)
        body += '%s v = *(%s%s *)(m + (a.z & 31) * 2 / %d * %d); r.x = (unsigned)v; r.y = (unsigned)((unsigned long long)v >> 32); r.z = *(%sunsigned *)(m + (a.w & 15) * 4);' % (ty, 'const ' if sp == 'const' else 'volatile ', ty, w, w, '' if sp != 'const' else 'const ')
        c('memory_%s_%s' % (sp, t), 'int', body)
c('memory_wide', 'int', '__shared__ uint4 s[128]; s[threadIdx.x] = a; ((uint4 *)scratch)[2 * i] = a; ((uint2 *)scratch)[4 * i + 2] = make_uint2(b.x, b.y); ((uint2 *)scratch)[4 * i + 3] = make_uint2(b.z, b.w); __syncthreads(); uint4 v = s[threadIdx.x ^ 5]; uint4 w = ((uint4 *)scratch)[2 * i + 1].x ? b : a; r = make_uint4(v.x ^ w.x, v.y + w.y, v.z, v.w);')
c('spaces', 'int', '__shared__ unsigned s[4]; unsigned l[4]; l[a.x & 3] = 1; const void *p = a.y & 1 ? (const void *)s : a.y & 2 ? (const void *)l : a.y & 4 ? (const void *)scratch : (const void *)table; r.x = __isShared(p); r.y = __isLocal(p); r.z = __isGlobal(p); r.w = __isConstant(p) + l[a.z & 3] * 0;')
# atomics: each thread its own address
def atom(sp, q, t, l, extra='', cas=False):
    kind = {'f32': 'f32', 'f64': 'f64', 'f16x2': 'f16', 'bf16x2': 'bf16', 'f16': 'f16', 'bf16': 'bf16'}.get(t, 'bits')
    if t == 'f16x2' or t == 'f16': extra = '.noftz'
    if t in ('bf16x2', 'bf16'): extra = '.noftz'
    ty = {'l': 'unsigned long long', 'r': 'unsigned', 'h': 'unsigned short'}[l]
    v = REG[l][1]
    mem = 'scratch + 64 * i' if sp == 'global' else 'sm + 16 * threadIdx.x'
    pre = '__shared__ __align__(16) unsigned char sm[128 * 16]; ' if sp == 'shared' else ''
    ptr = '"l"(__cvta_generic_to_global(m))' if sp == 'global' else '"r"((unsigned)__cvta_generic_to_shared(m))'
    body = pre + 'unsigned char *m = %s; *(volatile %s *)m = %s; %s o;' % (mem, ty, v[0], ty)
    body += ' asm volatile("atom.%s.%s%s.%s %%0, [%%1], %%2%s;" : "=%s"(o) : %s, "%s"(%s)%s : "memory");' % (sp, q, extra, t, ', %3' if cas else '', l, ptr, l, v[1], ', "%s"(%s)' % (l, v[2]) if cas else '')
    body += ' %s f = *(volatile %s *)m; r.x = (unsigned)o; r.y = (unsigned)((unsigned long long)o >> 32); r.z = (unsigned)f; r.w = (unsigned)((unsigned long long)f >> 32);' % (ty, ty)
    c('atom_%s_%s_%s' % (sp, q.replace('.', '_'), t), kind, body)
    if not cas and q != 'exch':
        body2 = pre + 'unsigned char *m = %s; *(volatile %s *)m = %s;' % (mem, ty, v[0])
        body2 += ' asm volatile("red.%s.%s%s.%s [%%0], %%1;" :: %s, "%s"(%s) : "memory");' % (sp, q, extra, t, ptr, l, v[1])
        body2 += ' %s f = *(volatile %s *)m; r.z = (unsigned)f; r.w = (unsigned)((unsigned long long)f >> 32);' % (ty, ty)
        c('red_%s_%s_%s' % (sp, q.replace('.', '_'), t), kind, body2)
for sp in ('global', 'shared'):
    for q, t, l in [('add', 'u32', 'r'), ('add', 's32', 'r'), ('add', 'u64', 'l'), ('add', 'f32', 'r'), ('add', 'f64', 'l'), ('add', 'f16x2', 'r'), ('add', 'bf16x2', 'r'), ('add', 'f16', 'h'), ('add', 'bf16', 'h'), ('inc', 'u32', 'r'), ('dec', 'u32', 'r'), ('min', 's32', 'r'), ('min', 'u32', 'r'), ('max', 's32', 'r'), ('max', 'u32', 'r'), ('min', 's64', 'l'), ('max', 'u64', 'l'), ('max', 's64', 'l'), ('and', 'b32', 'r'), ('or', 'b32', 'r'), ('xor', 'b32', 'r'), ('and', 'b64', 'l'), ('or', 'b64', 'l'), ('xor', 'b64', 'l'), ('exch', 'b32', 'r'), ('exch', 'b64', 'l')]:
        atom(sp, q, t, l)
    for t, l in (('b32', 'r'), ('b64', 'l'), ('b16', 'h')): atom(sp, 'cas', t, l, cas=True)
for q, t, n, k in (('add', 'f32', 2, 'f32'), ('add', 'f32', 4, 'f32'), ('add', 'f16x2', 2, 'f16'), ('add', 'f16x2', 4, 'f16'), ('min', 'f16x2', 4, 'f16'), ('max', 'f16x2', 4, 'f16'), ('add', 'bf16x2', 4, 'bf16'), ('max', 'bf16x2', 4, 'bf16'), ('min', 'bf16x2', 2, 'bf16')):
    c('red_v%d_%s_%s' % (n, q, t), k, 'uint4 *m = (uint4 *)scratch + i; *m = a; __threadfence(); asm volatile("red.global.%s%s.v%d.%s [%%0], {%s};" :: "l"(__cvta_generic_to_global(m)), %s : "memory"); __threadfence(); asm volatile("ld.volatile.global.v4.u32 {%%0,%%1,%%2,%%3}, [%%4];" : "=r"(r.x), "=r"(r.y), "=r"(r.z), "=r"(r.w) : "l"(__cvta_generic_to_global(m)));' % (q, '' if t == 'f32' else '.noftz', n, t, ', '.join('%%%d' % (j + 1) for j in range(n)), ', '.join('"r"(b.%s)' % 'xyzw'[j] for j in range(n))))
c('atom_exch_b128', 'bits', 'uint4 *m = (uint4 *)scratch + i; *m = a; asm volatile("{.reg .b128 o, n; mov.b128 n, {%2, %3}; atom.global.exch.b128 o, [%4], n; mov.b128 {%0, %1}, o;}" : "=l"(x), "=l"(y) : "l"(pair(b.x, b.y)), "l"(pair(b.z, b.w)), "l"(__cvta_generic_to_global(m)) : "memory"); r.x = (unsigned)x; r.y = (unsigned)(x >> 32); r.z = (unsigned)y; r.w = (unsigned)(y >> 32) ^ ((volatile unsigned *)m)[1];'.replace('uint4 *m', 'unsigned long long x, y; uint4 *m'))
c('atom_cas_b128', 'bits', 'unsigned long long x, y; uint4 *m = (uint4 *)scratch + i; *m = a; asm volatile("{.reg .b128 o, n, c; mov.b128 n, {%2, %3}; mov.b128 c, {%5, %6}; atom.global.cas.b128 o, [%4], c, n; mov.b128 {%0, %1}, o;}" : "=l"(x), "=l"(y) : "l"(pair(b.x, b.y)), "l"(pair(b.z, b.w)), "l"(__cvta_generic_to_global(m)), "l"(pair(a.x, a.y)), "l"(pair(a.z, i & 1 ? a.w : b.w)) : "memory"); r.x = (unsigned)x; r.y = (unsigned)(x >> 32); r.z = (unsigned)y ^ ((volatile unsigned *)m)[2]; r.w = (unsigned)(y >> 32) ^ ((volatile unsigned *)m)[1];')
c('atom_warp', 'bits', 'unsigned *m = (unsigned *)scratch + 64 * blockIdx.x; if (threadIdx.x < 64) m[threadIdx.x] = 0; __syncthreads(); atomicAdd(m + (a.x & 7), 3u); atomicMax((int *)m + 8 + (a.y & 7), (int)a.z); atomicOr(m + 16 + (a.w & 3), b.x); atomicAdd(m + 32, 1u); __syncthreads(); r.x = m[a.x & 7]; r.y = m[8 + (a.y & 7)]; r.z = m[16 + (a.w & 3)]; r.w = m[32];')
# control flow
c('switches', 'int', 'unsigned v = a.y; switch (a.x & 15) { case 0: v += 3; break; case 1: v *= 5; break; case 2: v ^= a.z; break; case 3: v = __popc(v); case 4: v -= 9; break; case 5: v = a.w / (v | 1); break; case 6: v <<= 3; break; case 7: v = ~v; break; case 8: v += a.z * 7; break; case 9: v %= 1000; break; case 10: v = v * v; break; case 11: v = __brev(v); break; default: v = 42; } r.x = v;')
c('pointers', 'int', 'typedef unsigned (*F)(unsigned, unsigned); F f = functions[a.x & 3]; r.x = f(a.y, a.z); r.y = functions[(i >> 5) & 3](a.z, a.w);')
c('recursion', 'int', 'r.x = fib(a.x & 7); r.y = ackermann(a.y & 1, a.z & 3);')
c('loops', 'int', 'unsigned v = a.x, n = 0; while (v != 1 && n < 50) { if (v & 1) { if (v % 7 == 3) break; v = 3 * v + 1; } else v >>= 1; for (unsigned k = 0; k < (v & 3); k++) { if (k == (a.y & 3)) continue; n += k; } n++; } r.x = v; r.y = n; __syncwarp(); r.z = __shfl_xor_sync(~0u, n, 1);')
c('early_exit', 'int', 'if ((a.x & 3) == 0) { out[i] = a; return; } if (a.y & 1) { __syncwarp(__activemask()); r.x = 5; } r.y = a.z;')
c('spin_lock', 'int', 'unsigned *lock = (unsigned *)scratch + 4096 * 16 + (blockIdx.x & 7) * 2; bool done = false; while (!done) { if (atomicCAS(lock, 0u, 1u) == 0u) { lock[1] += a.x & 0xff; __threadfence(); done = true; atomicExch(lock, 0u); } } __syncthreads(); r.x = ((volatile unsigned *)lock)[1];')
c('groups', 'int', 'auto w = cooperative_groups::tiled_partition<8>(cooperative_groups::this_thread_block()); r.x = w.shfl_down(a.x, 3); r.y = w.ballot(a.y & 1); r.z = cooperative_groups::reduce(w, a.z, cooperative_groups::plus<unsigned>()); if (a.w & 1) { auto g = cooperative_groups::coalesced_threads(); r.w = g.size() * 100 + g.thread_rank(); }')
c('labelled', 'int', 'auto g = cooperative_groups::labeled_partition(cooperative_groups::tiled_partition<32>(cooperative_groups::this_thread_block()), a.x & 3); r.x = g.size(); r.y = g.thread_rank(); r.z = cooperative_groups::reduce(g, a.y & 0xffff, cooperative_groups::plus<unsigned>());')
c('stack', 'int', 'unsigned *p = (unsigned *)alloca(((a.x & 7) + 1) * 16); for (unsigned k = 0; k < ((a.x & 7) + 1) * 4; k++) p[k] = k * a.y; r.x = touch(p, ((a.x & 7) + 1) * 4); r.y = p[a.z & 3];')
c('addresses', 'int', 'r.x = variable[a.x & 15]; variable[16 + (i & 1023)] = a.y; r.y = variable[16 + (i & 1023)]; r.z = *where;')
# libraries
for f in ('sinf', 'cosf', 'tanf', 'expf', 'exp2f', 'logf', 'log2f', 'log10f', 'tanhf', 'erff', 'sqrtf', 'rsqrtf', 'cbrtf', 'atanf', 'asinf', 'sinhf', 'expm1f', 'log1pf', 'lgammaf', 'normcdff', 'rintf', 'floorf', 'roundf', '__expf', '__sinf', '__logf', 'sinpif', 'j0f'): c('lib_' + f, 'f32', 'r.x = __float_as_uint(%s(__uint_as_float(a.x)));' % f)
for f in ('powf', 'fmodf', 'atan2f', 'hypotf', '__fdividef', 'fdimf', 'nextafterf', 'remainderf'): c('lib_' + f, 'f32', 'r.x = __float_as_uint(%s(__uint_as_float(a.x), __uint_as_float(a.y)));' % f)
for f in ('sin', 'exp', 'log', 'tanh', 'cbrt', 'erf', 'rint', 'trunc', 'rsqrt', 'atan'): c('lib_d' + f, 'f64', 'store(r, %s(__longlong_as_double(pair(a.x, a.y))));' % f)
for f in ('pow', 'fmod', 'atan2'): c('lib_d' + f, 'f64', 'store(r, %s(__longlong_as_double(pair(a.x, a.y)), __longlong_as_double(pair(a.z, a.w))));' % f)
for f in ('hsin', 'hexp', 'hlog', 'hsqrt', 'hrcp', 'hrsqrt', 'hrint', 'hfloor', 'htanh'): c('lib_' + f, 'f16', 'r.x = __half_as_ushort(%s(__ushort_as_half((unsigned short)a.x)));' % f)
c('lib_hdiv', 'f16', 'r.x = __half_as_ushort(__hdiv(__ushort_as_half((unsigned short)a.x), __ushort_as_half((unsigned short)a.y)));')

HEAD = '''#include <cuda_fp16.h>
#include <cuda_bf16.h>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
typedef unsigned long long u64;
__device__ __forceinline__ u64 pair(unsigned a, unsigned b) { return (u64)b << 32 | a; }
__device__ __forceinline__ void set(uint4 &r, int k, unsigned v) { if (k == 0) r.x = v; if (k == 1) r.y = v; if (k == 2) r.z = v; if (k == 3) r.w = v; }
__device__ __forceinline__ void store(uint4 &r, double v) { u64 b = __double_as_longlong(v); r.x = (unsigned)b; r.y = (unsigned)(b >> 32); }
__constant__ __align__(16) unsigned char table[64] = {1,130,3,4,5,160,7,8,9,200,11,12,13,14,255,16,17,18,219,20,21,22,23,224,25,26,27,28,29,30,31,232,33,34,35,36,137,38,39,40,41,42,43,144,45,46,47,48,149,50,51,52,53,54,155,56,57,58,59,60,61,62,163,64};
__device__ unsigned variable[16 + 1024] = {5,4,3,2,1,9,8,7,6,5,4,3,2,1,77,78};
__device__ unsigned *where = variable + 14;
__device__ __noinline__ unsigned f0(unsigned a, unsigned b) { return a + b; }
__device__ __noinline__ unsigned f1(unsigned a, unsigned b) { return a * b ^ 5; }
__device__ __noinline__ unsigned f2(unsigned a, unsigned b) { return a / (b | 1); }
__device__ __noinline__ unsigned f3(unsigned a, unsigned b) { return __popc(a) + f0(b, 3); }
typedef unsigned (*Function)(unsigned, unsigned);
__device__ Function functions[4] = {f0, f1, f2, f3};
__device__ __noinline__ unsigned fib(unsigned n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
__device__ __noinline__ unsigned ackermann(unsigned m, unsigned n) { return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1)); }
__device__ __noinline__ unsigned touch(unsigned *p, unsigned n) { unsigned s = 0; for (unsigned k = 0; k < n; k++) s += p[k]; return s; }
'''
# What the assembler refuses.
REFUSED = '''cvt_rm_bf16_s8 cvt_rm_bf16_u8 cvt_rmi_s8_bf16 cvt_rmi_u8_bf16 cvt_rn_bf16_s8 cvt_rn_bf16_u8
cvt_rni_s8_bf16 cvt_rni_u8_bf16 cvt_rp_bf16_s8 cvt_rp_bf16_u8 cvt_rpi_s8_bf16 cvt_rpi_u8_bf16
cvt_rz_bf16_s8 cvt_rz_bf16_u8 cvt_rzi_s8_bf16 cvt_rzi_u8_bf16 cvt_sat_s16_s8 cvt_sat_s16_u8
cvt_sat_s32_s16 cvt_sat_s32_s8 cvt_sat_s32_u16 cvt_sat_s32_u8 cvt_sat_s64_s16 cvt_sat_s64_s32
cvt_sat_s64_s8 cvt_sat_s64_u16 cvt_sat_s64_u32 cvt_sat_s64_u8 cvt_sat_u16_u8 cvt_sat_u32_u16
cvt_sat_u32_u8 cvt_sat_u64_u16 cvt_sat_u64_u32 cvt_sat_u64_u8 fma_rn_ftz_oob_f16 fma_rn_ftz_oob_f16x2'''.split()
K = [k for k in K if k[0] not in REFUSED]
if __name__ == '__main__':
    with open('samples.cu', 'w') as f, open('samples.txt', 'w') as t:
        f.write(HEAD)
        for n, k, b in K:
            f.write('extern "C" __global__ void %s(const uint4 *in, uint4 *out, unsigned char *scratch) { unsigned i = blockIdx.x * blockDim.x + threadIdx.x; uint4 a = in[2 * i], b = in[2 * i + 1], r = make_uint4(0, 0, 0, 0); %s out[i] = r; }\n' % (n, b))
            t.write('%s %s\n' % (n, k))
    print(len(K))
