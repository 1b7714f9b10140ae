import {h, panel} from './dom.js';
import {count, percent, significant} from './format.js';
import {correlation} from './charts.js';

const signed = value => (value > 0 ? '+' : '') + percent(value);

function nameOf(row) {
  return row.kernelId > 1 ? `${row.name}#${row.kernelId}` : row.name;
}

/** What validate --json wrote, as panels: how far off, the plot, every workload, where warps waited. */
export function validationView(data) {
  const all = data.workloads ?? [];
  const rows = all.filter(row => row.hardwareCycles > 0 && row.simulatedCycles > 0).map(row => ({...row, label: nameOf(row), error: row.simulatedCycles / row.hardwareCycles - 1}));
  if (!rows.length) throw new Error('There are no workloads with measured and simulated cycles.');
  const errors = rows.map(row => Math.abs(row.error)).sort((a, b) => a - b);
  const mean = list => list.reduce((a, b) => a + b, 0) / list.length;
  const at = q => errors[Math.min(errors.length - 1, Math.floor(q * errors.length))];
  const tile = (label, value, note) => h('div', {class: 'tile'}, h('div', {class: 'label'}, label), h('div', {class: 'value'}, value), h('div', {class: 'note'}, note ?? ''));
  rows.sort((a, b) => Math.abs(b.error) - Math.abs(a.error));
  const failed = all.filter(row => row.failure);
  return [h('div', {class: 'tiles'}, tile('Workloads', count(rows.length), failed.length ? `${count(failed.length)} failed` : ''), tile('Mean absolute error', percent(mean(errors)), `signed ${signed(mean(rows.map(r => r.error)))}`), tile('Median', percent(at(.5))), tile('90th percentile', percent(at(.9))), tile('Largest', percent(at(1))),
      data.summary && tile('Correlation', data.summary.correlation.toFixed(4), `rank ${data.summary.rankCorrelation.toFixed(4)}`)),
    panel('correlation', 'Cycles', 'Dashed lines are 20 % off; red points lie outside', correlation({points: rows.map(r => ({label: r.label, x: r.hardwareCycles, y: r.simulatedCycles})), xLabel: 'measured', yLabel: 'simulated'})),
    workloads(rows, failed), states(rows)];
}

function workloads(rows, failed) {
  const metrics = [...new Set(rows.flatMap(row => Object.keys(row.metrics ?? {})))];
  const off = pair => pair && pair.hardware ? pair.simulated / pair.hardware - 1 : null;
  const cell = error => h('td', {class: 'num'}, error === null ? '' : h('span', {class: Math.abs(error) > .2 ? 'up' : ''}, signed(error)));
  return panel('errors', 'Workloads', 'Largest error first; other columns are the errors of counters', h('div', {class: 'tablewrap'}, h('table', {}, h('thead', {}, h('tr', {}, h('th', {}, 'Workload'), h('th', {class: 'num'}, 'Measured'), h('th', {class: 'num'}, 'Simulated'), h('th', {class: 'num'}, 'Error'), metrics.map(name => h('th', {class: 'num'}, name)))),
    h('tbody', {}, failed.map(row => h('tr', {}, h('td', {}, nameOf(row)), h('td', {class: 'num'}, count(row.hardwareCycles)), h('td', {colspan: 2 + metrics.length, class: 'up'}, row.failure))),
      rows.map(r => h('tr', {}, h('td', {}, r.label), h('td', {class: 'num'}, count(r.hardwareCycles)), h('td', {class: 'num'}, count(r.simulatedCycles)), cell(r.error), metrics.map(name => cell(off(r.metrics?.[name])))))))));
}

/** Warps in each of the profiler's states per instruction issued. */
function states(rows) {
  const names = [...new Set(rows.flatMap(row => Object.keys(row.stalls ?? {})))];
  if (!names.length) return '';
  const value = (row, name) => { const pair = row.stalls?.[name] ?? {}, most = Math.max(pair.hardware ?? 0, pair.simulated ?? 0); return most < .05 ? '' : `${pair.hardware === undefined ? '–' : significant(pair.hardware)} / ${significant(pair.simulated ?? 0)}`; };
  return panel('stalls', 'Where warps waited', 'Warps in each of the profiler’s states per instruction issued, measured / simulated', h('div', {class: 'tablewrap'}, h('table', {}, h('thead', {}, h('tr', {}, h('th', {}, 'Workload'), names.map(name => h('th', {class: 'num mono'}, name)))),
    h('tbody', {}, rows.map(row => h('tr', {}, h('td', {}, row.label), names.map(name => h('td', {class: 'num'}, value(row, name)))))))));
}
