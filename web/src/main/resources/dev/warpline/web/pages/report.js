import {h, restoreTheme, switchTheme, topBar, typing} from './dom.js';
import {count, shortName} from './format.js';
import {kernelView, SECTIONS} from './kernel.js';

/** Shows a run: a kernel at a time, chosen at the top; keys as in the help. */
export function showRun(run, app, home, ...links) {
  const select = h('select', {'aria-label': 'Kernel', id: 'kernel', onchange: () => show(Number(select.value))},
    run.kernels.map((k, i) => h('option', {value: i}, `${k.id}  ${shortName(k.name)}  (${count(k.cycles)} cycles)`)));
  const help = helpDialog();
  const toc = h('nav', {class: 'toc', 'aria-label': 'Sections'});
  const frame = h('div', {class: 'frame'}, toc);
  app.replaceChildren(topBar(home, links, run.kernels.length > 1 ? select : null, h('span', {class: 'spacer'}), h('button', {class: 'quiet hide-small', 'aria-label': 'Keys', title: 'Keys (?)', onclick: () => help.showModal()}, '?')), frame, help);
  let listing = null;

  function show(index) {
    const view = kernelView(run, run.kernels[index]);
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
