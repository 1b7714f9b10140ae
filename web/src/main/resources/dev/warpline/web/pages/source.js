import {h} from './dom.js';
import {stackBar} from './charts.js';
import {colour, count, percent} from './format.js';

/** A place of a profile's table: {file, line, name, caller}, or null. */
export function placeOf(profile, index) {
  const row = profile.places?.[index];
  return row ? {file: profile.files[row[0]] ?? null, line: row[1], name: row[2], caller: row[3]} : null;
}

const baseName = path => path ? path.slice(path.lastIndexOf('/') + 1) : '';

/** A place in words, with the calls that it was inlined by. */
export function placeText(profile, index) {
  const place = placeOf(profile, index);
  if (!place) return '';
  const here = place.file ? `${baseName(place.file)}:${place.line}` : `line ${place.line}`;
  return place.caller < 0 ? here : `${here}, ${place.name ?? 'a function'} inlined at ${placeText(profile, place.caller)}`;
}

/** The program's source with what its lines cost, beside the listing. */
export class SourceView {
  /** @param choose told of the listing's lines that belong to the chosen one */
  constructor(run, profile, choose) {
    Object.assign(this, {run, profile, choose, called: false, byCost: false, chosen: null});
    this.total = 1;
    this.head = h('thead');
    this.body = h('tbody');
    this.box = h('div', {class: 'listing source', tabindex: 0, 'aria-label': 'Source lines; arrows move, Enter marks the instructions', onkeydown: e => this.key(e)}, h('table', {}, this.head, this.body));
    this.files = h('select', {'aria-label': 'Source file', onchange: () => { this.file = this.files.value; this.draw(); }});
    this.notice = h('p', {class: 'notice', hidden: true});
    const toggle = (title, hint, flip) => {
      const button = h('button', {'aria-pressed': 'false', title: hint, onclick: () => { flip(); button.setAttribute('aria-pressed', String(button.getAttribute('aria-pressed') !== 'true')); this.add(); this.draw(); }}, title);
      return button;
    };
    const inlined = profile.places.some(place => place[3] >= 0);
    this.element = h('div', {}, h('div', {class: 'tools', style: 'margin-bottom:10px'}, this.files,
      toggle('By cost', 'The most expensive lines of all files first', () => { this.byCost = !this.byCost; }),
      inlined && toggle('Where called', 'Inlined code counts where it was called, not where it is written', () => { this.called = !this.called; })), this.notice, this.box);
    this.add();
    this.file = this.best;
    this.draw();
  }

  /** The place that an instruction counts at. */
  place(line) {
    let place = placeOf(this.profile, line.at);
    while (place && this.called && place.caller >= 0) place = placeOf(this.profile, place.caller);
    return place;
  }

  /** Adds up the instructions of every line. */
  add() {
    this.costs = new Map();
    this.total = 1;
    const files = new Map();
    for (const line of this.profile.lines) {
      const place = this.place(line);
      let cycles = 0;
      for (let i = 1; i < line.stalls.length; i += 2) cycles += line.stalls[i];
      this.total += cycles;
      if (!place) continue;
      const key = `${place.file ?? ''}\n${place.line}`;
      const cost = this.costs.get(key) ?? {file: place.file, line: place.line, cycles: 0, executed: 0, sectors: 0, reasons: new Map(), pcs: []};
      cost.cycles += cycles;
      cost.executed += line.n;
      cost.sectors += line.sectors ?? 0;
      cost.pcs.push(line.pc);
      for (let i = 0; i < line.stalls.length; i += 2) cost.reasons.set(line.stalls[i], (cost.reasons.get(line.stalls[i]) ?? 0) + line.stalls[i + 1]);
      this.costs.set(key, cost);
      files.set(place.file ?? '', (files.get(place.file ?? '') ?? 0) + cycles);
    }
    const order = [...files].sort((a, b) => b[1] - a[1]);
    this.best = order[0]?.[0] ?? '';
    this.most = Math.max(1, ...[...this.costs.values()].map(cost => cost.cycles));
    this.files.replaceChildren(...order.map(([file, cycles]) => h('option', {value: file}, `${baseName(file) || 'lines without a file'} (${percent(cycles / this.total)})`)));
    if (files.has(this.file)) this.files.value = this.file;
    else this.file = this.best;
  }

  textOf(file) {
    return this.run.sources?.find(one => one.path === file);
  }

  /** Rows in the order of the file with gaps, or of their cost. */
  rows() {
    const costs = [...this.costs.values()];
    if (this.byCost) return costs.sort((a, b) => b.cycles - a.cycles);
    const own = new Map(costs.filter(cost => (cost.file ?? '') === this.file).map(cost => [cost.line, cost]));
    const numbers = new Set([...own.keys(), ...Object.keys(this.textOf(this.file)?.lines ?? {}).map(Number)]);
    const rows = [];
    let before = null;
    for (const line of [...numbers].sort((a, b) => a - b)) {
      if (before !== null && line > before + 1) rows.push(null);
      rows.push(own.get(line) ?? {file: this.file, line, cycles: 0, executed: 0, sectors: 0, reasons: new Map(), pcs: []});
      before = line;
    }
    return rows;
  }

  draw() {
    this.files.hidden = this.byCost || this.files.options.length < 2;
    const missing = (this.byCost ? [...this.files.options].map(o => o.value) : [this.file]).map(file => file && (this.textOf(file) ?? {path: file, problem: 'its text was not kept with this result'})).filter(one => one && one.problem);
    this.notice.hidden = missing.length === 0;
    this.notice.textContent = missing.map(one => `${one.path}: ${one.problem}.`).join(' ');
    this.head.replaceChildren(h('tr', {}, [['Time', 'Share of all warp-cycles', 'num'], ['Line', '', 'num'], ['Source', ''], ['Waits', 'What warps did at its instructions'], ['Executed', 'Warp instructions', 'num'], ['Sectors', '32-byte sectors asked of L1', 'num wide'], ['SASS', 'Static instructions', 'num wide']].map(([t, hint, c]) => h('th', {class: c, title: hint || null}, t))));
    this.order = [];
    this.body.replaceChildren(...this.rows().map(cost => cost ? this.row(cost) : h('tr', {}, h('td', {colspan: 7, class: 'faint'}, '⋯'))));
    this.paint();
  }

  row(cost) {
    const text = this.textOf(cost.file)?.lines[cost.line] ?? '';
    const parts = [...cost.reasons].sort((a, b) => b[1] - a[1]).map(([r, value]) => ({label: this.run.reasons[r].label, value, colour: colour(this.run.reasons[r].key)}));
    const number = this.byCost && cost.file ? `${baseName(cost.file)}:${cost.line}` : cost.line;
    const element = h('tr', {class: 'line', 'data-line': cost.line, onclick: () => this.pick(cost)},
      h('td', {class: 'heat', style: `background:rgba(var(--heat),${(.62 * Math.sqrt(cost.cycles / this.most)).toFixed(3)})`}, cost.cycles / this.total >= .0005 ? percent(cost.cycles / this.total) : ''),
      h('td', {class: 'pc num'}, String(number)), h('td', {class: 'code', title: text}, text),
      h('td', {class: 'mix'}, cost.cycles ? h('div', {style: `width:${Math.max(4, 100 * cost.cycles / this.most)}%`}, stackBar(parts, true)) : ''),
      h('td', {class: 'num'}, cost.executed ? count(cost.executed) : ''), h('td', {class: 'num wide'}, cost.sectors ? count(cost.sectors) : ''), h('td', {class: 'num wide'}, cost.pcs.length || ''));
    this.order.push({cost, element});
    return element;
  }

  paint() {
    for (const {cost, element} of this.order) element.classList.toggle('cursor', this.chosen !== null && cost.line === this.chosen.line && cost.file === this.chosen.file);
  }

  pick(cost) {
    this.chosen = cost;
    this.paint();
    this.choose(cost.pcs);
  }

  /** Marks the line of an instruction that was chosen in the listing. */
  mark(line) {
    const place = this.place(line);
    if (!place) return;
    this.chosen = place;
    if (!this.byCost && (place.file ?? '') !== this.file) {
      this.file = this.files.value = place.file ?? '';
      this.draw();
    }
    this.paint();
    const found = this.order.find(one => one.element.classList.contains('cursor'));
    if (found) this.box.scrollTo({top: found.element.offsetTop - this.box.clientHeight / 3, behavior: 'instant'});
  }

  key(event) {
    const step = {ArrowDown: 1, ArrowUp: -1}[event.key];
    const at = this.order.findIndex(one => one.element.classList.contains('cursor'));
    if (step) {
      const next = this.order[Math.max(0, Math.min(this.order.length - 1, at + step))];
      if (!next) return;
      this.chosen = next.cost;
      this.paint();
      next.element.scrollIntoView({block: 'nearest', behavior: 'instant'});
    } else if (event.key === 'Enter' && at >= 0) this.pick(this.order[at].cost);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
