import {h} from './dom.js';
import {count} from './format.js';
import {api, failure, frame, links} from './server.js';
import {showStudy} from './study.js';

const wanted = new URLSearchParams(location.search), store = wanted.get('store'), name = wanted.get('study');
const address = (store, study) => `studies.html?store=${encodeURIComponent(store)}&study=${encodeURIComponent(study)}`;

async function list() {
  const studies = await api('studies');
  const row = one => h('tr', {}, h('td', {}, one.error ? h('span', {class: 'up'}, one.error) : h('a', {href: address(one.store, one.study)}, one.study)), h('td', {}, one.store), ['done', 'failed', 'open'].map(key => h('td', {class: 'num'}, one.error ? '' : count(one[key]))));
  frame(h('div', {class: 'title'}, h('h1', {}, 'Studies'), h('div', {class: 'facts'}, 'What warpline sweep wrote: stores of the folder studies/, and those named with serve --study.')),
    studies.length ? h('section', {class: 'panel tablewrap', id: 'studies'}, h('table', {}, h('thead', {}, h('tr', {}, h('th', {}, 'Study'), h('th', {}, 'Store'), ['Done', 'Failed', 'Open'].map(t => h('th', {class: 'num'}, t)))), h('tbody', {}, studies.map(row)))) : h('div', {class: 'notice'}, 'No study yet. “warpline sweep STUDY.yaml” makes one; “warpline serve --study STUDY.db” shows it here.'));
}

try {
  if (store === null) await list();
  else {
    const base = `studies/${encodeURIComponent(store)}`, view = await api(`${base}?study=${encodeURIComponent(name ?? '')}`);
    document.title = `${view.study} · Warpline`;
    showStudy(view, document.getElementById('app'), {
      home: '/', links: links(),
      report: number => `/run.html?store=${encodeURIComponent(store)}&study=${encodeURIComponent(view.study)}&point=${number}`,
      simulate: async number => {
        await api(`${base}/simulations`, {method: 'POST', headers: {'Content-Type': 'application/json'}, body: JSON.stringify({study: view.study, point: number})});
        return '/';
      }});
  }
} catch (error) {
  frame(failure(error));
}
