import {h} from './dom.js';
import {Board, css, fitted, Scale, shown} from './canvas.js';

const TOP = 40, BOTTOM = 26, EDGE = 46;

/**
 * Parallel coordinates: an axis per column, a line per item. A part of an axis that is dragged over, or marked with
 * the keys, is a brush: brushes(Map of column to [low, high] as places) is told of each change.
 * model(): {items, axes: [{name, values, log}], colours, shown}
 */
export class Parallel {
  constructor(model, brushes) {
    this.model = model;
    this.told = brushes;
    this.marks = new Map();
    this.drag = null;
    this.board = new Board(300, 'Parallel coordinates', (context, width, height) => this.paint(context, width, height));
    this.board.canvas.tabIndex = -1;
    this.board.canvas.style.touchAction = 'none';
    this.handles = h('div', {});
    this.board.element.append(this.handles);
    const canvas = this.board.canvas;
    canvas.addEventListener('pointerdown', event => this.begin(event));
    canvas.addEventListener('pointermove', event => this.move(event));
    canvas.addEventListener('pointerup', () => { this.drag = null; });
    this.element = this.board.element;
  }

  draw() {
    this.board.draw();
  }

  scale(name) {
    const axis = this.model().axes.find(one => one.name === name);
    return axis && new Scale(axis.values, axis.log);
  }

  clear() {
    this.marks.clear();
    this.told(this.marks);
  }

  mark(name, range) {
    if (range) this.marks.set(name, range); else this.marks.delete(name);
    this.told(this.marks);
  }

  place(y) {
    return Math.max(0, Math.min(1, (this.board.height - BOTTOM - y) / (this.board.height - BOTTOM - TOP)));
  }

  begin(event) {
    const [x, y] = this.board.at(event), axes = this.model().axes;
    let best = -1;
    axes.forEach((_, a) => { if (Math.abs(this.x(a) - x) < 24 && (best < 0 || Math.abs(this.x(a) - x) < Math.abs(this.x(best) - x))) best = a; });
    if (best < 0) return;
    this.drag = {name: axes[best].name, from: this.place(y), moved: false};
    this.board.canvas.setPointerCapture(event.pointerId);
    this.mark(this.drag.name, null);
  }

  move(event) {
    if (!this.drag) return;
    const [, y] = this.board.at(event), to = this.place(y);
    if (Math.abs(to - this.drag.from) < .01) return;
    this.mark(this.drag.name, [Math.min(this.drag.from, to) - 1e-9, Math.max(this.drag.from, to) + 1e-9]);
  }

  /** Up and Down move the upper end of a brush, with Shift the lower one; Delete takes it away. */
  key(event, name) {
    const [low, high] = this.marks.get(name) ?? [0, 1], scale = this.scale(name);
    const step = scale.words ? 1 / Math.max(1, scale.words.length - 1) : .05;
    const up = event.key === 'ArrowUp' ? step : event.key === 'ArrowDown' ? -step : 0;
    if (up && event.shiftKey) this.mark(name, [Math.max(0, Math.min(high, low + up)) - 1e-9, high]);
    else if (up) this.mark(name, [low, Math.min(1, Math.max(low, high + up)) + 1e-9]);
    else if (event.key === 'Delete' || event.key === 'Backspace' || event.key === 'Escape') this.mark(name, null);
    else return;
    event.preventDefault();
  }

  x(a) {
    const n = this.model().axes.length;
    return n === 1 ? this.board.width / 2 : EDGE + a * (this.board.width - 2 * EDGE) / (n - 1);
  }

  paint(context, width, height) {
    const {items, axes, colours, shown: kept} = this.model();
    const y = p => height - BOTTOM - p * (height - BOTTOM - TOP);
    const scales = axes.map(axis => new Scale(axis.values, axis.log));
    const ys = axes.map((axis, a) => Int16Array.from(axis.values, v => { const p = scales[a].place(v); return Number.isFinite(p) ? Math.round(y(p)) : -1; }));
    this.lines(context, items.length, axes, ys, () => css('--faint'), i => !kept[i], .18);
    this.lines(context, items.length, axes, ys, i => colours[i], i => kept[i], items.length > 500 ? .45 : .7);
    context.globalAlpha = 1;
    context.textBaseline = 'middle';
    axes.forEach((axis, a) => {
      const at = this.x(a), brush = this.marks.get(axis.name);
      context.strokeStyle = css('--soft');
      context.lineWidth = 1;
      context.beginPath();
      context.moveTo(at, y(0));
      context.lineTo(at, y(1));
      context.stroke();
      if (brush) {
        context.globalAlpha = .35;
        context.fillStyle = css('--accent');
        context.fillRect(at - 8, y(brush[1]), 16, Math.max(2, y(brush[0]) - y(brush[1])));
        context.globalAlpha = 1;
      }
      context.fillStyle = css('--soft');
      context.textAlign = 'center';
      const room = width / axes.length - 6;
      context.fillText(fitted(context, shown(scales[a].words ? scales[a].words.at(-1) : Number(scales[a].high.toPrecision(4))), room), at, TOP - 10);
      context.fillText(fitted(context, shown(scales[a].words ? scales[a].words[0] : Number(scales[a].low.toPrecision(4))), room), at, height - 12);
      context.fillStyle = css('--ink');
      context.fillText(fitted(context, axis.name, room), at, 10 + (a % 2 && width < 700 ? 10 : 0));
    });
    this.placeHandles(axes, scales);
  }

  /** Lines that fall onto each other are drawn once: thousands of points on a grid are few lines. */
  lines(context, n, axes, ys, colour, wanted, alpha) {
    context.globalAlpha = alpha;
    context.lineWidth = 1;
    for (let a = 0; a + 1 < axes.length; a++) {
      const seen = new Map(), x1 = this.x(a), x2 = this.x(a + 1);
      for (let i = 0; i < n; i++) {
        const y1 = ys[a][i], y2 = ys[a + 1][i];
        if (!wanted(i) || y1 < 0 || y2 < 0) continue;
        const c = colour(i);
        if (!seen.has(c)) seen.set(c, new Set());
        seen.get(c).add(y1 * 4096 + y2);
      }
      for (const [c, keys] of seen) {
        context.strokeStyle = c;
        context.beginPath();
        for (const key of keys) {
          context.moveTo(x1, Math.floor(key / 4096));
          context.lineTo(x2, key % 4096);
        }
        context.stroke();
      }
    }
  }

  /** What the keyboard and a screen reader have of an axis. */
  placeHandles(axes, scales) {
    const wanted = axes.map(axis => axis.name).join('\u0001');
    if (this.names !== wanted) {
      this.names = wanted;
      this.handles.replaceChildren(...axes.map(axis => h('div', {class: 'brushed', role: 'slider', tabindex: 0, 'data-axis': axis.name, onkeydown: event => this.key(event, axis.name)})));
    }
    [...this.handles.children].forEach((handle, a) => {
      const [low, high] = this.marks.get(axes[a].name) ?? [0, 1], words = `${shown(scales[a].value(Math.max(0, low)))} to ${shown(scales[a].value(Math.min(1, high)))}`;
      handle.style.left = `${this.x(a) - 10}px`;
      handle.setAttribute('aria-label', `Filter on ${axes[a].name}`);
      handle.setAttribute('aria-valuetext', this.marks.has(axes[a].name) ? words : `all, ${words}`);
      handle.setAttribute('aria-valuemin', 0);
      handle.setAttribute('aria-valuemax', 100);
      handle.setAttribute('aria-valuenow', Math.round(100 * Math.min(1, high)));
    });
  }
}
