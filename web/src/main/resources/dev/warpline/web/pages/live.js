import {h, panel, s} from './dom.js';
import {colour, percent, significant} from './format.js';

const KEPT = 120, WIDE = 120, TALL = 22;

/** How full the buffers of the running machine are, what its warps wait for, and how that went. */
export class Levels {
  constructor(reasons) {
    this.reasons = reasons;
    this.job = '';
    this.rows = new Map();
    this.body = h('tbody');
    this.waits = h('div', {class: 'legend', id: 'waits'});
    this.who = h('p', {class: 'muted', id: 'waiting', 'aria-live': 'polite', hidden: true});
    this.element = panel('levels', 'How full the machine is', 'Average since the last report', this.waits, this.who,
      h('table', {}, h('thead', {class: 'visually-hidden'}, h('tr', {}, ['Buffer or link', 'Now', 'Since the kernel began'].map(title => h('th', {scope: 'col'}, title)))), this.body));
    this.element.hidden = true;
  }

  update(job) {
    this.element.hidden = !job || !Object.keys(job.levels).length;
    if (this.element.hidden) return;
    const which = `${job.id} ${job.kernelsDone}`;
    if (which !== this.job) {
      this.job = which;
      this.rows.clear();
      this.body.replaceChildren();
    }
    if (job.cycles !== this.cycles) {
      this.cycles = job.cycles;
      this.show('instructions per cycle', job.ipc);
      for (const [name, value] of Object.entries(job.levels)) this.show(name, value);
    }
    this.waits.replaceChildren(...job.reasons.map(([reason, share]) => h('span', {}, h('i', {class: 'dot', style: `background:${colour(this.reasons[reason].key)}`}), `${this.reasons[reason].label} ${percent(share)}`)));
    this.who.hidden = !job.waiting;
    const who = job.waiting && `${job.pause ? 'Standing at' : 'Nothing was issued for a while; at'} cycle ${job.cycles}: ${job.waiting}`;
    if (this.who.textContent !== who) this.who.textContent = who;
  }

  show(name, value) {
    if (!this.rows.has(name)) {
      const line = s('polyline', {fill: 'none', stroke: 'var(--accent)', 'stroke-width': 1.4});
      const number = h('td', {class: 'num'});
      this.rows.set(name, {values: [], line, number});
      this.body.append(h('tr', {'data-level': name}, h('th', {scope: 'row', style: 'text-align:left;font-weight:normal'}, name), number,
        h('td', {}, s('svg', {width: WIDE, height: TALL, viewBox: `0 0 ${WIDE} ${TALL}`, 'aria-hidden': 'true'}, line))));
    }
    const row = this.rows.get(name);
    row.values.push(value);
    if (row.values.length > KEPT) row.values.shift();
    const most = Math.max(...row.values, 1e-9);
    row.number.textContent = significant(value);
    row.line.setAttribute('points', row.values.map((v, i) => `${WIDE * i / KEPT},${TALL - 2 - (TALL - 4) * v / most}`).join(' '));
  }
}
