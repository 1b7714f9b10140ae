/** Builds an element: h('div', {class: 'x', onclick: f}, child, ...). Text children are text, never markup. */
export function h(tag, props, ...children) {
  return fill(document.createElement(tag), props, children);
}

/** The same for SVG. */
export function s(tag, props, ...children) {
  return fill(document.createElementNS('http://www.w3.org/2000/svg', tag), props, children);
}

function fill(element, props, children) {
  for (const [name, value] of Object.entries(props ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...children.flat(Infinity).filter(c => c !== null && c !== undefined && c !== false));
  return element;
}

/** A block that draws itself for its width, again whenever that changes. */
export function responsive(draw) {
  const box = h('div');
  let width = 0;
  new ResizeObserver(() => {
    if (box.clientWidth < 40 || Math.abs(box.clientWidth - width) < 2) return;
    width = box.clientWidth;
    box.replaceChildren(draw(width));
  }).observe(box);
  return box;
}

let tip = null;

/** Shows a tooltip near the pointer; null hides it. */
export function showTip(event, ...content) {
  tip?.remove();
  tip = null;
  if (!event) return;
  tip = h('div', {class: 'tip', role: 'tooltip'}, content);
  document.body.append(tip);
  const room = 14;
  const x = Math.min(event.clientX + room, innerWidth - tip.offsetWidth - 8);
  const below = event.clientY + room;
  const y = below + tip.offsetHeight > innerHeight ? event.clientY - tip.offsetHeight - 8 : below;
  tip.style.left = `${Math.max(8, x)}px`;
  tip.style.top = `${y}px`;
}

/** Properties that show a tooltip while the pointer is over an element. */
export function tipped(...content) {
  return {onpointermove: e => showTip(e, ...content), onpointerleave: () => showTip(null)};
}

const LOGO = 'M2 5l4 14 6-11 6 11 4-14';

/** The bar at the top of every page. */
export function topBar(home, ...content) {
  const theme = h('button', {class: 'quiet', id: 'theme', title: 'Light or dark (t)', 'aria-label': 'Switch theme', onclick: switchTheme}, '◐');
  return h('div', {class: 'top'}, h('div', {},
    h('a', {class: 'brand', href: home}, s('svg', {viewBox: '0 0 24 24', 'aria-hidden': 'true'},
      s('path', {d: LOGO, fill: 'none', stroke: 'currentColor', 'stroke-width': 3, 'stroke-linejoin': 'round', 'stroke-linecap': 'round'})), h('span', {class: 'hide-small'}, 'Warpline')),
    content, theme));
}

function remembered(value) {
  try {
    if (value) localStorage.setItem('warpline-theme', value);
    return localStorage.getItem('warpline-theme');
  } catch {
    return null; // a file opened from disk may have no storage
  }
}

/** Applies the theme chosen earlier. */
export function restoreTheme() {
  const theme = remembered();
  if (theme) document.documentElement.dataset.theme = theme;
}

export function switchTheme() {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  root.dataset.theme = dark ? 'light' : 'dark';
  remembered(root.dataset.theme);
}

/** Whether a key press belongs to a field the user types in. */
export function typing(event) {
  return event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName);
}

export function panel(id, title, hint, ...content) {
  return h('section', {class: 'panel', id}, h('header', {}, h('h2', {}, title), hint && h('span', {class: 'hint'}, hint)), content);
}
