import {h, panel} from './dom.js';
import {count, hex, percent, shortName} from './format.js';
import {api, failure, frame} from './server.js';

const wanted = new URLSearchParams(location.search);
const first = h('select', {id: 'first'}), second = h('select', {id: 'second'});
const view = h('div', {id: 'view', style: 'display:grid;gap:var(--gap)'});

frame(h('div', {class: 'title'}, h('h1', {}, 'Compare two runs'), h('div', {class: 'facts'}, 'Differences with the largest effect come first.')),
  h('section', {class: 'panel'}, h('div', {class: 'form'}, h('label', {}, 'First', first), h('label', {}, 'Second', second))), view);

function change(a, b, lessIsBetter = true) {
  if (a === b) return h('span', {class: 'faint'}, '=');
  const text = a === 0 ? 'new' : (b > a ? '+' : '') + percent(b / a - 1);
  return h('span', {class: lessIsBetter ? (b > a ? 'up' : 'down') : ''}, text);
}

function table(heads, rows) {
  return h('div', {class: 'tablewrap'}, h('table', {}, h('thead', {}, h('tr', {}, heads.map((t, i) => h('th', {class: i ? 'num' : ''}, t)))), h('tbody', {}, rows)));
}

function bar(delta, most, colour) {
  const width = most ? 50 * Math.abs(delta) / most : 0;
  return h('div', {style: 'position:relative;height:10px;min-width:120px;background:var(--sunk);border-radius:3px', 'aria-hidden': 'true'},
    h('i', {style: `position:absolute;top:0;bottom:0;background:${colour};border-radius:3px;${delta < 0 ? `right:50%;width:${width}%` : `left:50%;width:${width}%`}`}));
}

function kernelPair(pair, open) {
  const {cycles, states, lines, statistics} = pair;
  const mostState = Math.max(1, ...states.map(q => Math.abs(q.second - q.first))), mostLine = Math.max(1, ...lines.map(l => Math.abs(l.second - l.first)));
  const paint = d => d > 0 ? '#d9432f' : '#2e9e5b';
  const row = (name, a, b, most, mono) => h('tr', {}, h('td', {class: mono ? 'mono' : ''}, name), h('td', {class: 'num'}, count(a)), h('td', {class: 'num'}, count(b)), h('td', {class: 'num'}, change(a, b)), h('td', {}, most ? bar(b - a, most, paint(b - a)) : ''));
  return h('details', {class: 'panel', open}, h('summary', {}, `${pair.id}  ${shortName(pair.name)}  `, h('span', {class: 'muted'}, `${count(cycles.first)} → ${count(cycles.second)} cycles `), change(cycles.first, cycles.second)),
    h('div', {class: 'two'}, h('div', {}, h('h3', {}, 'Warp-cycles by state'), table(['State', 'First', 'Second', 'Change', ''], states.slice(0, 14).map(q => row(q.name, q.first, q.second, mostState)))),
      h('div', {}, h('h3', {}, 'Warp-cycles by instruction'), lines.length ? table(['Instruction', 'First', 'Second', 'Change', ''], lines.slice(0, 14).map(l => row(`${hex(l.pc)} ${l.text}`.slice(0, 44), l.first, l.second, mostLine, true))) : h('p', {class: 'muted'}, 'No instruction’s time differs.'))),
    h('h3', {style: 'margin-top:16px'}, `Counters that differ (${statistics.length})`), statistics.length ? table(['Counter', 'First', 'Second', 'Change'], statistics.slice(0, 60).map(q => h('tr', {}, h('td', {class: 'mono'}, q.name), h('td', {class: 'num'}, count(q.first)), h('td', {class: 'num'}, count(q.second)), h('td', {class: 'num'}, change(q.first, q.second, false))))) : h('p', {class: 'muted'}, 'None.'));
}

async function load() {
  history.replaceState(null, '', `?first=${encodeURIComponent(first.value)}&second=${encodeURIComponent(second.value)}`);
  try {
    const c = await api(`compare?first=${encodeURIComponent(first.value)}&second=${encodeURIComponent(second.value)}`);
    const [before, after] = c.first.microseconds && c.second.microseconds ? [c.first.microseconds, c.second.microseconds] : [c.first.cycles, c.second.cycles];
    const faster = before / after;
    view.replaceChildren(
      h('section', {class: 'panel verdict'}, h('h2', {}, before === after ? 'Both take the same time' : faster > 1 ? `The second is ${faster.toFixed(2)} times as fast` : `The second takes ${(1 / faster).toFixed(2)} times as long`),
        h('p', {class: 'muted'}, `${count(c.first.cycles)} cycles on ${c.first.gpu} (${c.first.core}), ${count(c.second.cycles)} on ${c.second.gpu} (${c.second.core})`)),
      c.settings.length ? h('details', {class: 'panel', open: c.settings.length < 12}, h('summary', {}, `Settings that differ (${c.settings.length})`), table(['Setting', 'First', 'Second'], c.settings.map(s => h('tr', {}, h('td', {class: 'mono'}, s.name), h('td', {class: 'num'}, s.first ?? '–'), h('td', {class: 'num'}, s.second ?? '–'))))) : '',
      ...c.kernels.map((pair, i) => kernelPair(pair, i < 3)));
  } catch (error) {
    view.replaceChildren(failure(error));
  }
}

try {
  const runs = (await api('runs')).filter(run => !run.error);
  for (const [select, name, index] of [[first, 'first', 0], [second, 'second', 1]]) {
    select.replaceChildren(...runs.map((run, i) => h('option', {value: run.id, selected: wanted.get(name) ? wanted.get(name) === run.id : i === index}, run.id)));
    select.addEventListener('change', load);
  }
  if (runs.length) await load();
  else view.replaceChildren(h('div', {class: 'notice'}, 'There are no results to compare yet.'));
} catch (error) {
  view.replaceChildren(failure(error));
}
