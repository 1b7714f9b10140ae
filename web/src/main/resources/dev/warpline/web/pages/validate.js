import {h} from './dom.js';
import {validationView} from './validation.js';
import {api, failure, frame} from './server.js';

const choose = h('select', {id: 'table', 'aria-label': 'Validation', onchange: () => load(choose.value)});
const view = h('div', {id: 'view', style: 'display:grid;gap:var(--gap)'});

frame(h('div', {class: 'title'}, h('h1', {}, 'Simulated against measured'), h('div', {class: 'facts'}, 'Tables that warpline validate --json wrote into the folder validations/.')), h('div', {class: 'tools'}, choose), view);

async function load(name) {
  try {
    view.replaceChildren(...validationView(await api(`validations/${encodeURIComponent(name)}`)));
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
