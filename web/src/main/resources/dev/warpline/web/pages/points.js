import {formula} from './formula.js';

/** The points of a study: columns by name, formulas over them, machines that are the means over traces. */
export class Points {
  constructor(view) {
    this.view = view;
    this.size = view.points;
    this.columns = new Map(view.columns.map(column => [column.name, column]));
    this.made = new Map();
  }

  names(group) {
    return this.view.columns.filter(column => column.group === group).map(column => column.name);
  }

  /** Columns of a group that are not the same everywhere. */
  changing(group) {
    return this.names(group).filter(name => this.columns.get(name).same === undefined);
  }

  has(name) {
    return this.columns.has(name);
  }

  /** The value of a column at a point; null if it has none. */
  at(name, i) {
    const column = this.columns.get(name);
    if (!column) return null;
    if (column.same !== undefined) return column.same;
    return column.at ? column.words[column.at[i]] : column.values[i];
  }

  read(name) {
    const column = this.columns.get(name);
    if (!column) {
      const left = this.view.left.includes(name);
      throw new Error(left ? `${name} is left out of this page, which has its size already` : `no point has “${name}”`);
    }
    if (column.same !== undefined) return () => column.same;
    const {values, words, at} = column;
    return at ? i => words[at[i]] : i => values[i];
  }

  /** A column or formula as a function of a point. */
  of(text) {
    if (!this.made.has(text)) this.made.set(text, this.columns.has(text) ? this.read(text) : formula(text, name => this.read(name)));
    return this.made.get(text);
  }

  /** Whether a column has words and not numbers. */
  wordy(text) {
    return this.columns.get(text)?.kind === 'text' || (this.size > 0 && typeof this.of(text)(0) === 'string');
  }

  get varied() {
    return this.view.varied.filter(name => this.columns.has(name));
  }

  /**
   * What is drawn: every point for itself, or the machines. Each has its points, the first for what it is.
   * A machine that lacks a trace is left out.
   */
  items(machines, keep) {
    const singles = [];
    for (let i = 0; i < this.size; i++) if (!keep || keep(i)) singles.push({first: i, all: [i]});
    if (!machines) return singles;
    const keys = ['gpu', 'core', ...this.varied].map(name => this.of(name)), trace = this.of('trace');
    const found = new Map(), traces = new Set();
    for (const {first} of singles) {
      traces.add(trace(first));
      const key = keys.map(f => f(first)).join('\u0001');
      const item = found.get(key);
      if (item) item.all.push(first); else found.set(key, {first, all: [first]});
    }
    return [...found.values()].filter(item => item.all.length >= traces.size);
  }

  /** What a formula gives for each item: its number, word, or the geometric mean over its points. */
  values(text, items) {
    const f = this.of(text);
    return items.map(item => {
      const first = f(item.first);
      if (item.all.length === 1) return first;
      return mean(item.all.map(f));
    });
  }
}

/** The geometric mean; where there is none, the arithmetic one; a word that all have. */
export function mean(all) {
  if (all.every(v => v === all[0])) return all[0];
  if (all.some(v => typeof v !== 'number')) return null;
  return all.every(v => v > 0) ? Math.exp(all.reduce((sum, v) => sum + Math.log(v), 0) / all.length) : all.reduce((sum, v) => sum + v, 0) / all.length;
}

/** Which items no other beats; signs are 1 where less is better and -1 where more is. Gives indices, the least x first. */
export function paretoFront(xs, ys, signX, signY) {
  const order = xs.map((_, i) => i).filter(i => Number.isFinite(xs[i]) && Number.isFinite(ys[i]));
  order.sort((a, b) => signX * (xs[a] - xs[b]) || signY * (ys[a] - ys[b]));
  const front = [];
  let best = Infinity, bestX = null;
  for (const i of order) {
    const y = signY * ys[i];
    if (y < best) { best = y; bestX = xs[i]; front.push(i); }
    else if (y === best && xs[i] === bestX) front.push(i); // as good in both
  }
  return front;
}
