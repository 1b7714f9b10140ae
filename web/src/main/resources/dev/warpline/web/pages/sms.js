import {h, panel, showTip} from './dom.js';
import {colour, count, percent, significant} from './format.js';

const MODES = [['reason', 'What warps wait for'], ['ipc', 'IPC'], ['warps', 'Resident warps']];
const [BLOCKS, WARPS, IPC, REASON, SHARE] = [0, 1, 2, 3, 4];

const lowerFirst = text => text[0].toLowerCase() + text.slice(1);

/** A cell per SM that shows what it does at the moment. Arrow keys move from SM to SM. */
export class SmGrid {
  constructor(reasons) {
    this.reasons = reasons;
    this.mode = 'reason';
    this.cursor = -1;
    this.sms = [];
    this.cells = h('div', {class: 'smgrid', tabindex: 0, role: 'group', 'aria-label': 'SMs; arrow keys choose one', onkeydown: e => this.key(e), onpointermove: e => this.hover(e), onpointerleave: () => showTip(null)});
    this.detail = h('p', {class: 'muted smdetail', 'aria-live': 'polite'});
    this.legend = h('div', {class: 'legend'});
    this.buttons = MODES.map(([mode, title]) => h('button', {'aria-pressed': String(mode === this.mode), 'data-mode': mode, onclick: () => this.show(mode)}, title));
    this.element = panel('sms', 'What the SMs do now', 'Since the last report, a few times a second', this.cells, this.detail, this.legend);
    this.element.querySelector('header').append(h('span', {class: 'spacer'}), h('div', {class: 'tools'}, this.buttons));
    this.element.hidden = true;
  }

  /** The latest states; an empty list keeps the last ones until the run is over. */
  update(job) {
    this.element.hidden = !job || (!job.sms.length && !this.sms.length);
    if (!job) this.sms = [];
    if (!job?.sms.length) return;
    this.sms = job.sms;
    if (this.cells.children.length !== this.sms.length) this.cells.replaceChildren(...this.sms.map((one, sm) => h('span', {class: 'smcell', 'data-sm': sm}, String(sm))));
    this.draw();
  }

  show(mode) {
    this.mode = mode;
    for (const button of this.buttons) button.setAttribute('aria-pressed', String(button.dataset.mode === mode));
    this.draw();
  }

  draw() {
    const most = Math.max(...this.sms.map(one => one[this.mode === 'ipc' ? IPC : WARPS]), this.mode === 'ipc' ? .01 : 1);
    this.sms.forEach((one, sm) => {
      const cell = this.cells.children[sm];
      const byReason = this.mode === 'reason';
      const strength = one[WARPS] === 0 ? 0 : byReason ? .25 + .75 * one[SHARE] : one[this.mode === 'ipc' ? IPC : WARPS] / most;
      cell.style.setProperty('--cell', byReason && one[REASON] >= 0 ? colour(this.reasons[one[REASON]].key) : 'rgb(var(--heat))');
      cell.style.setProperty('--strength', `${Math.round(100 * strength)}%`);
      cell.dataset.state = one.join(' ');
      cell.classList.toggle('chosen', sm === this.cursor);
    });
    this.detail.textContent = this.cursor >= 0 && this.sms[this.cursor] ? this.words(this.cursor) : this.summary();
    this.legend.replaceChildren(...(this.mode === 'reason' ? this.reasonLegend() : [h('span', {}, h('i', {class: 'ramp'}), `0 to ${significant(most)} ${this.mode === 'ipc' ? 'warp instructions per cycle' : 'warps'}`)]));
  }

  words(sm) {
    const one = this.sms[sm];
    if (one[WARPS] === 0) return `SM ${sm}: nothing resident.`;
    const wait = one[REASON] < 0 ? '' : ` Warps spend most of their time, ${percent(one[SHARE])}, in “${lowerFirst(this.reasons[one[REASON]].label)}”.`;
    return `SM ${sm}: ${count(one[BLOCKS])} blocks, ${count(one[WARPS])} warps, IPC ${significant(one[IPC])}.${wait}`;
  }

  summary() {
    const busy = this.sms.filter(one => one[WARPS] > 0);
    const ipc = busy.reduce((sum, one) => sum + one[IPC], 0) / (busy.length || 1);
    return `${count(busy.length)} of ${count(this.sms.length)} SMs have work; ${significant(ipc)} instructions per cycle and busy SM.`;
  }

  reasonLegend() {
    const counts = new Map();
    for (const one of this.sms) if (one[WARPS] > 0 && one[REASON] >= 0) counts.set(one[REASON], (counts.get(one[REASON]) ?? 0) + 1);
    return [...counts].sort((a, b) => b[1] - a[1]).map(([reason, sms]) => h('span', {}, h('i', {class: 'dot', style: `background:${colour(this.reasons[reason].key)}`}), `${this.reasons[reason].label}: ${count(sms)} ${sms === 1 ? 'SM' : 'SMs'}`));
  }

  hover(event) {
    const sm = event.target.dataset?.sm;
    if (sm === undefined) showTip(null);
    else showTip(event, this.words(Number(sm)));
  }

  key(event) {
    const perRow = getComputedStyle(this.cells).gridTemplateColumns.split(' ').length;
    const step = {ArrowRight: 1, ArrowLeft: -1, ArrowDown: perRow, ArrowUp: -perRow}[event.key];
    if (event.key === 'Escape') this.cursor = -1;
    else if (step) this.cursor = Math.max(0, Math.min(this.sms.length - 1, this.cursor < 0 ? 0 : this.cursor + step));
    else return;
    event.preventDefault();
    this.draw();
  }
}
