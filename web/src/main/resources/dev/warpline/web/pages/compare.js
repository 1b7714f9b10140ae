import {h, panel} from './dom.js';
import {count} from './format.js';
import {change, counterTable, differences, faster, lineName, matchingText, settingTable} from './difference.js';
import {api, failure, frame} from './server.js';

const wanted = new URLSearchParams(location.search);
const first = h('select', {id: 'first'}), second = h('select', {id: 'second'});
const view = h('div', {id: 'view', style: 'display:grid;gap:var(--gap)'});

frame(h('div', {class: 'title'}, h('h1', {}, 'Compare two runs'), h('div', {class: 'facts'}, 'Differences with the largest effect come first.')),
  h('section', {class: 'panel'}, h('div', {class: 'form'}, h('label', {}, 'First', first), h('label', {}, 'Second', second))), view);

const NAMES = ['First', 'Second'];

function kernelPair(pair, open) {
  const {cycles, states, lines, statistics} = pair;
  return h('details', {class: 'panel', open}, h('summary', {}, `${pair.id}  ${pair.name}  `, h('span', {class: 'muted'}, `${count(cycles.first)} → ${count(cycles.second)} cycles `), change(cycles.first, cycles.second)),
    h('div', {class: 'two'}, h('div', {}, h('h3', {}, 'Warp-cycles by state'), differences('State', NAMES, states.map(q => [q.name, q.first, q.second]))),
      h('div', {}, h('h3', {}, 'Warp-cycles by instruction'), h('p', {class: 'muted'}, matchingText(pair.matching, ['the first', 'the second'])), lines.length ? differences('Instruction', NAMES, lines.map(l => [lineName(l.pc, l.text), l.first, l.second]), true) : h('p', {class: 'muted'}, 'No instruction’s time differs.'))),
    h('h3', {style: 'margin-top:16px'}, `Counters that differ (${statistics.length})`), counterTable(NAMES, statistics.slice(0, 60)));
}

async function load() {
  history.replaceState(null, '', `?first=${encodeURIComponent(first.value)}&second=${encodeURIComponent(second.value)}`);
  try {
    const c = await api(`compare?first=${encodeURIComponent(first.value)}&second=${encodeURIComponent(second.value)}`);
    const [before, after] = c.first.microseconds && c.second.microseconds ? [c.first.microseconds, c.second.microseconds] : [c.first.cycles, c.second.cycles];
    view.replaceChildren(
      h('section', {class: 'panel verdict'}, h('h2', {}, faster(before, after, ['the first', 'the second'])),
        h('p', {class: 'muted'}, `${count(c.first.cycles)} cycles on ${c.first.gpu} (${c.first.core}), ${count(c.second.cycles)} on ${c.second.gpu} (${c.second.core})`),
        c.unmatched.map(words => h('p', {class: 'muted'}, words))),
      c.settings.length ? h('section', {class: 'panel', id: 'settings'}, settingTable(NAMES, c.settings)) : '',
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
