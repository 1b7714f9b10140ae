"""Joins what `joined_stores_run counts` printed with what ncu --csv counted of its launches; the eight stores of results are taken off.

usage: joined_stores.py OUTPUT_OF_NCU > counts.csv"""
import csv, sys
lines = open(sys.argv[1]).readlines()
cases = [l.strip() for l in lines if l[0] not in '"=' and ',' in l]
counted = {}
for r in csv.DictReader(l for l in lines if l[0] == '"'):
    counted.setdefault(int(r['ID']), {})[r['Metric Name']] = int(r['Metric Value'].replace(',', '')) - 8
assert len(cases) == len(counted), (len(cases), len(counted))
print('case,width,stores,distance,threads,lane,warp,requests,sectors')
for case, id in zip(cases, sorted(counted)):
    print('%s,%d,%d' % (case, counted[id]['lts__t_requests_srcunit_tex_op_write.sum'], counted[id]['lts__t_sectors_srcunit_tex_op_write.sum']))
