import {h, tipped} from './dom.js';
import {stackBar} from './charts.js';
import {bytes, colour, count, hex, percent, significant} from './format.js';
import {placeOf, placeText} from './source.js';
import {waitsFor} from './code.js';

const PAGE = 600;

/** Warp-cycles of a line by reason index, largest first. */
function stallsOf(line, reasons) {
  const list = [];
  for (let i = 0; i < line.stalls.length; i += 2) list.push({reason: reasons[line.stalls[i]], cycles: line.stalls[i + 1]});
  return list.sort((a, b) => b.cycles - a.cycles);
}

function opClass(line) {
  if (line.space) return 'op memory';
  if (line.kind === 'TENSOR') return 'op matrix';
  return /(^|\s)(BRA|BRX|BAR|EXIT|CALL|RET|BSSY|BSYNC|WARPSYNC|MEMBAR|DEPBAR|LDGDEPBAR|SYNCS|s_(cbranch|branch|barrier|endpgm|waitcnt)\w*)/.test(line.text) ? 'op control' : 'op';
}

function codeText(line) {
  const m = /^(@!?U?P\w+\s+)?(\S+)(.*)$/s.exec(line.text) ?? [null, '', line.text, ''];
  return [m[1] && h('span', {class: 'pred'}, m[1]), h('span', {class: opClass(line)}, m[2]), m[3]];
}

/** The listing of a kernel: sortable, searchable, every line opens to its waits and its memory behaviour. */
export class Listing {
  constructor(profile, reasons, profiler, joules, other) {
    this.other = other;
    this.joules = joules;
    this.profile = profile;
    this.onChoice = () => {};
    this.marked = new Set();
    this.allJoules = Object.values(joules ?? {}).reduce((sum, one) => sum + one, 0) || 1;
    this.reasons = reasons;
    this.profiler = profiler;
    this.total = profile.lines.reduce((sum, line) => sum + sumStalls(line), 0) || 1;
    this.rows = profile.lines.map((line, index) => ({line, index, cycles: sumStalls(line), open: false}));
    this.hottest = [...this.rows].sort((a, b) => b.cycles - a.cycles);
    this.heatMax = this.hottest[0]?.cycles || 1;
    this.sort = {key: 'pc', down: false};
    this.filter = '';
    this.limit = PAGE;
    this.cursor = null;
    this.hasSource = this.rows.some(r => r.line.at !== undefined);
    this.body = h('tbody');
    this.head = h('thead');
    this.search = h('input', {type: 'search', placeholder: 'Filter instructions  /', 'aria-label': 'Filter instructions', oninput: () => { this.filter = this.search.value; this.limit = PAGE; this.draw(); }});
    this.note = h('span', {class: 'faint'});
    this.box = h('div', {class: 'listing', tabindex: 0}, h('table', {}, this.head, this.body));
    this.element = h('div', {}, h('div', {class: 'tools', style: 'margin-bottom:10px'}, this.search,
      h('button', {onclick: () => this.nextHot(1), title: 'Next hottest line (n)'}, 'Next hot ', h('kbd', {}, 'n')),
      h('button', {onclick: () => this.nextHot(-1), title: 'Previous hottest line (p)'}, 'Previous ', h('kbd', {}, 'p')), this.note), this.box);
    this.draw();
  }

  columns() {
    const ratio = (a, b) => b ? a / b : -1;
    return [
      {key: 'heat', title: 'Time', hint: 'Share of all warp-cycles spent at this line', num: true, value: r => r.cycles},
      {key: 'pc', title: 'PC', value: r => r.line.pc},
      this.hasSource && {key: 'source', title: 'Line', hint: 'Source line', num: true, wide: true, value: r => placeOf(this.profile, r.line.at)?.line ?? 0},
      {key: 'text', title: 'Instruction', value: r => r.line.text},
      {key: 'mix', title: 'Waits', hint: 'What warps did at this line', value: r => r.cycles},
      this.other && {key: 'there', title: 'There', hint: `Warp-cycles in ${this.other.title}`, num: true, wide: true, value: r => this.there(r) ?? -1},
      this.other && {key: 'change', title: 'Change', hint: this.other.before ? `Warp-cycles more than in ${this.other.title}` : `Warp-cycles more with ${this.other.title}`, num: true, value: r => Math.abs(this.difference(r))},
      {key: 'n', title: 'Executed', hint: 'Warp instructions', num: true, wide: true, value: r => r.line.n},
      this.joules && {key: 'energy', title: 'Energy', hint: 'Share of the energy of all instructions, idle power left out', num: true, wide: true, value: r => this.joules[r.line.pc] ?? 0},
      {key: 'per', title: 'Cycles', hint: 'Warp-cycles per execution', num: true, value: r => ratio(r.cycles, r.line.n)},
      {key: 'lanes', title: 'Lanes', hint: 'Active lanes per execution', num: true, wide: true, value: r => ratio(r.line.lanes ?? 0, r.line.n)},
      {key: 'sectors', title: 'Sectors/req', hint: '32-byte sectors per memory request', num: true, wide: true, value: r => ratio(r.line.sectors ?? 0, r.line.requests)},
      {key: 'hit', title: 'L1 hit', hint: 'Sectors found in L1', num: true, wide: true, value: r => ratio(r.line.l1 ?? 0, r.line.sectors)},
    ].filter(Boolean);
  }

  shown() {
    const wanted = this.filter.toLowerCase();
    const rows = this.rows.filter(r => !wanted || r.line.text.toLowerCase().includes(wanted) || hex(r.line.pc).includes(wanted));
    const {value} = this.columns().find(c => c.key === this.sort.key);
    const sign = this.sort.down ? -1 : 1;
    return rows.sort((a, b) => { const x = value(a), y = value(b); return sign * (x < y ? -1 : x > y ? 1 : 0) || a.index - b.index; });
  }

  draw() {
    const columns = this.columns();
    this.head.replaceChildren(h('tr', {}, columns.map(c => h('th', {class: [c.num && 'num', c.wide && 'wide'].filter(Boolean).join(' '), 'data-key': c.key, title: c.hint, 'aria-sort': this.sort.key === c.key ? (this.sort.down ? 'descending' : 'ascending') : null},
      h('button', {onclick: () => this.sortBy(c.key)}, c.title)))));
    const rows = this.shown();
    this.order = rows;
    this.note.textContent = rows.length === this.rows.length ? `${count(rows.length)} instructions` : `${count(rows.length)} of ${count(this.rows.length)} instructions`;
    const children = [];
    for (const row of rows.slice(0, this.limit)) {
      children.push(row.element = this.lineRow(row));
      if (row.open) children.push(this.detailRow(row, columns.length));
    }
    if (rows.length > this.limit) children.push(h('tr', {}, h('td', {colspan: columns.length}, h('button', {onclick: () => { this.limit += 4 * PAGE; this.draw(); }}, `Show more (${count(rows.length - this.limit)} left)`))));
    this.body.replaceChildren(...children);
  }

  sortBy(key) {
    const first = key !== 'pc' && key !== 'text';
    this.sort = {key, down: this.sort.key === key ? !this.sort.down : first};
    this.draw();
    this.box.scrollTop = 0;
  }

  lineRow(row) {
    const {line, cycles} = row;
    const share = cycles / this.total, heat = Math.sqrt(cycles / this.heatMax);
    const parts = stallsOf(line, this.reasons).map(one => ({label: one.reason.label, value: one.cycles, colour: colour(one.reason.key)}));
    return h('tr', {class: `line${row === this.cursor ? ' cursor' : ''}${this.marked.has(line.pc) ? ' marked' : ''}`, 'data-pc': line.pc, 'aria-expanded': String(row.open), onclick: () => { this.cursor = row; this.onChoice(line); this.toggle(row); }},
      h('td', {class: 'heat', style: `background:rgba(var(--heat),${(.62 * heat).toFixed(3)})`}, share >= .0005 ? percent(share) : ''),
      h('td', {class: 'pc'}, hex(line.pc)),
      this.hasSource && h('td', {class: 'num wide faint'}, placeOf(this.profile, line.at)?.line ?? ''),
      h('td', {class: 'code', title: line.text}, codeText(line)),
      h('td', {class: 'mix'}, cycles ? h('div', {style: `width:${Math.max(4, 100 * cycles / this.heatMax)}%`}, stackBar(parts, true)) : ''),
      this.other && this.comparedCells(row),
      h('td', {class: 'num wide'}, count(line.n)),
      this.joules && h('td', {class: 'num wide'}, percent((this.joules[line.pc] ?? 0) / this.allJoules)),
      h('td', {class: 'num'}, line.n ? significant(cycles / line.n) : ''),
      h('td', {class: 'num wide'}, line.n ? significant((line.lanes ?? 0) / line.n) : ''),
      h('td', {class: 'num wide'}, line.requests && line.sectors ? significant(line.sectors / line.requests) : ''),
      h('td', {class: 'num wide'}, line.sectors ? percent((line.l1 ?? 0) / line.sectors) : ''));
  }

  /** Warp-cycles at the counterpart of a line, null if it has none. */
  there(row) {
    return this.other.lines[row.index]?.[1] ?? null;
  }

  /** From the earlier run to the later. */
  difference(row) {
    return (row.cycles - (this.there(row) ?? 0)) * (this.other.before ? 1 : -1);
  }

  comparedCells(row) {
    const there = this.there(row), more = this.difference(row);
    return [h('td', {class: 'num wide'}, there === null ? 'new' : count(there)), h('td', {class: 'num'}, more ? h('span', {class: more > 0 ? 'up' : 'down'}, (more > 0 ? '+' : '−') + count(Math.abs(more))) : '=')];
  }

  detailRow(row, span) {
    const {line} = row;
    const stalls = stallsOf(line, this.reasons);
    const worst = stalls[0]?.cycles || 1;
    const waits = h('div', {}, h('h3', {}, 'What warps do here'), stalls.slice(0, 8).map(one => h('div', {class: 'state', ...tipped(one.reason.explanation)},
      h('i', {class: 'dot', style: `background:${colour(one.reason.key)}`}), h('span', {}, one.reason.label), h('span', {class: 'track'}, h('i', {style: `width:${100 * one.cycles / worst}%;background:${colour(one.reason.key)}`})),
      h('span', {class: 'num'}, percent(one.cycles / row.cycles)), h('span', {class: 'num cycles muted'}, count(one.cycles)), h('span', {class: 'nsight'}, one.reason[this.profiler] ?? ''))));
    return h('tr', {class: 'detail'}, h('td', {colspan: span}, h('div', {class: 'mono', style: 'margin-bottom:10px;overflow-wrap:anywhere'}, line.text), this.originOf(line), waitsFor(line, this.profile, pc => this.show(pc)), h('div', {class: 'two'}, waits, this.memoryOf(line))));
  }

  /** Where an instruction comes from: source and PTX, as far as they are known. */
  originOf(line) {
    return line.at !== undefined && h('dl', {class: 'from'}, h('dt', {}, 'Source'), h('dd', {}, placeText(this.profile, line.at)), line.ptx && [h('dt', {}, 'PTX'), h('dd', {class: 'mono'}, line.ptx)]);
  }

  memoryOf(line) {
    if (!line.requests) return h('div', {}, h('h3', {}, 'Execution'), h('dl', {}, h('dt', {}, 'Executed'), h('dd', {}, `${count(line.n)} warp instructions`), h('dt', {}, 'Active lanes'), h('dd', {}, line.n ? significant((line.lanes ?? 0) / line.n) : '–'), line.flops && [h('dt', {}, 'Operations'), h('dd', {}, `${count(line.flops)} flop`)]));
    const sectors = line.sectors ?? 0, perRequest = sectors / line.requests, needed = Math.max(1, (line.lanes ?? 0) / (line.n || 1) * (line.bytes ?? 4) / 32);
    const levels = [{label: 'L1', value: line.l1 ?? 0, colour: colour('l1_hit')}, {label: 'L2', value: line.l2 ?? 0, colour: colour('l2_hit')}, {label: 'DRAM', value: line.dram ?? 0, colour: colour('dram')}].filter(l => l.value);
    const answered = levels.reduce((sum, l) => sum + l.value, 0);
    return h('div', {class: 'memory'}, h('h3', {}, 'Memory behaviour'), h('dl', {},
      h('dt', {}, 'Space'), h('dd', {}, `${line.space ?? 'memory'}, ${line.bytes ?? 4} bytes per lane`),
      h('dt', {}, 'Requests'), h('dd', {}, count(line.requests)),
      sectors > 0 && [h('dt', {}, 'Sectors per request'), h('dd', {}, significant(perRequest), h('span', {class: 'faint'}, ` · ${significant(needed)} would do · ${percent(Math.min(1, needed / perRequest))} efficient`)),
        h('dt', {}, 'Bytes moved'), h('dd', {}, bytes(32 * sectors))],
      line.conflicts && [h('dt', {}, 'Bank conflicts'), h('dd', {}, `${significant(line.conflicts / line.requests)} extra passes per request`)]),
      answered > 0 && h('div', {style: 'margin-top:8px'}, stackBarOf(levels, answered)));
  }

  toggle(row) {
    row.open = !row.open;
    this.draw();
  }

  /** Brings a PC into view, opens it and puts the cursor there. */
  show(pc) {
    const row = this.rows.find(r => r.line.pc === pc);
    if (!row) return;
    if (!this.order.includes(row)) { this.search.value = this.filter = ''; this.order = this.shown(); }
    this.limit = Math.max(this.limit, this.order.indexOf(row) + 20);
    row.open = true;
    this.cursor = row;
    this.draw();
    this.reveal(row);
  }

  reveal(row) {
    const top = row.element.offsetTop - this.box.clientHeight / 3;
    this.box.scrollTo({top, behavior: 'instant'});
    const place = row.element.getBoundingClientRect();
    if (place.top < 70 || place.bottom > innerHeight - 20) row.element.scrollIntoView({block: 'center', behavior: 'instant'});
  }

  /** Marks the instructions of a source line and shows the first. */
  mark(pcs) {
    this.marked = new Set(pcs);
    this.search.value = this.filter = '';
    this.draw();
    const first = this.order.find(row => this.marked.has(row.line.pc));
    if (!first) return;
    this.limit = Math.max(this.limit, this.order.indexOf(first) + 20);
    this.draw();
    this.box.scrollTo({top: first.element.offsetTop - this.box.clientHeight / 3, behavior: 'instant'});
  }

  nextHot(step) {
    const at = this.hottest.indexOf(this.cursor);
    const next = this.hottest[at < 0 ? 0 : (at + step + this.hottest.length) % this.hottest.length];
    if (this.cursor) this.cursor.open = false;
    if (next) {
      this.show(next.line.pc);
      this.onChoice(next.line);
    }
  }

  move(step) {
    const at = this.order.indexOf(this.cursor);
    const row = this.order[Math.max(0, Math.min(this.order.length - 1, at + step))];
    if (!row) return;
    this.cursor = row;
    this.onChoice(row.line);
    this.limit = Math.max(this.limit, this.order.indexOf(row) + 20);
    this.draw();
    const {offsetTop} = row.element;
    if (offsetTop < this.box.scrollTop + 40 || offsetTop > this.box.scrollTop + this.box.clientHeight - 60) this.reveal(row);
  }

  key(event) {
    if (event.key === 'n') this.nextHot(1);
    else if (event.key === 'p') this.nextHot(-1);
    else if (event.key === 'j' || event.key === 'ArrowDown' && event.target === this.box) this.move(1);
    else if (event.key === 'k' || event.key === 'ArrowUp' && event.target === this.box) this.move(-1);
    else if (event.key === 'Enter' && this.cursor && event.target === this.box) this.toggle(this.cursor);
    else if (event.key === '/') this.search.focus();
    else return;
    event.preventDefault();
  }
}

export function sumStalls(line) {
  let sum = 0;
  for (let i = 1; i < line.stalls.length; i += 2) sum += line.stalls[i];
  return sum;
}

function stackBarOf(levels, total) {
  return [h('div', {class: 'stack', style: 'height:14px'}, levels.map(l => h('span', {style: `flex:${l.value};background:${l.colour}`}))),
    h('div', {class: 'legend'}, levels.map(l => h('span', {}, h('i', {class: 'dot', style: `background:${l.colour}`}), `${l.label} ${percent(l.value / total)}`)))];
}
