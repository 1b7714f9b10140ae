import {h, panel, responsive, showTip} from './dom.js';
import {count, duration, percent} from './format.js';
import {stackBar} from './charts.js';

const PART_COLOURS = {KERNEL: '#2e9e5b', COPY: '#4f8fd6', FILL: '#9bbfe8', GAP: '#f2c14e', START: '#ee8434', CALL: '#d9432f', HOST: '#9d6fc9', RETURN: '#b6bec7'};
const KERNEL_COLOURS = ['#2e9e5b', '#4f8fd6', '#ee8434', '#9d6fc9', '#20a39e', '#d05a9e', '#a47148', '#f2c14e', '#1d4f99', '#b5362a'];
const LANE = 22;

/** Launches that stand for others carry only what is their own; the rest is that of the simulated one. */
export function completed(kernels) {
  const own = new Map(kernels.filter(k => !k.like).map(k => [k.id, k]));
  return kernels.map(k => k.like ? {...own.get(k.like), ...k, profile: undefined, findings: undefined} : k);
}

/** A table whose columns sort at a click: columns are [title, value, text], the first is text. */
function sortable(label, columns, rows, first) {
  const body = h('tbody');
  let by = first, down = true;
  const heads = columns.map(([title], i) => h('th', {class: i ? 'num' : '', 'aria-sort': 'none'}, h('button', {class: 'quiet', onclick: () => { down = by === i ? !down : i > 0; by = i; draw(); }}, title)));
  const draw = () => {
    const value = columns[by][1];
    const sorted = [...rows].sort((a, b) => (value(a) < value(b) ? -1 : value(a) > value(b) ? 1 : 0) * (down ? -1 : 1));
    heads.forEach((head, i) => head.setAttribute('aria-sort', i !== by ? 'none' : down ? 'descending' : 'ascending'));
    body.replaceChildren(...sorted.map(row => h('tr', {}, columns.map(([, get, text], i) => h('td', {class: i ? 'num' : '', title: i ? null : row.title}, (text ?? (r => count(get(r))))(row))))));
  };
  draw();
  return h('div', {class: 'tablewrap'}, h('table', {'aria-label': label}, h('thead', {}, h('tr', {}, heads)), body));
}

/** The whole program: what limits it, time by kernel name and by stream, what ran when. */
export function programPanel(run) {
  const program = run.program, time = cycles => duration(run.coreMHz ? cycles / (run.coreMHz * 1e6) : 0);
  const parts = program.parts.map(([key, label, value]) => ({label, value, colour: PART_COLOURS[key]}));
  const names = sortable('Time by kernel name', [['Kernel', r => r.short], ['Launches', r => r.count], ['Total', r => r.cycles, r => time(r.cycles)], ['Share', r => r.share, r => percent(r.share)], ['Mean', r => r.cycles / r.count, r => time(r.cycles / r.count)], ['Least', r => r.least, r => time(r.least)], ['Most', r => r.most, r => time(r.most)]].map(column => column[0] === 'Kernel' ? [column[0], column[1], column[1]] : column), program.names, 2);
  const streams = program.streams.length > 1 && sortable('Time by stream', [['Stream', r => r.name, r => r.name], ['Priority', r => r.priority], ['Kernels', r => r.kernels], ['Their time', r => r.kernelCycles, r => time(r.kernelCycles)], ['Copies', r => r.copies], ['Their time', r => r.copyCycles, r => time(r.copyCycles)], ['Busy', r => r.busyCycles, r => time(r.busyCycles)]], program.streams, 6);
  return panel('program', 'Program', `${time(program.cycles)}, ${count(program.operations)} operations`,
    h('p', {}, h('b', {}, program.limit + '.')),
    h('h3', {}, 'Critical path'), stackBar(parts), h('p', {class: 'hint'}, parts.map(p => `${p.label} ${percent(p.value / (program.cycles || 1))}`).join(' · ')),
    h('h3', {}, 'Time by kernel name'), names, streams && h('h3', {}, 'Streams'), streams,
    h('h3', {}, 'What ran when'), timelineOf(program, time));
}

/** Streams as lanes on a canvas: ten thousand operations are no elements. Dragging zooms, a double click shows all. */
function timelineOf(program, time) {
  const {lanes, lane, kind, start, end, name, bytes} = program.timeline;
  const colours = name.map(i => i < 0 ? null : KERNEL_COLOURS[i % KERNEL_COLOURS.length]);
  let from = 0, until = program.cycles || 1;
  const holder = responsive(width => {
    const left = 110, tall = lanes.length * LANE + 22, inner = Math.max(10, width - left - 6);
    const canvas = h('canvas', {width, height: tall, class: 'chart', role: 'img', tabindex: 0, 'aria-label': 'Operations of every stream over time', style: `width:${width}px;height:${tall}px`});
    const x = cycle => left + inner * (cycle - from) / (until - from), at = px => from + (until - from) * Math.min(1, Math.max(0, (px - left) / inner));
    const draw = () => {
      const g = canvas.getContext('2d'), style = getComputedStyle(document.documentElement);
      const text = style.getPropertyValue('--ink') || '#888', line = style.getPropertyValue('--line') || '#8884';
      g.clearRect(0, 0, width, tall);
      g.font = '12px sans-serif';
      lanes.forEach((label, i) => { g.fillStyle = text; g.fillText(label.slice(0, 15), 2, i * LANE + 15); g.fillStyle = line; g.fillRect(left, i * LANE + LANE - 1, inner, 1); });
      g.save();
      g.beginPath();
      g.rect(left, 0, inner, tall);
      g.clip();
      for (let i = 0; i < start.length; i++) {
        if (end[i] < from || start[i] > until) continue;
        g.fillStyle = colours[i] ?? (kind[i] === 'fill' ? '#9bbfe8' : '#7d8b99');
        g.fillRect(x(start[i]), lane[i] * LANE + 3, Math.max(.7, x(end[i]) - x(start[i])), LANE - 7);
      }
      g.restore();
      g.fillStyle = text;
      const near = (until - from) * 50 < from;
      for (let i = 0; i <= 4; i++) { g.textAlign = i === 4 ? 'right' : i ? 'center' : 'left'; g.fillText(i && near ? '+' + time((until - from) * i / 4) : time(from + (until - from) * i / 4), left + inner * i / 4, tall - 5); }
      g.textAlign = 'left';
    };
    let grabbed = null;
    const hit = e => {
      const box = canvas.getBoundingClientRect(), cycle = at(e.clientX - box.left), which = Math.floor((e.clientY - box.top) / LANE), slack = (until - from) / inner * 2;
      for (let i = start.length - 1; i >= 0; i--) if (lane[i] === which && start[i] - slack <= cycle && end[i] + slack >= cycle) return i;
      return -1;
    };
    canvas.addEventListener('pointermove', e => { const i = hit(e); if (i < 0) showTip(null); else showTip(e, h('b', {}, name[i] < 0 ? kind[i] : program.kernelNames[name[i]]), h('div', {}, `${time(end[i] - start[i])} from ${time(start[i])}${bytes[i] ? ` · ${count(bytes[i])} bytes` : ''}`)); });
    canvas.addEventListener('pointerleave', () => showTip(null));
    canvas.addEventListener('pointerdown', e => { grabbed = at(e.clientX - canvas.getBoundingClientRect().left); });
    canvas.addEventListener('pointerup', e => {
      const to = at(e.clientX - canvas.getBoundingClientRect().left);
      if (grabbed !== null && Math.abs(to - grabbed) > (until - from) / 100) { [from, until] = [Math.min(grabbed, to), Math.max(grabbed, to)]; draw(); }
      grabbed = null;
    });
    canvas.addEventListener('dblclick', () => { from = 0; until = program.cycles || 1; draw(); });
    canvas.addEventListener('keydown', e => {
      const span = until - from, middle = (from + until) / 2;
      if (e.key === '+') { from = middle - span / 4; until = middle + span / 4; } else if (e.key === '-') { from = Math.max(0, middle - span); until = Math.min(program.cycles, middle + span); } else if (e.key === '0') { from = 0; until = program.cycles || 1; } else return;
      draw();
    });
    draw();
    return canvas;
  });
  return h('div', {}, holder, h('p', {class: 'hint'}, `Drag to zoom, double click for all; or + - 0.${program.timeline.leftOut ? ` The first ${count(start.length)} operations; ${count(program.timeline.leftOut)} more are in --timeline files.` : ''}`));
}
