import {h, panel} from './dom.js';
import {count, duration, percent, shortName, significant} from './format.js';
import {api, failure, frame} from './server.js';
import {SmGrid} from './sms.js';

const traces = h('select', {id: 'trace', name: 'trace'});
const gpus = h('select', {id: 'gpu', name: 'gpu'});
const core = h('select', {id: 'core', name: 'core'}, [['', 'the GPU’s own'], ['modern', 'modern'], ['classic', 'classic']].map(([value, text]) => h('option', {value}, text)));
const settings = h('input', {id: 'settings', placeholder: 'e.g. clocks.coreMHz=1500', autocomplete: 'off', spellcheck: 'false'});
const message = h('div', {id: 'message'});
const jobs = h('div', {id: 'jobs'}, h('p', {class: 'muted'}, 'Nothing is running.'));
const runs = h('div', {id: 'runs'});
const picker = h('input', {type: 'file', id: 'file', class: 'visually-hidden', onchange: () => upload(picker.files[0])});
const drop = h('label', {class: 'drop', for: 'file', tabindex: 0, onkeydown: e => { if (e.key === 'Enter') picker.click(); },
  ondragover: e => { e.preventDefault(); drop.classList.add('over'); }, ondragleave: () => drop.classList.remove('over'),
  ondrop: e => { e.preventDefault(); drop.classList.remove('over'); upload(e.dataTransfer.files[0]); }},
  'Drop a trace archive here (.tar.xz, .tar.zst, .tar.gz, .zip), or click to choose one');

frame(h('div', {class: 'title'}, h('h1', {}, 'Runs on this machine'), h('div', {class: 'facts'}, 'Simulate a traced program, watch it, and see where its time goes.')),
  h('div', {class: 'two'},
    panel('new', 'New run', null, h('form', {style: 'display:grid;gap:12px', onsubmit: start}, drop, picker,
      h('div', {class: 'form'}, h('label', {}, 'Trace', traces), h('label', {}, 'GPU', gpus), h('label', {}, 'Core', core), h('label', {style: 'grid-column:1/-1'}, 'Settings, separated by spaces', settings)),
      h('div', {class: 'tools'}, h('button', {class: 'primary', id: 'start'}, 'Simulate'), message))),
    panel('running', 'Running', null, jobs)),
  h('div', {id: 'live'}),
  panel('stored', 'Results', 'Choose two to compare', runs));

async function upload(file) {
  if (!file) return;
  say(`Uploading ${file.name} …`);
  try {
    const {trace} = await api(`traces/${encodeURIComponent(file.name)}`, {method: 'PUT', body: file});
    await loadTraces(trace);
    say(`${trace} is here.`);
  } catch (error) {
    message.replaceChildren(failure(error));
  }
}

function say(text) {
  message.replaceChildren(h('span', {class: 'muted', role: 'status'}, text));
}

async function start(event) {
  event.preventDefault();
  try {
    await api('simulations', {method: 'POST', headers: {'Content-Type': 'application/json'},
      body: JSON.stringify({trace: traces.value, gpu: gpus.value, core: core.value, settings: settings.value.split(/\s+/).filter(Boolean)})});
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
  runs.replaceChildren(h('div', {class: 'tools', style: 'margin-bottom:8px'}, compare), h('div', {class: 'tablewrap'}, h('table', {}, h('thead', {}, h('tr', {}, ['', 'Run', 'GPU', 'Core'].map(t => h('th', {}, t)), ['Kernels', 'Cycles', 'Warp instructions'].map(t => h('th', {class: 'num'}, t)), h('th', {}, ''))),
    h('tbody', {}, list.map(run => h('tr', {'data-run': run.id}, h('td', {}, h('input', {type: 'checkbox', value: run.id, 'aria-label': `Choose ${run.id}`, onchange: picked, style: 'min-height:0'})),
      h('td', {}, run.error ? h('span', {class: 'up'}, run.error) : h('a', {href: `/run.html?id=${encodeURIComponent(run.id)}`}, run.id)), h('td', {}, run.gpu ?? ''), h('td', {}, run.core ?? ''),
      h('td', {class: 'num'}, count(run.kernels ?? 0)), h('td', {class: 'num'}, count(run.cycles ?? 0)), h('td', {class: 'num'}, count(run.warpInstructions ?? 0)),
      h('td', {class: 'num'}, h('a', {href: `/api/runs/${run.id}/report.html`}, 'report'), ' · ', h('a', {href: `/api/runs/${run.id}/result.json`}, 'JSON'), ' · ', h('a', {href: `/api/runs/${run.id}/result.csv`}, 'CSV'), ' · ',
        h('button', {class: 'quiet', 'aria-label': `Delete ${run.id}`, style: 'min-height:0;padding:0 4px', onclick: () => remove(run.id)}, '✕'))))))));
}

async function remove(id) {
  if (!confirm(`Delete ${id}?`)) return;
  await api(`runs/${id}`, {method: 'DELETE'});
  await loadRuns();
}

let done = null, grid = null;

function showJobs(list) {
  if (list.length) jobs.replaceChildren(...list.slice(0, 6).map(jobView));
  grid.update(list.find(job => job.state === 'RUNNING'));
  const finished = list.filter(job => job.state === 'DONE').map(job => job.id).join();
  if (finished !== done) {
    done = finished;
    loadRuns();
  }
}

function jobView(job) {
  const running = job.state === 'RUNNING', open = running || job.state === 'WAITING';
  const share = job.blocks ? job.blocksDone / job.blocks : 0;
  const words = {WAITING: 'waiting', RUNNING: 'running', DONE: 'done', FAILED: 'failed', CANCELLED: 'cancelled'};
  return h('div', {class: 'job', 'data-job': job.id, 'data-state': job.state},
    h('div', {class: 'row'}, h('span', {class: `badge ${words[job.state]}`}, words[job.state]), job.state === 'DONE' ? h('a', {href: `/run.html?id=${encodeURIComponent(job.id)}`}, h('strong', {}, job.trace)) : h('strong', {}, job.trace), h('span', {class: 'muted'}, [job.gpu, job.core, ...job.settings].filter(Boolean).join(' · ')),
      h('span', {style: 'flex:1'}), h('span', {class: 'faint'}, duration(job.seconds)), open && h('button', {onclick: () => api(`simulations/${job.id}`, {method: 'DELETE'})}, 'Cancel')),
    running && h('div', {class: 'progress', role: 'progressbar', 'aria-valuenow': Math.round(100 * share), 'aria-valuemin': 0, 'aria-valuemax': 100}, h('i', {style: `width:${100 * share}%`})),
    running && h('div', {class: 'muted'}, `${shortName(job.kernel) || 'reading the trace'} · ${count(job.blocksDone)} of ${count(job.blocks)} blocks (${percent(share)}) · cycle ${count(job.cycles)} · IPC ${significant(job.ipc)} · ${count(job.warpInstructions)} warp instructions · ${count(job.kernelsDone)} kernels done`),
    job.message && h('div', {class: 'up'}, job.message));
}

async function begin() {
  try {
    const names = await api('gpus');
    gpus.replaceChildren(...names.map(name => h('option', {value: name, selected: name === 'h200'}, name)));
    await loadTraces();
    grid = new SmGrid(await api('reasons'));
    document.getElementById('live').replaceWith(grid.element);
    new EventSource('/api/events').onmessage = event => showJobs(JSON.parse(event.data));
  } catch (error) {
    message.replaceChildren(failure(error));
  }
}

begin();
