"""Which bits of a line's number choose the bank of its tag in L1: all pairs of parities that give the cycles which lines_banks.cu measured for lines in banks of data of their own.

usage: lines_banks.py lines_banks.csv"""
import csv, re, sys
BITS = 12
measured = {}
for row in csv.DictReader(open(sys.argv[1])):
    apart = re.match(r'lines (\d+) apart', row['places'])
    own = apart or row['places'] == 'lines and banks'
    lines, cycles = int(row['lines']), float(row['cycles each'])
    if own and row['width'] == '4' and row['lines in a bank'] == '1' and lines >= 4:
        # A load that takes one cycle is limited by the instructions around it.
        measured[(int(apart[1]) if apart else 9, lines)] = 1 if cycles < 1.5 else round(cycles)
print(len(measured), 'numbers')

def most(masks, apart, lines):
    count = {}
    for i in range(lines):
        bank = tuple(bin(i * apart & m).count('1') & 1 for m in masks)
        count[bank] = count.get(bank, 0) + 1
    return max(count.values())

fits = {(0, 0)}
for bit in range(BITS):
    # What lines tell whose numbers have no higher bits; lower ones were told before.
    tell = [(k, v) for k, v in measured.items() if (k[0] * (k[1] - 1)).bit_length() == bit + 1]
    fits = {m for f in fits for m in ((f[0] | a << bit, f[1] | b << bit) for a in (0, 1) for b in (0, 1)) if all(most(m, *k) == v for k, v in tell)}
# Two parities, their exclusive or in place of either, and their order make six of one.
spans = {frozenset((a, b, a ^ b)) for a, b in fits}
for span in spans: print(' '.join(hex(m) for m in sorted(span)))
sys.exit(len(spans) != 1)
