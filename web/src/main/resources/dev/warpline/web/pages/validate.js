import {h, panel} from './dom.js';
import {count, percent} from './format.js';
import {correlation} from './charts.js';
import {api, failure, frame} from './server.js';

const choose = h('select', {id: 'table', 'aria-label': 'Validation', onchange: () => load(choose.value)});
const view = h('div', {id: 'view', style: 'display:grid;gap:var(--gap)'});

frame(h('div', {class: 'title'}, h('h1', {}, 'Simulated against measured'), h('div', {class: 'facts'}, 'Tables that warpline validate --json wrote into the folder validations/.')), h('div', {class: 'tools'}, choose), view);

/** Workloads of a table of validate --json that ran. */
function rowsOf(data) {
  return (data.workloads ?? []).map(row => ({label: row.name, measured: row.hardwareCycles, simulated: row.simulatedCycles})).filter(row => row.measured > 0 && row.simulated > 0);
}

async function load(name) {
  try {
    const rows = rowsOf(await api(`validations/${encodeURIComponent(name)}`)).map(row => ({...row, error: row.simulated / row.measured - 1}));
    if (!rows.length) throw new Error(`${name} has no workloads with measured and simulated cycles.`);
    const errors = rows.map(row => Math.abs(row.error)).sort((a, b) => a - b);
    const mean = errors.reduce((a, b) => a + b, 0) / errors.length;
    const at = q => errors[Math.min(errors.length - 1, Math.floor(q * errors.length))];
    const tile = (label, value) => h('div', {class: 'tile'}, h('div', {class: 'label'}, label), h('div', {class: 'value'}, value));
    rows.sort((a, b) => Math.abs(b.error) - Math.abs(a.error));
    view.replaceChildren(h('div', {class: 'tiles'}, tile('Workloads', count(rows.length)), tile('Mean absolute error', percent(mean)), tile('Median', percent(at(.5))), tile('90th percentile', percent(at(.9))), tile('Largest', percent(at(1)))),
      panel('correlation', 'Cycles', 'Dashed lines are 20 % off; red points lie outside', correlation({points: rows.map(r => ({label: r.label, x: r.measured, y: r.simulated})), xLabel: 'measured', yLabel: 'simulated'})),
      panel('errors', 'Workloads', 'Largest error first', h('div', {class: 'tablewrap'}, h('table', {}, h('thead', {}, h('tr', {}, h('th', {}, 'Workload'), h('th', {class: 'num'}, 'Measured'), h('th', {class: 'num'}, 'Simulated'), h('th', {class: 'num'}, 'Error'))),
        h('tbody', {}, rows.map(r => h('tr', {}, h('td', {}, r.label), h('td', {class: 'num'}, count(r.measured)), h('td', {class: 'num'}, count(r.simulated)), h('td', {class: 'num'}, h('span', {class: Math.abs(r.error) > .2 ? 'up' : ''}, (r.error > 0 ? '+' : '') + percent(r.error))))))))));
  } catch (error) {
    view.replaceChildren(failure(error));
  }
}

try {
  const names = await api('validations');
  choose.replaceChildren(...names.map(name => h('option', {value: name}, name)));
  if (names.length) await load(names[0]);
  else {
    choose.hidden = true;
    view.replaceChildren(h('div', {class: 'notice'}, 'No table yet. Run warpline validate … --json and put the file into the folder validations/ of the store.'));
  }
} catch (error) {
  view.replaceChildren(failure(error));
}
