import {h, panel} from './dom.js';
import {bytes, count, date, duration} from './format.js';
import {Jobs} from './jobs.js';
import {Levels} from './live.js';
import {api, failure, frame} from './server.js';
import {SmGrid} from './sms.js';

const TRACES = /\.(tar|tar\.gz|tgz|tar\.xz|txz|tar\.zst|zip|wlt)$/i, DESCRIPTION = /\.ya?ml$/i, OPTIONS = /^(gpgpusim|trace)\.config$/;

const traces = h('select', {id: 'trace', name: 'trace'});
const gpus = h('select', {id: 'gpu', name: 'gpu'});
const core = h('select', {id: 'core', name: 'core'});
const settings = h('input', {id: 'settings', placeholder: 'e.g. clocks.coreMHz=1500', autocomplete: 'off', spellcheck: 'false'});
const ends = [['maxCycles', 'Cycles', 'cycles'], ['maxInstructions', 'Warp instructions', 'instructions'], ['maxSeconds', 'Seconds', 'seconds']]
  .map(([id, title, key]) => ({id, title, key, input: h('input', {id, type: 'number', min: 1, step: 1, autocomplete: 'off'})}));
const endsIn = h('span', {id: 'ends', class: 'muted'});
const space = h('div', {id: 'space', class: 'faint'});
const message = h('div', {id: 'message'});
const jobs = new Jobs();
const runs = h('div', {id: 'runs'});
const picker = h('input', {type: 'file', id: 'file', multiple: true, class: 'visually-hidden', onchange: () => take([...picker.files])});
const drop = h('label', {class: 'drop', for: 'file', tabindex: 0, onkeydown: e => { if (e.key === 'Enter') picker.click(); },
  ondragover: e => { e.preventDefault(); drop.classList.add('over'); }, ondragleave: () => drop.classList.remove('over'),
  ondrop: e => { e.preventDefault(); drop.classList.remove('over'); take([...e.dataTransfer.files]); }},
  h('div', {}, 'Drop a trace here (.tar.xz, .tar.zst, .tar.gz, .zip, .wlt), or click to choose one'),
  h('div', {class: 'faint'}, 'or a GPU: .yaml, or Accel-Sim’s gpgpusim.config and trace.config'), space);

frame(h('div', {class: 'title'}, h('h1', {}, 'Runs on this machine'), h('div', {class: 'facts'}, 'Simulate a traced program, watch it, and see where its time goes.')),
  h('div', {class: 'two'},
    panel('new', 'New run', null, h('form', {style: 'display:grid;gap:12px', novalidate: true, onsubmit: start}, drop, picker,
      h('div', {class: 'form'}, h('label', {}, 'Trace', traces), h('label', {}, 'GPU', gpus), h('label', {}, 'Core', core), h('label', {style: 'grid-column:1/-1'}, 'Settings, separated by spaces', settings)),
      h('details', {id: 'limits', class: 'small'}, h('summary', {}, 'Ends at the latest after ', endsIn), h('div', {class: 'form'}, ends.map(end => h('label', {}, end.title, end.input)))),
      h('div', {class: 'tools'}, h('button', {class: 'primary', id: 'start'}, 'Simulate'), message))),
    panel('running', 'Running', null, jobs.element)),
  h('div', {id: 'live'}),
  panel('stored', 'Results', 'Choose two to compare', runs));

let limits = null;

/** Sends files one after the other; how far they are, the server says. */
async function take(files) {
  picker.value = '';
  files.sort((a, b) => a.name.localeCompare(b.name)); // gpgpusim.config before trace.config
  let folder = null;
  try {
    for (const file of files) {
      if (OPTIONS.test(file.name)) {
        folder ??= prompt('Name of this Accel-Sim configuration', 'my-gpu');
        if (!folder) return;
        await sendGpu(`${folder}/${file.name}`, file);
      } else if (DESCRIPTION.test(file.name)) await sendGpu(file.name, file);
      else if (TRACES.test(file.name)) await sendTrace(file);
      else throw new Error(`${file.name}: expected a trace (.tar.xz, .tar.zst, .tar.gz, .tar, .zip, .wlt) or a GPU (.yaml, gpgpusim.config, trace.config)`);
    }
  } catch (error) {
    message.replaceChildren(failure(error));
  }
  loadSpace();
}

async function sendTrace(file) {
  if (file.size > limits.uploadBytes) throw new Error(`${file.name} has ${bytes(file.size)}; this server takes ${bytes(limits.uploadBytes)} at most (--max-upload)`);
  say(`Uploading ${file.name} …`);
  const {trace} = await api(`traces/${encodeURIComponent(file.name)}`, {method: 'PUT', body: file});
  await loadTraces(trace);
  say(`${trace} is here.`);
}

async function sendGpu(path, file) {
  const {gpu} = await api(`gpus/${path.split('/').map(encodeURIComponent).join('/')}`, {method: 'PUT', body: file});
  await loadGpus(gpu);
  say(`${path} is here.`);
}

function say(text) {
  message.replaceChildren(h('span', {class: 'muted', role: 'status'}, text));
}

async function start(event) {
  event.preventDefault();
  const wish = {trace: traces.value, gpu: gpus.value, core: core.value, settings: settings.value.split(/\s+/).filter(Boolean)};
  for (const end of ends) if (end.input.value) wish[end.id] = Number(end.input.value);
  try {
    await api('simulations', {method: 'POST', headers: {'Content-Type': 'application/json'}, body: JSON.stringify(wish)});
    say('Started.');
  } catch (error) {
    message.replaceChildren(failure(error));
  }
}

async function loadTraces(chosen) {
  const names = await api('traces');
  traces.replaceChildren(...names.map(name => h('option', {value: name, selected: name === chosen}, name)));
  document.getElementById('start').disabled = names.length === 0;
}

async function loadGpus(chosen) {
  const kinds = new Map();
  for (const gpu of await api('gpus')) kinds.set(gpu.kind, [...(kinds.get(gpu.kind) ?? []), gpu.name]);
  gpus.replaceChildren(h('option', {value: '', selected: chosen === undefined}, 'the one its code is for'), ...[...kinds].map(([kind, names]) => h('optgroup', {label: `${kind[0].toUpperCase()}${kind.slice(1)}s`}, names.map(name => h('option', {value: name, selected: name === chosen}, name)))));
}

async function loadSpace() {
  limits = await api('limits');
  space.textContent = `${bytes(limits.usedBytes)} of ${bytes(limits.storeBytes)} are used.`;
}

function sayEnds() {
  const [cycles, instructions, seconds] = ends.map(end => Number(end.input.value) || limits.run[end.key]);
  endsIn.textContent = `${count(cycles)} cycles, ${count(instructions)} warp instructions, ${duration(seconds)}`;
}

async function loadRuns() {
  const list = await api('runs');
  list.sort((a, b) => (b.modified ?? 0) - (a.modified ?? 0));
  if (list.length === 0) {
    runs.replaceChildren(h('p', {class: 'muted'}, 'No results yet.'));
    return;
  }
  const chosen = () => [...runs.querySelectorAll('input:checked')].map(box => box.value);
  const compare = h('button', {id: 'compare', disabled: true, onclick: () => { const [second, first] = chosen(); location.href = `/compare.html?first=${encodeURIComponent(first)}&second=${encodeURIComponent(second)}`; }}, 'Compare');
  const picked = () => { compare.disabled = chosen().length !== 2; };
  runs.replaceChildren(h('div', {class: 'tools', style: 'margin-bottom:8px'}, compare), h('div', {class: 'tablewrap'}, h('table', {}, h('thead', {}, h('tr', {}, ['', 'Run', 'Date', 'GPU', 'Core', 'Settings'].map(t => h('th', {}, t)), ['Kernels', 'Cycles', 'Warp instructions'].map(t => h('th', {class: 'num'}, t)), h('th', {}, ''))),
    h('tbody', {}, list.map(run => h('tr', {'data-run': run.id}, h('td', {}, h('input', {type: 'checkbox', value: run.id, 'aria-label': `Choose ${run.id}`, onchange: picked, style: 'min-height:0'})),
      h('td', {}, run.error ? h('span', {class: 'up'}, run.error) : h('a', {href: `/run.html?id=${encodeURIComponent(run.id)}`}, run.id), remarks(run)),
      h('td', {class: 'date'}, run.modified ? date(run.modified) : ''), h('td', {}, run.gpu ?? ''), h('td', {}, run.core ?? ''), h('td', {class: 'settings'}, (run.settings ?? []).map(one => h('code', {}, one))),
      h('td', {class: 'num'}, count(run.kernels ?? 0)), h('td', {class: 'num'}, count(run.cycles ?? 0)), h('td', {class: 'num'}, count(run.warpInstructions ?? 0)),
      h('td', {class: 'num'}, h('a', {href: `/api/runs/${run.id}/report.html`}, 'report'), ' · ', h('a', {href: `/api/runs/${run.id}/result.json`}, 'JSON'), ' · ', h('a', {href: `/api/runs/${run.id}/result.csv`}, 'CSV'), ' · ',
        h('button', {class: 'quiet', 'aria-label': `Delete ${run.id}`, style: 'min-height:0;padding:0 4px', onclick: () => remove(run.id)}, '✕'))))))));
}

/** What is to be said about a result: that it is not whole, and its warnings. */
function remarks(run) {
  const warnings = run.warnings ?? [];
  return [run.unfinished && h('div', {class: 'up'}, `unfinished: ${run.unfinished}`),
    warnings.length > 0 && h('details', {class: 'small'}, h('summary', {}, warnings.length === 1 ? '1 warning' : `${warnings.length} warnings`), h('ul', {class: 'warnings'}, warnings.map(one => h('li', {}, one))))];
}

async function remove(id) {
  if (!confirm(`Delete ${id}?`)) return;
  await api(`runs/${id}`, {method: 'DELETE'});
  await loadRuns();
  loadSpace();
}

let done = null, grid = null, levels = null;

function show({simulations, uploads}) {
  jobs.update(simulations, uploads);
  const running = simulations.find(job => job.state === 'RUNNING');
  grid.update(running);
  levels.update(running);
  const ended = simulations.filter(job => !['WAITING', 'RUNNING'].includes(job.state)).map(job => job.id).join();
  if (ended !== done) {
    done = ended;
    loadRuns();
    loadSpace();
  }
}

/** A browser gives a site six connections; a page that nobody sees leaves its own to the others. */
function watch() {
  let events = null;
  const look = () => {
    if (document.hidden) {
      events?.close();
      events = null;
    } else if (!events) {
      events = new EventSource('/api/events');
      events.onmessage = event => show(JSON.parse(event.data));
    }
  };
  document.addEventListener('visibilitychange', look);
  look();
}

async function begin() {
  try {
    await loadSpace();
    core.replaceChildren(...[['', 'the GPU’s own'], ...limits.cores.map(name => [name, name])].map(([value, text]) => h('option', {value}, text)));
    for (const end of ends) {
      end.input.max = limits.run[end.key];
      end.input.placeholder = `at most ${count(limits.run[end.key])}`;
      end.input.addEventListener('input', sayEnds);
    }
    sayEnds();
    await loadGpus();
    await loadTraces();
    const reasons = await api('reasons');
    grid = new SmGrid(reasons);
    levels = new Levels(reasons);
    document.getElementById('live').replaceWith(grid.element, levels.element);
    watch();
  } catch (error) {
    message.replaceChildren(failure(error));
  }
}

begin();
