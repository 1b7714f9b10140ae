import {h, panel, restoreTheme, switchTheme, topBar, typing} from './dom.js';
import {count} from './format.js';
import {css, paletteColour, ramp, Scale, shown} from './canvas.js';
import {paretoFront, Points} from './points.js';
import {Scatter} from './scatter.js';
import {gridOf, HeatMap, Lines, steps} from './grid.js';
import {Parallel} from './parallel.js';

const CLASSES = 24, FRONT_ROWS = 200;

/**
 * Shows a study. Where a server is behind it, report(number) is the address of a point's report and simulate(number)
 * asks for one with everything recorded.
 */
export function showStudy(view, app, {home = '#app', links = null, report = null, simulate = null} = {}) {
  const points = new Points(view);
  const page = new StudyPage(points, report, simulate);
  const help = keysDialog();
  app.replaceChildren(topBar(home, links, h('span', {class: 'spacer'}), h('button', {class: 'quiet hide-small', 'aria-label': 'Keys', title: 'Keys (?)', onclick: () => help.showModal()}, '?')), h('div', {class: 'frame wide'}, page.main), help);
  document.addEventListener('keydown', event => {
    if (typing(event)) return;
    if (event.key === 't') switchTheme();
    else if (event.key === '?') help.showModal();
    else if (event.key === '/') { document.getElementById('filter').focus(); event.preventDefault(); }
    else if (event.key === 'c') page.clear();
  });
  page.update();
  return page;
}

class StudyPage {
  constructor(points, report, simulate) {
    this.points = points;
    this.report = report;
    this.simulate = simulate;
    this.marks = new Map();
    this.cell = null;
    const varied = points.changing('varied'), traces = points.has('trace') && points.columns.get('trace').same === undefined;
    this.state = {x: varied[0] ?? 'point', y: points.has('microseconds') ? 'microseconds' : 'point', colour: varied[1] ?? (traces ? 'trace' : 'core'), row: varied[1] ?? 'trace', column: varied[0] ?? 'core', value: 'microseconds', bestX: 'less', bestY: 'less', filter: '', of: traces ? 'machines' : 'points', logX: '', logY: '', ...fromHash()};
    this.message = h('div', {id: 'message', role: 'status', 'aria-live': 'polite', class: 'muted'});
    this.summary = h('div', {id: 'summary', class: 'facts', role: 'status'});
    this.detail = h('div', {id: 'point', 'aria-live': 'polite'}, h('p', {class: 'muted'}, 'Click a point, or go to the plot with Tab and to a point with the arrows.'));
    this.frontTable = h('div', {class: 'tablewrap', style: 'max-height:320px;overflow:auto'});
    this.scatter = new Scatter(() => this.drawn, i => this.pick(i), i => this.open(i));
    this.heat = new HeatMap(() => this.against, (row, column) => this.pickCell(row, column));
    this.lines = new Lines(() => this.against);
    this.parallel = new Parallel(() => this.drawn, marks => { this.marks = marks; this.update(); });
    this.legend = h('div', {id: 'legend', class: 'legend'});
    this.main = h('main', {}, this.head(), this.controls(), this.plots(), this.failures());
  }

  head() {
    const {view} = this.points;
    return h('div', {class: 'title'}, h('h1', {}, `Study ${view.study}`), this.summary,
      view.left.length > 0 && h('div', {class: 'notice', id: 'left'}, `${view.left.length} counters are not in this page, which would be too large: ${view.left.slice(0, 6).join(', ')}${view.left.length > 6 ? ' …' : ''}. “warpline results ${view.store} --csv FILE” has them.`));
  }

  choice(id, label, hint) {
    const input = h('input', {id, value: this.state[id], list: 'columns', autocomplete: 'off', spellcheck: 'false', title: hint,
      onchange: () => this.set(id, input.value.trim()), onfocus: () => input.select()});
    return h('label', {}, label, input);
  }

  option(id, label, words) {
    const select = h('select', {id, onchange: () => this.set(id, select.value)}, words.map(([value, text]) => h('option', {value, selected: this.state[id] === value}, text)));
    return h('label', {}, label, select);
  }

  tick(id, label) {
    const box = h('input', {type: 'checkbox', id, checked: this.state[id] === '1', onchange: () => this.set(id, box.checked ? '1' : '')});
    return h('label', {class: 'check'}, box, label);
  }

  controls() {
    const groups = ['varied', 'point', 'result', 'counter'];
    const hint = 'A column, or a formula over columns, e.g. sm.count * clocks.coreMHz';
    const better = [['less', 'less is better'], ['more', 'more is better'], ['none', 'no front']];
    return h('section', {class: 'panel', id: 'choices'}, h('datalist', {id: 'columns'}, groups.flatMap(group => this.points.names(group)).map(value => h('option', {value}))),
      h('div', {class: 'form'}, this.choice('x', 'Across', hint), this.choice('y', 'Upwards', hint), this.choice('colour', 'Colour', hint), this.choice('filter', 'Only points where', 'e.g. sm.count > 16 and trace ~ \'gemm\''),
        this.option('of', 'A dot is', [['points', 'a point'], ['machines', 'a machine: mean over traces']]), this.option('bestX', 'Front: across', better), this.option('bestY', 'Front: upwards', better)),
      h('div', {class: 'tools', style: 'margin-top:10px'}, this.tick('logX', 'logarithmic across'), this.tick('logY', 'logarithmic upwards'), h('button', {id: 'clear', onclick: () => this.clear()}, 'Show all again'), this.message));
  }

  plots() {
    return [h('div', {class: 'two study'},
      panel('scatter', 'Points', 'The red line joins what nothing else beats', this.scatter.element, this.legend),
      h('section', {class: 'panel', id: 'chosen'}, h('header', {}, h('h2', {}, 'Point')), this.detail)),
    panel('parallel', 'Parallel coordinates', 'Drag along an axis to filter; click it to take the filter away', this.parallel.element),
    h('section', {class: 'panel', id: 'against'}, h('header', {}, h('h2', {}, 'One against another'), h('span', {class: 'hint'}, 'A click on a cell filters')),
      h('div', {class: 'form', style: 'margin-bottom:12px'}, this.choice('row', 'Rows and lines'), this.choice('column', 'Columns and axis'), this.choice('value', 'Value')),
      h('div', {class: 'two'}, h('div', {id: 'heat'}, this.heat.element), h('div', {id: 'lines'}, this.lines.element))),
    panel('front', 'The front', 'Machines or points that no other beats', this.frontTable)];
  }

  failures() {
    const {failed} = this.points.view;
    if (!failed.length) return [];
    const row = one => h('tr', {}, h('td', {class: 'num'}, one.point), h('td', {}, one.trace), h('td', {}, `${one.gpu} ${one.core}`), h('td', {class: 'settings'}, Object.entries(one.values).map(([k, v]) => h('code', {}, `${k}=${v}`))), h('td', {}, one.message));
    return h('details', {class: 'panel', id: 'failed', open: failed.length <= 20}, h('summary', {}, `Failed points (${count(failed.length)})`), h('div', {class: 'tablewrap', style: 'max-height:320px;overflow:auto'},
      h('table', {}, h('thead', {}, h('tr', {}, h('th', {class: 'num'}, 'Point'), ['Trace', 'GPU', 'Fields', 'Why'].map(t => h('th', {}, t)))), h('tbody', {}, failed.slice(0, 500).map(row)))), failed.length > 500 && h('p', {class: 'muted'}, `and ${count(failed.length - 500)} more: warpline results ${this.points.view.store} --failed`));
  }

  set(id, value) {
    this.state[id] = value;
    if (id === 'row' || id === 'column') this.cell = null;
    this.update();
  }

  clear() {
    this.state.filter = '';
    document.getElementById('filter').value = '';
    this.cell = null;
    this.heat.cell = null;
    this.parallel.marks.clear();
    this.marks = this.parallel.marks;
    this.update();
  }

  /** Works everything out again and draws it. */
  update() {
    try {
      this.drawn = this.model();
      this.message.replaceChildren();
    } catch (error) {
      this.message.replaceChildren(h('span', {class: 'up', role: 'alert'}, error.message));
      if (!this.drawn) this.drawn = {items: [], xs: [], ys: [], shown: [], colours: [], front: [], axes: [], xLabel: '', yLabel: '', label: () => ''};
    }
    this.against = this.grid();
    toHash(this.state);
    this.scatter.chosen = this.drawn.items.findIndex(item => item.first === this.first);
    for (const plot of [this.scatter, this.parallel, this.heat, this.lines]) plot.draw();
    this.say();
  }

  model() {
    const {points, state} = this, keep = state.filter ? points.of(state.filter) : null;
    const items = points.items(state.of === 'machines', keep);
    const xs = points.values(state.x, items), ys = points.values(state.y, items), hues = points.values(state.colour, items);
    const axes = this.axisNames().map(name => ({name, values: points.values(name, items), log: name === state.y && state.logY === '1' || name === state.x && state.logX === '1'}));
    const shownItems = this.inside(items, axes);
    const colours = this.colours(hues);
    const sign = {less: 1, more: -1};
    let front = [];
    if (sign[state.bestX] && sign[state.bestY]) {
      const seen = items.map((_, i) => i).filter(i => shownItems[i]);
      front = paretoFront(seen.map(i => xs[i]), seen.map(i => ys[i]), sign[state.bestX], sign[state.bestY]).map(k => seen[k]);
    }
    return {items, xs, ys, hues, axes, colours, front, shown: shownItems, xLabel: state.x, yLabel: state.y, logX: state.logX === '1', logY: state.logY === '1', bars: this.bars(items), label: i => this.name(items[i])};
  }

  /** Intervals of results that were sampled: columns NAME.low and NAME.high beside NAME. */
  bars(items) {
    const {x, y} = this.state, both = name => this.points.has(`${name}.low`) && this.points.has(`${name}.high`);
    if (!both(x) && !both(y)) return null;
    const of = name => both(name) ? [this.points.values(`${name}.low`, items), this.points.values(`${name}.high`, items)] : [[], []];
    const [lowX, highX] = of(x), [lowY, highY] = of(y);
    return i => [lowX[i], highX[i], lowY[i], highY[i]];
  }

  axisNames() {
    const several = this.points.changing('point').filter(name => name !== 'point' && !(name === 'trace' && this.state.of === 'machines'));
    return [...new Set([...several, ...this.points.changing('varied'), this.state.x, this.state.y])].slice(0, 10);
  }

  /** Which items are inside of all brushes and of the chosen cell. */
  inside(items, axes) {
    const kept = new Array(items.length).fill(true);
    for (const {name, values, log} of axes) {
      const mark = this.marks.get(name);
      if (!mark) continue;
      const scale = new Scale(values, log);
      values.forEach((v, i) => { const p = scale.place(v); if (!(p >= mark[0] && p <= mark[1])) kept[i] = false; });
    }
    if (this.cell) {
      const [rows, columns] = [this.state.row, this.state.column].map(name => steps(this.points.values(name, items)));
      items.forEach((_, i) => { if (rows[i] !== this.cell[0] || columns[i] !== this.cell[1]) kept[i] = false; });
    }
    return kept;
  }

  colours(hues) {
    const scale = new Scale(hues), words = scale.words ?? [...new Set(hues)].filter(v => v !== null && v !== undefined).sort((a, b) => a - b);
    const dot = (colour, text) => h('span', {}, h('i', {class: 'dot', style: `background:${colour}`}), text);
    if (words.length <= 8) {
      const at = new Map(words.map((word, i) => [word, paletteColour(i)]));
      this.legend.replaceChildren(h('span', {}, `${this.state.colour}:`), ...words.map((word, i) => dot(paletteColour(i), shown(word))));
      return hues.map(v => at.get(scale.words ? String(v) : v) ?? css('--faint'));
    }
    this.legend.replaceChildren(h('span', {}, `${this.state.colour}: ${shown(scale.words ? scale.words[0] : scale.low)}`), h('i', {style: `width:90px;height:10px;border-radius:3px;background:linear-gradient(90deg,${[0, .25, .5, .75, 1].map(ramp).join(',')})`}), h('span', {}, shown(scale.words ? scale.words.at(-1) : scale.high)));
    const steps = Array.from({length: CLASSES}, (_, i) => ramp(i / (CLASSES - 1)));
    return hues.map(v => { const p = scale.place(v); return Number.isFinite(p) ? steps[Math.round(p * (CLASSES - 1))] : css('--faint'); });
  }

  grid() {
    const {items, shown: kept} = this.drawn, {row, column, value, logX, logY} = this.state;
    const seen = items.map((_, i) => i).filter(i => kept[i] || this.cell);
    try {
      const [rows, columns] = [row, column].map(name => steps(this.points.values(name, items))), values = this.points.values(value, items);
      return {grid: gridOf(seen.map(i => rows[i]), seen.map(i => columns[i]), seen.map(i => values[i])), rowLabel: row, columnLabel: column, valueLabel: value, log: logY === '1', logX: logX === '1', logY: logY === '1'};
    } catch (error) {
      this.message.replaceChildren(h('span', {class: 'up', role: 'alert'}, error.message));
      return {grid: {rowWords: [], columnWords: [], cells: [], counts: []}, rowLabel: row, columnLabel: column, valueLabel: value};
    }
  }

  pickCell(row, column) {
    const same = this.cell && this.cell[0] === row && this.cell[1] === column;
    this.cell = same ? null : [row, column];
    if (same) this.heat.cell = null;
    this.update();
  }

  name(item) {
    const {points, state} = this, words = points.changing('varied').map(field => `${field} ${shown(points.at(field, item.first))}`);
    return state.of === 'machines' ? `${points.at('gpu', item.first)} ${words.join(', ')}` : `point ${points.at('point', item.first)}: ${points.at('trace', item.first)}, ${words.join(', ')}`;
  }

  say() {
    const {view} = this.points, {items, shown: kept, front} = this.drawn, seen = kept.filter(Boolean).length;
    const dots = this.state.of === 'machines' ? 'machines' : 'points';
    this.summary.replaceChildren(...[`${count(view.points)} points of ${view.store}`, view.failed.length ? `${count(view.failed.length)} failed` : null, view.open ? `${count(view.open)} not simulated yet` : null, `${count(seen)} of ${count(items.length)} ${dots} shown`, front.length ? `${count(front.length)} on the front` : null, `Warpline ${view.build}`].filter(Boolean).map(text => h('span', {}, text)));
    const {x, y} = this.state, fields = this.points.changing('varied').filter(name => name !== x && name !== y);
    const row = i => {
      const item = this.drawn.items[i], cell = name => h('td', {class: 'num'}, shown(this.points.at(name, item.first)));
      return h('tr', {}, h('td', {}, h('button', {class: 'quiet', style: 'min-height:0;padding:0', onclick: () => this.scatter.choose(i)}, this.state.of === 'machines' ? this.points.at('gpu', item.first) : `point ${this.points.at('point', item.first)}`)), fields.map(cell), h('td', {class: 'num'}, shown(this.drawn.xs[i])), h('td', {class: 'num'}, shown(this.drawn.ys[i])));
    };
    this.frontTable.replaceChildren(front.length ? h('table', {}, h('thead', {}, h('tr', {}, h('th', {}, ''), [...fields, x, y].map(t => h('th', {class: 'num'}, t)))), h('tbody', {}, front.slice(0, FRONT_ROWS).map(row))) : h('p', {class: 'muted'}, 'No front: choose two numbers, and whether less or more of them is better.'));
  }

  pick(i) {
    this.first = i < 0 ? undefined : this.drawn.items[i].first;
    if (i < 0) {
      this.detail.replaceChildren(h('p', {class: 'muted'}, 'No point is chosen.'));
      return;
    }
    const item = this.drawn.items[i];
    this.detail.replaceChildren(...item.all.slice(0, 20).map((p, k) => this.card(p, k === 0)));
  }

  card(p, open) {
    const {points} = this, number = points.at('point', p), command = points.at('command', p);
    const pairs = names => h('div', {class: 'kv'}, names.map(name => h('div', {}, h('span', {}, name), h('span', {}, interval(points, name, p)))));
    const counters = points.names('counter').filter(name => points.at(name, p) !== null);
    return h('details', {class: 'card', open, 'data-point': number}, h('summary', {}, `Point ${number}: ${points.at('trace', p)}`),
      this.report && h('p', {class: 'tools'}, h('a', {href: this.report(number), class: 'report'}, 'Open the report'), this.simulate && h('button', {onclick: event => this.ask(event.target, number)}, 'Simulate with where the time goes')),
      pairs(['gpu', 'core', ...points.names('varied')]), h('h3', {style: 'margin-top:10px'}, 'Result'), pairs(points.names('result')),
      h('details', {class: 'small', style: 'margin-top:8px'}, h('summary', {}, `${counters.length} counters`), pairs(counters)),
      h('h3', {style: 'margin-top:10px'}, 'The same from the command line'), h('pre', {class: 'command', tabindex: 0}, command), h('button', {onclick: event => copy(event.target, command)}, 'Copy'));
  }

  open(i) {
    const number = this.points.at('point', this.drawn.items[i].first);
    if (this.report) location.href = this.report(number);
    else this.detail.querySelector('pre')?.focus();
  }

  async ask(button, number) {
    button.disabled = true;
    try {
      const address = await this.simulate(number);
      button.replaceWith(h('span', {role: 'status'}, 'Started: ', h('a', {href: address}, 'see it run')));
    } catch (error) {
      button.replaceWith(h('span', {class: 'up', role: 'alert'}, error.message));
    }
  }
}

/** A number, with its interval where it was sampled. */
function interval(points, name, p) {
  const low = points.at(`${name}.low`, p), high = points.at(`${name}.high`, p), value = shown(points.at(name, p));
  return low === null || high === null ? value : `${value} (${shown(low)} to ${shown(high)})`;
}

async function copy(button, text) {
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = 'Copied';
  } catch {
    getSelection().selectAllChildren(button.previousSibling); // a file may not write there: Ctrl-C does
    button.textContent = 'Selected';
  }
}

/** The choices are kept in the address, so that reloading and links show the same. */
function fromHash() {
  return Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
}

function toHash(state) {
  history.replaceState(null, '', `#${new URLSearchParams(Object.entries(state).filter(([, value]) => value !== ''))}`);
}

function keysDialog() {
  const keys = [['/', 'to the filter'], ['← → ↑ ↓', 'next point or cell (plot focused)'], ['Home', 'first point of the front'], ['Enter', 'open the point’s report'], ['Shift ↑ ↓', 'lower end of a filter (axis focused); without Shift the upper end'], ['Delete', 'take a filter away (axis focused)'], ['c', 'show all again'], ['t', 'light or dark']];
  const dialog = h('dialog', {'aria-label': 'Keys'}, h('h2', {}, 'Keys'), h('dl', {}, keys.map(([k, what]) => [h('dt', {}, k.split(' ').map(x => [h('kbd', {}, x), ' '])), h('dd', {}, what)])), h('button', {class: 'primary', onclick: () => dialog.close()}, 'Close'));
  return dialog;
}

restoreTheme();
const study = document.getElementById('data');
if (study) showStudy(JSON.parse(study.textContent), document.getElementById('app'));
