import {h} from './dom.js';
import {count, plain} from './format.js';

/** Colours that can be told from a white and from a dark ground. */
const RAMP = [[70, 84, 196], [31, 138, 156], [76, 150, 59], [194, 125, 18], [205, 60, 45]];
const PALETTE = ['#2f74d0', '#c9641a', '#2d9160', '#b0479c', '#8a7a12', '#7462d6', '#c8433f', '#168b94'];

/** A colour for a share from 0 to 1. */
export function ramp(share) {
  const at = Math.max(0, Math.min(1, share)) * (RAMP.length - 1), i = Math.min(RAMP.length - 2, Math.floor(at));
  return `rgb(${RAMP[i].map((c, k) => Math.round(c + (RAMP[i + 1][k] - c) * (at - i)))})`;
}

/** Ink that can be read on a colour of the ramp. */
export function inkOn(colour) {
  const light = colour.match(/\d+/g).map(c => (c / 255) ** 2.2), shine = .2126 * light[0] + .7152 * light[1] + .0722 * light[2];
  return 1.05 / (shine + .05) > (shine + .05) / .055 ? '#fff' : '#0b0f14';
}

export function paletteColour(i) {
  return PALETTE[i % PALETTE.length];
}

/** A colour of the page. */
export function css(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

/** Numbers or words as places from 0 to 1. */
export class Scale {
  constructor(values, log = false) {
    this.words = values.some(v => typeof v === 'string') ? [...new Set(values.filter(v => v !== null && v !== undefined).map(String))].sort() : null;
    this.log = log && !this.words;
    let low = Infinity, high = -Infinity;
    if (!this.words) {
      for (const v of values) {
        if (!Number.isFinite(v) || (this.log && v <= 0)) continue;
        if (v < low) low = v;
        if (v > high) high = v;
      }
      if (low > high) [low, high] = [this.log ? 1 : 0, 1];
      if (low === high) [low, high] = this.log ? [low / 2, high * 2] : [low - (Math.abs(low) || 1) / 2, high + (Math.abs(high) || 1) / 2];
    }
    this.low = low;
    this.high = high;
    this.index = this.words && new Map(this.words.map((word, i) => [word, i]));
  }

  /** NaN for what has no place. */
  place(v) {
    if (v === null || v === undefined) return NaN;
    if (this.words) return this.words.length === 1 ? .5 : this.index.get(String(v)) / (this.words.length - 1);
    return this.log ? Math.log(v / this.low) / Math.log(this.high / this.low) : (v - this.low) / (this.high - this.low);
  }

  value(place) {
    if (this.words) return this.words[Math.round(place * (this.words.length - 1))];
    return this.log ? this.low * (this.high / this.low) ** place : this.low + place * (this.high - this.low);
  }

  /** Round places to write something at: [place, text]. */
  ticks(wanted) {
    if (this.words) {
      const step = Math.max(1, Math.ceil(this.words.length / Math.max(1, wanted * 2)));
      return this.words.map((word, i) => [this.place(word), word, i]).filter(([, , i]) => i % step === 0);
    }
    const list = [];
    if (this.log && this.high / this.low >= 20) {
      const all = [];
      for (let e = Math.floor(Math.log10(this.low)); 10 ** e <= this.high; e++) for (const m of [1, 2, 5]) all.push(m * 10 ** e);
      const inside = all.filter(v => v >= this.low && v <= this.high);
      const tens = inside.filter(v => Math.abs(Math.log10(v) % 1) < 1e-9);
      for (const v of inside.length <= wanted + 2 ? inside : tens) list.push([this.place(v), tick(v)]);
      return list;
    }
    const raw = (this.high - this.low) / Math.max(1, wanted), power = 10 ** Math.floor(Math.log10(raw));
    const step = [1, 2, 2.5, 5, 10].map(m => m * power).find(v => v >= raw);
    for (let v = Math.ceil(this.low / step - 1e-9) * step; v <= this.high + step * 1e-9; v += step) list.push([this.place(v), tick(Math.abs(v) < step / 1e6 ? 0 : v)]);
    return list;
  }
}

function tick(v) {
  return Math.abs(v) >= 1e4 ? count(v) : plain(v);
}

/** A number or word for people. */
export function shown(v) {
  if (v === null || v === undefined) return '–';
  return typeof v === 'number' ? (Number.isInteger(v) && Math.abs(v) < 1e7 ? v.toLocaleString('en-US') : Math.abs(v) >= 1e6 ? count(v) : String(Number(v.toPrecision(5)))) : String(v);
}

/** A canvas as wide as the page allows, sharp on any screen; draw(context, width, height) is called for each change. */
export class Board {
  constructor(height, label, draw) {
    this.canvas = h('canvas', {role: 'img', tabindex: 0, 'aria-label': label, style: `display:block;width:100%;height:${height}px;touch-action:pan-y;border-radius:6px`});
    this.element = h('div', {style: 'position:relative'}, this.canvas);
    this.height = height;
    this.paint = draw;
    this.width = 0;
    new ResizeObserver(() => {
      if (this.element.clientWidth < 40 || this.element.clientWidth === this.width) return;
      this.width = this.element.clientWidth;
      this.draw();
    }).observe(this.element);
    new MutationObserver(() => this.draw()).observe(document.documentElement, {attributeFilter: ['data-theme']});
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.draw());
  }

  draw() {
    if (!this.width) return;
    const ratio = Math.min(3, devicePixelRatio || 1), canvas = this.canvas;
    canvas.width = Math.round(this.width * ratio);
    canvas.height = Math.round(this.height * ratio);
    const context = canvas.getContext('2d');
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, this.width, this.height);
    context.font = `11.5px ${css('--sans')}`;
    this.paint(context, this.width, this.height);
  }

  /** Where the pointer is. */
  at(event) {
    const box = this.canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }
}

/** Draws the axes of a plot and says where places are: {x, y} as functions of 0 to 1. */
export function axes(context, width, height, {xs, ys, xLabel, yLabel, left = 64}) {
  const right = 14, top = 22, bottom = 44;
  const x = p => left + p * (width - left - right), y = p => height - bottom - p * (height - top - bottom);
  context.strokeStyle = css('--line');
  context.fillStyle = css('--soft');
  context.lineWidth = 1;
  context.textBaseline = 'middle';
  let free = -Infinity;
  for (const [p, text] of xs.ticks(Math.max(2, Math.floor(width / 110)))) {
    line(context, x(p), y(0), x(p), y(1));
    const half = context.measureText(text).width / 2, at = Math.min(Math.max(x(p), half), width - half);
    if (at - half < free) continue;
    free = at + half + 6;
    context.textAlign = 'center';
    context.fillText(text, at, y(0) + 14);
  }
  for (const [p, text] of ys.ticks(Math.max(2, Math.floor(height / 70)))) {
    line(context, x(0), y(p), x(1), y(p));
    context.textAlign = 'right';
    context.fillText(fitted(context, text, left - 10), left - 6, y(p));
  }
  context.fillStyle = css('--ink');
  context.textAlign = 'right';
  context.fillText(fitted(context, xLabel, width - 20), width - right, height - 10);
  context.textAlign = 'left';
  context.fillText(fitted(context, yLabel, width - 20), 4, 9);
  return {x, y};
}

export function line(context, x1, y1, x2, y2) {
  context.beginPath();
  context.moveTo(x1, y1);
  context.lineTo(x2, y2);
  context.stroke();
}

/** Text shortened to a width. */
export function fitted(context, text, width) {
  let short = String(text);
  if (context.measureText(short).width <= width) return short;
  while (short.length > 2 && context.measureText(`${short}…`).width > width) short = short.slice(0, -1);
  return `${short}…`;
}
