import {h, restoreTheme, switchTheme, topBar, typing} from './dom.js';

const LINKS = [['/', 'Runs'], ['/compare.html', 'Compare'], ['/studies.html', 'Studies'], ['/validate.html', 'Validation']];

/** Asks the server; an error it explains becomes an Error with that explanation. */
export async function api(path, options) {
  const response = await fetch(`/api/${path}`, options);
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.error ?? response.statusText);
  return answer;
}

export function links() {
  return h('nav', {'aria-label': 'Pages'}, LINKS.map(([href, title]) => h('a', {href, 'aria-current': location.pathname === href ? 'page' : null}, title)));
}

/** The frame of a page of the server. */
export function frame(...content) {
  restoreTheme();
  document.getElementById('app').replaceChildren(topBar('/', links(), h('span', {class: 'spacer'})), h('div', {class: 'frame wide'}, h('main', {}, content)));
  document.addEventListener('keydown', event => { if (!typing(event) && event.key === 't') switchTheme(); });
}

export function failure(error) {
  return h('div', {class: 'notice error', role: 'alert'}, error.message);
}
