import {h, restoreTheme, switchTheme, topBar, typing} from './dom.js';
import {validationView} from './validation.js';

restoreTheme();
document.getElementById('app').replaceChildren(topBar('#app', h('span', {class: 'spacer'})), h('div', {class: 'frame wide'}, h('main', {},
  h('div', {class: 'title'}, h('h1', {}, 'Simulated against measured'), h('div', {class: 'facts'}, document.title.replace(' · Warpline', ''))), ...validationView(JSON.parse(document.getElementById('data').textContent)))));
document.addEventListener('keydown', event => { if (!typing(event) && event.key === 't') switchTheme(); });
