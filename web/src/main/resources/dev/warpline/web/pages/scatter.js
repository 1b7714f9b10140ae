import {h, showTip} from './dom.js';
import {axes, Board, css, Scale, shown} from './canvas.js';

const RADIUS = 3.2, NEAR = 12;

/**
 * Points of two numbers. model(): {items, xs, ys, bars, colours, front, faded, xLabel, yLabel, logX, logY, label(i)};
 * pick(i) is told what was chosen, open(i) what shall open.
 */
export class Scatter {
  constructor(model, pick, open) {
    this.model = model;
    this.pick = pick;
    this.open = open;
    this.chosen = -1;
    this.board = new Board(400, 'Scatter plot', (context, width, height) => this.paint(context, width, height));
    const canvas = this.board.canvas;
    canvas.addEventListener('pointermove', event => this.hover(event));
    canvas.addEventListener('pointerleave', () => showTip(null));
    canvas.addEventListener('click', event => this.choose(this.nearest(...this.board.at(event))));
    canvas.addEventListener('dblclick', event => { const i = this.nearest(...this.board.at(event)); if (i >= 0) this.open(i); });
    canvas.addEventListener('keydown', event => this.key(event));
    this.element = h('div', {}, this.board.element);
  }

  choose(i) {
    this.chosen = i;
    this.draw();
    this.pick(i);
  }

  draw() {
    this.board.draw();
  }

  paint(context, width, height) {
    const m = this.model(), n = m.items.length;
    const drawn = m.shown;
    this.scales = [new Scale(m.xs, m.logX), new Scale(m.ys, m.logY)];
    const [sx, sy] = this.scales;
    const {x, y} = axes(context, width, height, {xs: sx, ys: sy, xLabel: m.xLabel, yLabel: m.yLabel});
    this.px = new Float64Array(n);
    this.py = new Float64Array(n);
    for (let i = 0; i < n; i++) {
      this.px[i] = x(sx.place(m.xs[i]));
      this.py[i] = y(sy.place(m.ys[i]));
    }
    const byColour = new Map();
    for (let i = 0; i < n; i++) {
      if (!Number.isFinite(this.px[i]) || !Number.isFinite(this.py[i])) continue;
      const colour = drawn[i] ? m.colours[i] : 'faded';
      if (!byColour.has(colour)) byColour.set(colour, []);
      byColour.get(colour).push(i);
    }
    const faded = byColour.get('faded') ?? [];
    byColour.delete('faded');
    context.globalAlpha = .35;
    context.fillStyle = css('--faint');
    for (const i of faded) context.fillRect(this.px[i] - 1, this.py[i] - 1, 2, 2);
    context.globalAlpha = n > 3000 ? .7 : .85;
    const few = n > 3000 ? 2.2 : RADIUS;
    for (const [colour, list] of byColour) {
      context.fillStyle = context.strokeStyle = colour;
      for (const i of list) {
        context.beginPath();
        context.arc(this.px[i], this.py[i], few, 0, 7);
        context.fill();
      }
      if (m.bars && list.length <= 2000) for (const i of list) this.bar(context, m.bars(i), sx, sy, x, y, i);
    }
    context.globalAlpha = 1;
    if (m.front.length) this.steps(context, m.front);
    if (this.chosen >= 0 && Number.isFinite(this.px[this.chosen])) {
      context.strokeStyle = css('--ink');
      context.lineWidth = 2;
      context.beginPath();
      context.arc(this.px[this.chosen], this.py[this.chosen], 7, 0, 7);
      context.stroke();
    }
  }

  /** The interval of a result that was sampled. */
  bar(context, [lowX, highX, lowY, highY], sx, sy, x, y, i) {
    context.lineWidth = 1;
    context.beginPath();
    if (Number.isFinite(lowY)) { context.moveTo(this.px[i], y(sy.place(lowY))); context.lineTo(this.px[i], y(sy.place(highY))); }
    if (Number.isFinite(lowX)) { context.moveTo(x(sx.place(lowX)), this.py[i]); context.lineTo(x(sx.place(highX)), this.py[i]); }
    context.stroke();
  }

  steps(context, front) {
    context.strokeStyle = context.fillStyle = css('--bad');
    context.lineWidth = 1.6;
    context.beginPath();
    front.forEach((i, k) => {
      if (k === 0) context.moveTo(this.px[i], this.py[i]);
      else { context.lineTo(this.px[i], this.py[front[k - 1]]); context.lineTo(this.px[i], this.py[i]); }
    });
    context.stroke();
    for (const i of front) {
      context.beginPath();
      context.arc(this.px[i], this.py[i], 5, 0, 7);
      context.fill();
    }
  }

  nearest(x, y, reach = NEAR) {
    const m = this.model();
    let best = -1, least = reach * reach;
    for (let i = 0; i < m.items.length; i++) {
      if (!m.shown[i]) continue;
      const distance = (this.px[i] - x) ** 2 + (this.py[i] - y) ** 2;
      if (distance < least) { least = distance; best = i; }
    }
    return best;
  }

  hover(event) {
    const i = this.nearest(...this.board.at(event)), m = this.model();
    this.board.canvas.style.cursor = i < 0 ? 'default' : 'pointer';
    if (i < 0) showTip(null);
    else showTip(event, h('b', {}, m.label(i)), h('div', {}, h('span', {}, m.xLabel), h('span', {}, shown(m.xs[i]))), h('div', {}, h('span', {}, m.yLabel), h('span', {}, shown(m.ys[i]))));
  }

  /** Arrows go to the next point in their direction, Home to the front, Enter opens. */
  key(event) {
    const m = this.model(), step = {ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]}[event.key];
    if (event.key === 'Enter' && this.chosen >= 0) this.open(this.chosen);
    else if (event.key === 'Home' && m.front.length) this.choose(m.front[0]);
    else if (event.key === 'Escape') this.choose(-1);
    else if (step && (this.chosen < 0 || !m.shown[this.chosen])) this.choose(this.nearest(this.board.width / 2, this.board.height / 2, 1e4));
    else if (step) {
      let best = -1, least = Infinity;
      for (let i = 0; i < m.items.length; i++) {
        if (!m.shown[i] || i === this.chosen) continue;
        const dx = this.px[i] - this.px[this.chosen], dy = this.py[i] - this.py[this.chosen];
        const along = dx * step[0] + dy * step[1], aside = Math.abs(dx * step[1]) + Math.abs(dy * step[0]);
        if (along > .5 && along + 3 * aside < least) { least = along + 3 * aside; best = i; }
      }
      if (best >= 0) this.choose(best);
    } else return;
    event.preventDefault();
  }
}
