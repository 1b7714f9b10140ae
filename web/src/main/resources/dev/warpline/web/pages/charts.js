import {h, s, responsive, showTip, tipped} from './dom.js';
import {count, percent, plain, significant} from './format.js';

/** One bar made of parts: [{label, value, colour}]. */
export function stackBar(parts, small) {
  const total = parts.reduce((sum, p) => sum + p.value, 0) || 1;
  return h('div', {class: small ? 'stack small' : 'stack'}, parts.filter(p => p.value > 0).map(p =>
    h('span', {style: `flex:${p.value / total};background:${p.colour}`, ...tipped(h('b', {}, p.label), h('div', {}, `${percent(p.value / total)} · ${count(p.value)} warp-cycles`))})));
}

/** Round numbers for an axis up to a maximum. */
export function ticks(max, wanted) {
  if (!(max > 0)) return [0];
  const raw = max / wanted;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 2.5, 5, 10].map(m => m * power).find(v => v >= raw);
  const list = [];
  for (let v = 0; v <= max * 1.0001; v += step) list.push(v);
  return list;
}

/**
 * Series over time, stacked areas or lines, with a crosshair.
 * options: {series: [{label, colour, values}], bucket, height, stacked, format, max, linked}
 */
export function timeChart(options) {
  return responsive(width => drawTimeChart(options, width));
}

function drawTimeChart({series, bucket, height = 150, stacked, format = significant, max, label}, width) {
  const left = 46, bottom = 20, top = 8, right = 6;
  const n = series[0]?.values.length ?? 0;
  const inner = Math.max(10, width - left - right), tall = height - top - bottom;
  const totals = Array.from({length: n}, (_, i) => series.reduce((sum, one) => sum + one.values[i], 0));
  const peak = max ?? Math.max(1e-9, ...(stacked ? totals : series.flatMap(one => one.values)));
  const x = i => left + inner * i / Math.max(1, n), y = v => top + tall * (1 - Math.min(v, peak) / peak);
  const svg = s('svg', {class: 'chart', height, viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': label});
  for (const t of ticks(peak, 3)) {
    svg.append(s('line', {class: t ? 'grid' : 'axis', x1: left, x2: width - right, y1: y(t), y2: y(t)}), s('text', {x: left - 6, y: y(t) + 4, 'text-anchor': 'end'}, format === significant ? plain(t) : format(t)));
  }
  for (const t of ticks(n * bucket, Math.max(2, Math.floor(inner / 110)))) {
    svg.append(s('text', {x: x(t / bucket), y: height - 4, 'text-anchor': t ? 'middle' : 'start', class: 'faint'}, count(t)));
  }
  const base = new Array(n).fill(0);
  for (const one of series) {
    if (stacked) {
      const low = base.slice();
      one.values.forEach((v, i) => base[i] += v);
      const over = base.map((v, i) => `${x(i)},${y(v)} ${x(i + 1)},${y(v)}`).join(' ');
      const under = low.map((v, i) => `${x(i + 1)},${y(v)} ${x(i)},${y(v)}`).reverse().join(' ');
      svg.append(s('polygon', {points: `${over} ${under}`, fill: one.colour}));
    } else {
      svg.append(s('polyline', {points: one.values.map((v, i) => `${x(i + .5)},${y(v)}`).join(' '), fill: 'none', stroke: one.colour, 'stroke-width': 1.6, 'stroke-linejoin': 'round'}));
    }
  }
  const cross = s('line', {class: 'cross', y1: top, y2: top + tall, visibility: 'hidden'});
  svg.append(cross, s('rect', {x: left, y: top, width: inner, height: tall, fill: 'transparent',
    onpointermove: e => {
      const at = e.clientX - svg.getBoundingClientRect().left;
      const i = Math.min(n - 1, Math.max(0, Math.floor((at - left) / inner * n)));
      cross.setAttribute('x1', x(i + .5));
      cross.setAttribute('x2', x(i + .5));
      cross.setAttribute('visibility', 'visible');
      const rows = series.filter(one => one.values[i] > 0).sort((a, b) => b.values[i] - a.values[i]).slice(0, 8);
      showTip(e, h('b', {}, `cycle ${count(i * bucket)}`), rows.map(one => h('div', {}, h('i', {class: 'dot', style: `background:${one.colour}`}), h('span', {}, one.label), h('span', {}, format(one.values[i])))));
    },
    onpointerleave: () => { showTip(null); cross.setAttribute('visibility', 'hidden'); }}));
  return svg;
}

export function legend(series) {
  return h('div', {class: 'legend'}, series.map(one => h('span', {}, h('i', {class: 'dot', style: `background:${one.colour}`}), one.label)));
}

/** Columns, one per part (SM, slice, channel): parts are [{label, value, value2?}]; value2 stands on top. */
export function columns({parts, unit, height = 96, colour = 'var(--accent)', colour2 = '#ee8434', names}) {
  const total = p => p.value + (p.value2 ?? 0);
  const most = Math.max(...parts.map(total), 1e-9);
  const mean = parts.reduce((sum, p) => sum + total(p), 0) / (parts.length || 1);
  return responsive(width => {
    const step = width / parts.length, wide = Math.max(.6, step - (step > 5 ? 1.5 : .4)), tall = height - 16;
    const svg = s('svg', {class: 'chart', height, viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': `${unit} per part`});
    parts.forEach((p, i) => {
      const one = tall * p.value / most, two = tall * (p.value2 ?? 0) / most;
      const tip = tipped(h('b', {}, p.label), h('div', {}, names ? `${names[0]} ${count(p.value)} · ${names[1]} ${count(p.value2)} ${unit}` : `${count(p.value)} ${unit}`));
      svg.append(s('g', tip, s('rect', {x: i * step, y: 0, width: step, height: tall, fill: 'transparent'}),
        s('rect', {x: i * step, y: tall - one, width: wide, height: one, fill: colour}),
        two > 0 && s('rect', {x: i * step, y: tall - one - two, width: wide, height: two, fill: colour2})));
    });
    svg.append(s('line', {x1: 0, x2: width, y1: tall * (1 - mean / most), y2: tall * (1 - mean / most), class: 'cross'}),
      s('text', {x: 0, y: height - 3, class: 'faint'}, `mean ${count(mean)}`), s('text', {x: width, y: height - 3, 'text-anchor': 'end', class: 'faint'}, `max ${significant(most / (mean || 1))}× mean`));
    return svg;
  });
}

/** Roofs in flop/s and byte/s, points {label, intensity, rate, colour}; both axes logarithmic. */
export function roofline({roofs, bandwidths, points, height = 270}) {
  return responsive(width => {
    const left = 48, bottom = 34, top = 12, right = 12;
    const peak = Math.max(...roofs.map(r => r.rate), 1);
    const slope = Math.max(...bandwidths.map(b => b.rate), 1);
    const xs = points.map(p => p.intensity).filter(v => v > 0);
    const x0 = Math.min(.01, ...xs.map(v => v / 2)), x1 = Math.max(1000, peak / Math.min(...bandwidths.map(b => b.rate)) * 4, ...xs.map(v => v * 2));
    const y1 = peak * 2, y0 = Math.min(peak / 1e4, ...points.map(p => p.rate / 3).filter(v => v > 0));
    const x = v => left + (width - left - right) * Math.log(v / x0) / Math.log(x1 / x0);
    const y = v => top + (height - top - bottom) * (1 - Math.log(v / y0) / Math.log(y1 / y0));
    const svg = s('svg', {class: 'chart', height, viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': 'Roofline'});
    for (let e = Math.ceil(Math.log10(x0)); 10 ** e <= x1; e++) svg.append(s('line', {class: 'grid', x1: x(10 ** e), x2: x(10 ** e), y1: top, y2: height - bottom}), s('text', {x: x(10 ** e), y: height - bottom + 15, 'text-anchor': 'middle'}, e < 0 ? (10 ** e).toFixed(-e) : count(10 ** e)));
    for (let e = Math.ceil(Math.log10(y0)); 10 ** e <= y1; e++) svg.append(s('line', {class: 'grid', x1: left, x2: width - right, y1: y(10 ** e), y2: y(10 ** e)}), s('text', {x: left - 6, y: y(10 ** e) + 4, 'text-anchor': 'end'}, count(10 ** e)));
    svg.append(s('text', {x: width - right, y: height - 4, 'text-anchor': 'end', class: 'faint'}, 'flop per byte'), s('text', {x: left, y: top - 2, class: 'faint'}, 'flop/s'));
    for (const b of bandwidths) {
      const from = Math.max(x0, y0 / b.rate), knee = Math.min(x1, peak / b.rate);
      svg.append(s('line', {x1: x(from), y1: y(b.rate * from), x2: x(knee), y2: y(b.rate * knee), stroke: b.colour, 'stroke-width': 1.6, ...tipped(h('b', {}, b.label), h('div', {}, `${count(b.rate)}B/s`))}));
    }
    const level = new Map();
    for (const r of roofs) level.set(r.rate, {...r, label: level.has(r.rate) ? `${level.get(r.rate).label}, ${r.label}` : r.label});
    for (const r of level.values()) {
      const from = Math.min(x1, r.rate / slope);
      svg.append(s('line', {x1: x(Math.max(from, x0)), y1: y(r.rate), x2: x(x1), y2: y(r.rate), stroke: 'var(--soft)', 'stroke-width': 1.6}), s('text', {x: x(x1), y: y(r.rate) - 5, 'text-anchor': 'end'}, `${r.label} ${count(r.rate)}flop/s`));
    }
    for (const p of points.filter(p => p.rate > 0)) svg.append(s('circle', {cx: x(p.intensity), cy: y(p.rate), r: 6, fill: p.colour, stroke: 'var(--panel)', 'stroke-width': 2, ...tipped(h('b', {}, p.label), h('div', {}, `${count(p.rate)}flop/s at ${significant(p.intensity)} flop/byte`))}));
    return svg;
  });
}

/** Points around the diagonal, both axes logarithmic: [{label, x, y}]. */
export function correlation({points, xLabel, yLabel, height = 420, onpick}) {
  return responsive(width => {
    const left = 58, bottom = 40, top = 12, right = 12;
    const all = points.flatMap(p => [p.x, p.y]).filter(v => v > 0);
    const low = Math.min(...all) / 1.5, high = Math.max(...all) * 1.5, span = Math.log(high / low);
    const x = v => left + (width - left - right) * Math.log(v / low) / span, y = v => top + (height - top - bottom) * (1 - Math.log(v / low) / span);
    const svg = s('svg', {class: 'chart', height, viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': `${yLabel} against ${xLabel}`});
    for (let e = Math.ceil(Math.log10(low)); 10 ** e <= high; e++) {
      const v = 10 ** e;
      svg.append(s('line', {class: 'grid', x1: x(v), x2: x(v), y1: top, y2: height - bottom}), s('line', {class: 'grid', x1: left, x2: width - right, y1: y(v), y2: y(v)}),
        s('text', {x: x(v), y: height - bottom + 16, 'text-anchor': 'middle'}, count(v)), s('text', {x: left - 6, y: y(v) + 4, 'text-anchor': 'end'}, count(v)));
    }
    svg.append(s('line', {x1: x(low), y1: y(low), x2: x(high), y2: y(high), stroke: 'var(--accent)', 'stroke-width': 1.4}));
    for (const f of [1.2, 1 / 1.2]) svg.append(s('line', {class: 'grid', x1: x(low), y1: y(low * f), x2: x(high), y2: y(high * f)}));
    svg.append(s('text', {x: width - right, y: height - 6, 'text-anchor': 'end'}, xLabel), s('text', {x: left, y: top - 2}, yLabel));
    for (const p of points) svg.append(s('circle', {cx: x(p.x), cy: y(p.y), r: 4.5, fill: Math.abs(p.y / p.x - 1) > .2 ? '#d9432f' : '#2e9e5b', 'fill-opacity': .75, onclick: () => onpick?.(p), ...tipped(h('b', {}, p.label), h('div', {}, `${xLabel} ${count(p.x)}`), h('div', {}, `${yLabel} ${count(p.y)} (${percent(p.y / p.x - 1)})`))}));
    return svg;
  });
}
