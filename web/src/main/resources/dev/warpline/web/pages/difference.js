import {h} from './dom.js';
import {count, hex, percent} from './format.js';

/** A change in words, red where it is for the worse. */
export function change(a, b, lessIsBetter = true) {
  if (a === b) return h('span', {class: 'faint'}, '=');
  const text = a === 0 ? 'new' : (b > a ? '+' : '') + percent(b / a - 1);
  return h('span', {class: lessIsBetter ? (b > a ? 'up' : 'down') : ''}, text);
}

export function table(heads, rows) {
  return h('div', {class: 'tablewrap'}, h('table', {}, h('thead', {}, h('tr', {}, heads.map((t, i) => h('th', {class: i ? 'num' : ''}, t)))), h('tbody', {}, rows)));
}

function bar(delta, most) {
  const width = most ? 50 * Math.abs(delta) / most : 0;
  return h('div', {style: 'position:relative;height:10px;min-width:120px;background:var(--sunk);border-radius:3px', 'aria-hidden': 'true'},
    h('i', {style: `position:absolute;top:0;bottom:0;background:${delta > 0 ? '#d9432f' : '#2e9e5b'};border-radius:3px;${delta < 0 ? `right:50%;width:${width}%` : `left:50%;width:${width}%`}`}));
}

/** Quantities before and after with bars: rows are [name, before, after]. */
export function differences(what, names, rows, mono) {
  const most = Math.max(1, ...rows.map(([, a, b]) => Math.abs(b - a)));
  return table([what, ...names, 'Change', ''], rows.slice(0, 14).map(([name, a, b]) => h('tr', {}, h('td', {class: mono ? 'mono' : ''}, name), h('td', {class: 'num'}, count(a)), h('td', {class: 'num'}, count(b)), h('td', {class: 'num'}, change(a, b)), h('td', {}, bar(b - a, most)))));
}

/** Counters that differ. */
export function counterTable(names, list) {
  return list.length ? table(['Counter', ...names, 'Change'], list.map(q => h('tr', {}, h('td', {class: 'mono'}, q.name), h('td', {class: 'num'}, count(q.first)), h('td', {class: 'num'}, count(q.second)), h('td', {class: 'num'}, change(q.first, q.second, false))))) : h('p', {class: 'muted'}, 'None.');
}

export function settingTable(names, settings) {
  return settings.length ? h('details', {class: 'small', open: settings.length < 12}, h('summary', {}, `Settings that differ (${settings.length})`), table(['Setting', ...names], settings.map(s => h('tr', {}, h('td', {class: 'mono'}, s.name), h('td', {class: 'num'}, s.first ?? '–'), h('td', {class: 'num'}, s.second ?? '–'))))) : '';
}

/** How instructions were matched; said where some were not. */
export function matchingText(matching, [first, second]) {
  if (!matching) return 'A run has no profile (--profile keeps it in --json): instructions are not compared.';
  const rest = matching.onlyFirst + matching.onlySecond;
  return matching.how + (rest ? `; ${count(matching.onlyFirst)} of ${first} and ${count(matching.onlySecond)} of ${second} have no counterpart.` : '.');
}

/** How much faster, in words; times are in the same unit. */
export function faster(before, after, [first, second]) {
  const ratio = before / after, words = second[0].toUpperCase() + second.slice(1);
  if (before === after) return `${words} and ${first} take the same time`;
  return ratio > 1 ? `${words} is ${ratio.toFixed(2)} times as fast as ${first}` : `${words} takes ${(1 / ratio).toFixed(2)} times as long as ${first}`;
}

export const lineName = (pc, text) => `${hex(pc)} ${text}`.slice(0, 44);
