import {h, showTip} from './dom.js';
import {axes, Board, css, fitted, inkOn, line, paletteColour, ramp, Scale, shown} from './canvas.js';
import {mean} from './points.js';

const SERIES = 16, MOST_WORDS = 64, BINS = 32;

/** Values that a heat map has room for: numbers of which there are too many become the middles of ranges. */
export function steps(values) {
  const numbers = values.filter(Number.isFinite);
  if (values.some(v => typeof v === 'string') || new Set(numbers).size <= MOST_WORDS) return values;
  let low = Infinity, high = -Infinity;
  for (const v of numbers) { low = Math.min(low, v); high = Math.max(high, v); }
  const width = (high - low) / BINS;
  return values.map(v => Number.isFinite(v) ? Number((low + (Math.min(BINS - 1, Math.floor((v - low) / width)) + .5) * width).toPrecision(4)) : null);
}

/** Values of two columns against each other, each cell the mean of a third: [[...]], with the columns' values in order. */
export function gridOf(rows, columns, values) {
  const order = all => [...new Set(all.filter(v => v !== null && v !== undefined))].sort((a, b) => typeof a === 'number' && typeof b === 'number' ? a - b : String(a).localeCompare(String(b)));
  const rowWords = order(rows), columnWords = order(columns);
  const rowAt = new Map(rowWords.map((w, i) => [w, i])), columnAt = new Map(columnWords.map((w, i) => [w, i]));
  const lists = rowWords.map(() => columnWords.map(() => []));
  values.forEach((value, i) => {
    const list = lists[rowAt.get(rows[i])]?.[columnAt.get(columns[i])];
    if (list && Number.isFinite(value)) list.push(value);
  });
  return {rowWords, columnWords, cells: lists.map(row => row.map(list => list.length ? mean(list) : NaN)), counts: lists.map(row => row.map(list => list.length))};
}

/** A heat map of a grid: model(): {grid, rowLabel, columnLabel, valueLabel, log}; pick(row, column) filters. */
export class HeatMap {
  constructor(model, pick) {
    this.model = model;
    this.pick = pick;
    this.cell = null;
    this.board = new Board(360, 'Heat map', (context, width, height) => this.paint(context, width, height));
    const canvas = this.board.canvas;
    canvas.addEventListener('pointermove', event => {
      const at = this.find(...this.board.at(event));
      if (at) showTip(event, ...this.words(at)); else showTip(null);
    });
    canvas.addEventListener('pointerleave', () => showTip(null));
    canvas.addEventListener('click', event => { const at = this.find(...this.board.at(event)); if (at) this.choose(at); });
    canvas.addEventListener('keydown', event => this.key(event));
    this.element = this.board.element;
  }

  draw() {
    this.board.draw();
  }

  words([r, c]) {
    const {grid, rowLabel, columnLabel, valueLabel} = this.model();
    return [h('b', {}, `${rowLabel} ${shown(grid.rowWords[r])}, ${columnLabel} ${shown(grid.columnWords[c])}`), h('div', {}, h('span', {}, valueLabel), h('span', {}, shown(grid.cells[r][c]))), h('div', {}, `${grid.counts[r][c]} points`)];
  }

  choose(at) {
    this.cell = at;
    this.draw();
    const {grid} = this.model();
    this.pick(grid.rowWords[at[0]], grid.columnWords[at[1]]);
  }

  key(event) {
    const {grid} = this.model(), step = {ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowUp: [1, 0], ArrowDown: [-1, 0]}[event.key];
    if (!step || !grid.rowWords.length) return;
    const [r, c] = this.cell ? [this.cell[0] + step[0], this.cell[1] + step[1]] : [0, 0];
    if (r >= 0 && c >= 0 && r < grid.rowWords.length && c < grid.columnWords.length) this.choose([r, c]);
    event.preventDefault();
  }

  find(x, y) {
    if (!this.box) return null;
    const {left, top, wide, tall, rows, columns} = this.box;
    const c = Math.floor((x - left) / wide), r = rows - 1 - Math.floor((y - top) / tall);
    return r >= 0 && r < rows && c >= 0 && c < columns ? [r, c] : null;
  }

  paint(context, width, height) {
    const {grid, rowLabel, columnLabel, valueLabel, log} = this.model();
    const rows = grid.rowWords.length, columns = grid.columnWords.length, left = 84, top = 22, bottom = 44;
    const wide = (width - left - 14) / Math.max(1, columns), tall = (height - top - bottom) / Math.max(1, rows);
    this.box = {left, top, wide, tall, rows, columns};
    const scale = new Scale(grid.cells.flat().filter(Number.isFinite), log);
    const soft = css('--soft'), ink = css('--ink'), sunk = css('--sunk');
    context.textBaseline = 'middle';
    for (let r = 0; r < rows; r++) {
      for (let c = 0; c < columns; c++) {
        const v = grid.cells[r][c], x = left + c * wide, y = top + (rows - 1 - r) * tall;
        context.fillStyle = Number.isFinite(v) ? ramp(scale.place(v)) : sunk;
        context.fillRect(x, y, Math.max(.5, wide - (wide > 6 ? 1 : 0)), Math.max(.5, tall - (tall > 6 ? 1 : 0)));
        if (Number.isFinite(v) && wide > 46 && tall > 15) {
          context.textAlign = 'center';
          context.fillStyle = inkOn(ramp(scale.place(v)));
          context.fillText(fitted(context, shown(Number(v.toPrecision(3))), wide - 4), x + wide / 2, y + tall / 2);
        }
        if (this.cell && this.cell[0] === r && this.cell[1] === c) {
          context.strokeStyle = ink;
          context.lineWidth = 2;
          context.strokeRect(x, y, wide - 1, tall - 1);
        }
      }
    }
    context.fillStyle = soft;
    context.textAlign = 'right';
    const every = Math.max(1, Math.ceil(14 / tall));
    grid.rowWords.forEach((word, r) => { if (r % every === 0) context.fillText(fitted(context, shown(word), left - 10), left - 6, top + (rows - .5 - r) * tall); });
    context.textAlign = 'center';
    const step = Math.max(1, Math.ceil(52 / wide));
    grid.columnWords.forEach((word, c) => { if (c % step === 0) context.fillText(fitted(context, shown(word), Math.max(wide * step - 6, 40)), left + (c + .5) * wide, height - bottom + 12); });
    context.fillStyle = ink;
    context.textAlign = 'right';
    context.fillText(fitted(context, columnLabel, width - 20), width - 14, height - 10);
    context.textAlign = 'left';
    context.fillText(fitted(context, `${rowLabel}: ${valueLabel}, ${shown(scale.low)} to ${shown(scale.high)}`, width - 10), 4, 9);
  }
}

/** Lines over the columns of a grid, one for each of its rows: model() as of a heat map, with logX and logY. */
export class Lines {
  constructor(model) {
    this.model = model;
    this.board = new Board(360, 'Lines', (context, width, height) => this.paint(context, width, height));
    this.element = this.board.element;
  }

  draw() {
    this.board.draw();
  }

  paint(context, width, height) {
    const {grid, rowLabel, columnLabel, valueLabel, logX, logY} = this.model();
    const sx = new Scale(grid.columnWords, logX), sy = new Scale(grid.cells.flat().filter(Number.isFinite), logY);
    const {x, y} = axes(context, width, height, {xs: sx, ys: sy, xLabel: columnLabel, yLabel: valueLabel});
    const few = grid.rowWords.length <= 8, named = grid.rowWords.length <= SERIES;
    grid.rowWords.forEach((word, r) => {
      const colour = few ? paletteColour(r) : ramp(r / (grid.rowWords.length - 1));
      context.strokeStyle = context.fillStyle = colour;
      context.lineWidth = few ? 2 : 1.2;
      context.beginPath();
      let begun = false, last = null;
      grid.columnWords.forEach((column, c) => {
        if (!Number.isFinite(grid.cells[r][c])) return;
        last = [x(sx.place(column)), y(sy.place(grid.cells[r][c]))];
        if (begun) context.lineTo(...last); else context.moveTo(...last);
        begun = true;
      });
      context.stroke();
      if (few) grid.columnWords.forEach((column, c) => { if (Number.isFinite(grid.cells[r][c])) context.fillRect(x(sx.place(column)) - 2.5, y(sy.place(grid.cells[r][c])) - 2.5, 5, 5); });
    });
    if (!named) return;
    let at = 84;
    context.textAlign = 'left';
    context.textBaseline = 'middle';
    const label = `${rowLabel}:`, soft = css('--soft'), start = Math.min(width / 2, context.measureText(valueLabel).width + 30);
    at = start;
    context.fillStyle = soft;
    context.fillText(label, at, 9);
    at += context.measureText(label).width + 8;
    grid.rowWords.forEach((word, r) => {
      const text = shown(word), wide = context.measureText(text).width;
      if (at + wide + 16 > width) return;
      context.strokeStyle = few ? paletteColour(r) : ramp(r / (grid.rowWords.length - 1));
      context.lineWidth = 3;
      line(context, at, 9, at + 10, 9);
      context.fillStyle = soft;
      context.fillText(text, at + 14, 9);
      at += wide + 26;
    });
  }
}
