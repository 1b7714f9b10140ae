import {h, panel, restoreTheme, switchTheme, topBar, typing} from './dom.js';
import {count, percent} from './format.js';
import {change} from './difference.js';
import {kernelView, SECTIONS} from './kernel.js';
import {completed, programPanel} from './program.js';

/** Shows a run: a kernel at a time, chosen at the top; keys as in the help. */
export function showRun(run, app, home, ...links) {
  run.kernels = completed(run.kernels);
  const select = h('select', {'aria-label': 'Kernel', id: 'kernel', onchange: () => show(Number(select.value))},
    run.kernels.map((k, i) => h('option', {value: i}, `${k.id}  ${k.title}  (${count(k.cycles)} cycles)`)));
  const others = run.others ?? [];
  const against = h('select', {'aria-label': 'Compared with', id: 'against', onchange: () => show(Number(select.value || 0))}, h('option', {value: -1}, 'alone'),
    others.map((other, i) => h('option', {value: i, selected: i === others.findIndex(one => one.before)}, other.before ? `against ${other.title}` : `what if ${other.title}`)));
  const help = helpDialog();
  const toc = h('nav', {class: 'toc', 'aria-label': 'Sections'});
  const frame = h('div', {class: 'frame'}, toc);
  app.replaceChildren(topBar(home, links, run.kernels.length > 1 ? select : null, others.length ? against : null, h('span', {class: 'spacer'}), h('button', {class: 'quiet hide-small', 'aria-label': 'Keys', title: 'Keys (?)', onclick: () => help.showModal()}, '?')), frame, help);
  let listing = null;

  function show(index) {
    const view = kernelView(run, run.kernels[index], others[Number(against.value)]);
    if (run.kernels.length > 1) view.main.querySelector('#summary').after(kernelTable(run, run.kernels[index], others[Number(against.value)], show));
    if (run.program) view.main.querySelector('#summary').before(programPanel(run));
    listing = view.listing;
    select.value = index;
    frame.querySelector('main')?.remove();
    frame.append(view.main);
    const present = SECTIONS.filter(([id]) => document.getElementById(id));
    toc.replaceChildren(...present.map(([id, title]) => h('a', {href: `#${id}`, 'data-section': id}, title)));
    watch(toc, present);
  }

  document.addEventListener('keydown', event => {
    if (typing(event)) {
      if (event.key === 'Escape') event.target.blur();
      return;
    }
    const digit = Number(event.key);
    if (event.key === 't') switchTheme();
    else if (event.key === '?') help.showModal();
    else if (event.key === '[' || event.key === ']') show((Number(select.value || 0) + (event.key === ']' ? 1 : -1) + run.kernels.length) % run.kernels.length);
    else if (digit >= 1) document.getElementById(SECTIONS[digit - 1][0])?.scrollIntoView();
    else listing?.key(event);
  });
  if (run.kernels.length) show(longest(run.kernels));
  else frame.append(h('main', {}, h('div', {class: 'notice'}, 'This run has no kernels.')));
}

const FIRST_ROWS = 8;

/** All launches of a program, the longest first; a click shows one. */
function kernelTable(run, chosen, other, show) {
  const list = run.kernels.map((kernel, index) => ({kernel, index})).sort((a, b) => b.kernel.cycles - a.kernel.cycles || a.index - b.index);
  const total = run.kernels.reduce((sum, k) => sum + k.cycles, 0) || 1;
  const body = h('tbody');
  const more = h('button', {style: 'margin-top:8px', onclick: () => draw(list.length)}, `Show all ${count(list.length)}`);
  const row = ({kernel, index}) => {
    const there = other?.kernels[kernel.id];
    return h('tr', {class: kernel === chosen ? 'cursor' : ''}, h('td', {class: 'num'}, kernel.id), h('td', {}, h('a', {href: '#summary', title: kernel.name, onclick: () => show(index)}, kernel.title)), h('td', {class: 'num'}, count(kernel.cycles)), h('td', {class: 'num'}, percent(kernel.cycles / total)),
      h('td', {class: 'num hide-small'}, count(kernel.warpInstructions)), h('td', {class: 'hide-small'}, kernel.findings?.[0]?.title ?? ''),
      other && h('td', {class: 'num'}, there ? (other.before ? change(there.cycles / other.coreMHz, kernel.cycles / run.coreMHz) : change(kernel.cycles / run.coreMHz, there.cycles / other.coreMHz)) : 'only here'));
  };
  const draw = size => { body.replaceChildren(...list.slice(0, size).map(row)); more.hidden = size >= list.length; };
  draw(FIRST_ROWS);
  return panel('kernels', 'Kernels', `${count(list.length)} launches, the longest first`, h('div', {class: 'tablewrap'}, h('table', {class: 'kernels'}, h('thead', {}, h('tr', {}, h('th', {class: 'num'}, 'Launch'), h('th', {}, 'Kernel'), h('th', {class: 'num'}, 'Cycles'), h('th', {class: 'num'}, 'Share'), h('th', {class: 'num hide-small'}, 'Warp instructions'), h('th', {class: 'hide-small'}, 'Why'), other && h('th', {class: 'num'}, 'Change of time'))), body)), more);
}

function longest(kernels) {
  return kernels.reduce((best, k, i) => k.profile && k.cycles > (kernels[best].profile ? kernels[best].cycles : -1) ? i : best, 0);
}

function watch(toc, present) {
  const seen = new Set();
  const observer = new IntersectionObserver(entries => {
    for (const e of entries) e.isIntersecting ? seen.add(e.target.id) : seen.delete(e.target.id);
    const here = present.map(([id]) => id).find(id => seen.has(id));
    for (const a of toc.children) a.classList.toggle('here', a.dataset.section === here);
  }, {rootMargin: '-64px 0px -55% 0px'});
  for (const [id] of present) observer.observe(document.getElementById(id));
}

function helpDialog() {
  const keys = [['n p', 'next, previous hottest line'], ['j k', 'down, up in the listing'], ['Enter', 'open the line under the cursor (listing focused)'], ['/', 'filter the listing'], ['1 … 9', 'go to a section'], ['[ ]', 'previous, next kernel'], ['t', 'light or dark']];
  const dialog = h('dialog', {'aria-label': 'Keys'}, h('h2', {}, 'Keys'), h('dl', {}, keys.map(([k, what]) => [h('dt', {}, k.split(' ').map(x => [h('kbd', {}, x), ' '])), h('dd', {}, what)])), h('button', {class: 'primary', onclick: () => dialog.close()}, 'Close'));
  return dialog;
}

restoreTheme();
const embedded = document.getElementById('data');
if (embedded) showRun(JSON.parse(embedded.textContent), document.getElementById('app'), '#summary');
