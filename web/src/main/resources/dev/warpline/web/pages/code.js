import {h, panel} from './dom.js';
import {legend, stackBar} from './charts.js';
import {count, hex, percent, significant} from './format.js';

const PIPE_COLOURS = {FMA: '#2e9e5b', FMA_HEAVY: '#7cc576', FP16: '#ee8434', ALU: '#1f6fd0', FP64: '#7d58a8', XU: '#d9432f', UNIFORM: '#37b3c4', TENSOR: '#9d6fc9', GMMA: '#c56fb0', LSU: '#e0a912', TEXTURE: '#b08900', CONSTANT: '#8d6e63', TMA: '#5b7f95', BRANCH: '#8d99a6', MISC: '#b5bec7'};

const added = (list, of) => list.reduce((all, one) => all + of(one), 0);
const lanesOf = line => line?.n ? (line.lanes ?? 0) / line.n : 0;

/** How instructions are spread over the pipes. */
function pipeMix(lines) {
  const pipes = new Map();
  for (const line of lines) if (line.pipe) pipes.set(line.pipe, (pipes.get(line.pipe) ?? 0) + line.n);
  const parts = [...pipes].sort((a, b) => b[1] - a[1]).map(([label, value]) => ({label, value, colour: PIPE_COLOURS[label] ?? '#888'}));
  const all = added(parts, p => p.value) || 1;
  return parts.length > 0 && [h('h3', {}, 'Instructions by pipe'), stackBar(parts), legend(parts.slice(0, 10).map(p => ({label: `${p.label} ${percent(p.value / all)}`, colour: p.colour})))];
}

/** Registers that hold a value, along the listing. */
function pressure(lines, launch) {
  const live = lines.filter(line => line.live);
  if (!live.length) return null;
  const top = live.reduce((a, b) => b.live > a.live ? b : a);
  return [h('h3', {}, 'Live registers'), h('p', {}, `At most ${top.live} of ${launch.registers} registers of a thread hold a value that is still needed, at ${hex(top.pc)}.`),
    h('div', {class: 'pressure', style: 'display:flex;align-items:flex-end;height:44px', role: 'img', 'aria-label': 'Live registers along the listing'}, thinnedLines(live, 160).map(line => h('i', {style: `flex:1;background:var(--accent);opacity:.75;height:${100 * line.live / top.live}%`, title: `${hex(line.pc)}: ${line.live} live`})))];
}

/** Few enough to draw: the highest of neighbours. */
function thinnedLines(lines, most) {
  const step = Math.ceil(lines.length / most);
  return lines.filter((line, i) => i % step === 0).map((line, i) => lines.slice(i * step, (i + 1) * step).reduce((a, b) => b.live > a.live ? b : a));
}

/** Branches at which lanes part: how many come, go, and stay. */
function branches(lines, openLine) {
  const at = new Map(lines.map((line, i) => [line.pc, i]));
  const list = lines.filter(line => /(^|\s)BRA/.test(line.text)).map(line => ({line, come: lanesOf(lines[at.get(line.pc) - 1]), go: lanesOf(line), stay: lanesOf(lines[at.get(line.pc + 16)])}))
    .filter(b => b.come - b.go > .5 && b.go > 0).sort((a, b) => b.line.n * (b.come - b.go) - a.line.n * (a.come - a.go));
  if (!list.length) return null;
  return [h('h3', {}, 'Branches at which lanes part'), h('table', {class: 'branches'}, h('thead', {}, h('tr', {}, h('th', {}, 'Branch'), h('th', {class: 'num'}, 'Executed'), h('th', {class: 'num'}, 'Lanes that come'), h('th', {class: 'num'}, 'that go'), h('th', {class: 'num'}, 'that stay'))),
    h('tbody', {}, list.slice(0, 8).map(b => h('tr', {}, h('td', {class: 'mono'}, linkTo(b.line.pc, openLine), ` ${b.line.text}`), h('td', {class: 'num'}, count(b.line.n)), h('td', {class: 'num'}, significant(b.come)), h('td', {class: 'num'}, significant(b.go)), h('td', {class: 'num'}, significant(b.stay))))))];
}

const linkTo = (pc, openLine) => h('a', {href: '#listing', onclick: e => { e.preventDefault(); openLine(pc); }}, hex(pc));

/** Accesses to memory: how wide, how scattered, and from where they come: reused in L1, in L2, or not at all. */
function accesses(lines, openLine) {
  const list = lines.filter(line => line.requests).sort((a, b) => (b.sectors ?? 0) + (b.conflicts ?? 0) * 4 - (a.sectors ?? 0) - (a.conflicts ?? 0) * 4);
  if (!list.length) return null;
  const share = (value, line) => line.sectors ? percent((value ?? 0) / line.sectors) : '';
  return [h('h3', {}, 'Accesses'), h('table', {class: 'accesses'}, h('thead', {}, h('tr', {}, ['Access', 'Requests', 'Sectors each', 'Extra passes each', 'From L1', 'From L2', 'From DRAM'].map((t, i) => h('th', {class: i ? 'num' : ''}, t)))),
    h('tbody', {}, list.slice(0, 12).map(line => h('tr', {}, h('td', {class: 'mono'}, linkTo(line.pc, openLine), ` ${line.text.replace(/^@\S+\s+/, '').split(/\s/)[0]}`), h('td', {class: 'num'}, count(line.requests)),
      h('td', {class: 'num'}, line.sectors ? significant(line.sectors / line.requests) : ''), h('td', {class: 'num'}, line.conflicts ? significant(line.conflicts / line.requests) : ''), h('td', {class: 'num'}, share(line.l1, line)), h('td', {class: 'num'}, share(line.l2, line)), h('td', {class: 'num'}, share(line.dram, line))))))];
}

/** What the code itself says: pipes, registers, branches, accesses. */
export function codePanel(kernel, openLine) {
  const {lines, launch} = kernel.profile;
  const parts = [pipeMix(lines), pressure(lines, launch), branches(lines, openLine), accesses(lines, openLine)].filter(Boolean);
  return parts.length ? panel('code', 'Code', 'Pipes, registers, branches and accesses', h('div', {class: 'tablewrap'}, parts)) : null;
}

/** How often the grid fills the GPU, and how the last time looks. */
export function waves(kernel) {
  const {launch, sms} = kernel.profile;
  const blocks = (launch.grid.match(/\d+/g) ?? []).reduce((all, n) => all * +n, 1);
  const limits = Object.entries(launch.blocksPerSm ?? {}).filter(([name, value]) => name !== 'grid' && value >= 0).map(([, value]) => value);
  const resident = Math.min(...limits);
  const busy = sms.filter(sm => sm[0] > 0);
  if (!limits.length || !resident || !busy.length) return null;
  const most = Math.max(...busy.map(sm => sm[2])), mean = added(busy, sm => sm[2]) / busy.length;
  return h('p', {class: 'muted', style: 'margin-top:10px'}, `${count(blocks)} blocks on ${sms.length} SMs of ${resident}: ${significant(blocks / (resident * sms.length))} waves. The busiest SM works ${significant(most / (mean || 1))} times as long as the average${busy.length < sms.length ? `, ${sms.length - busy.length} SMs have no work` : ''}.`);
}

/** The lines that one waits for, nearest of the slow ones first. */
export function waitsFor(line, profile, openLine) {
  if (!line.waitsFor?.length) return null;
  const text = pc => profile.lines.find(l => l.pc === pc)?.text.replace(/^@\S+\s+/, '').split(/\s/)[0] ?? '';
  return h('dl', {class: 'from'}, h('dt', {}, 'Waits for'), h('dd', {}, line.waitsFor.map(([pc, distance, via]) => h('div', {}, linkTo(pc, openLine), ` ${text(pc)}, by ${via}, ${distance} ${distance === 1 ? 'instruction' : 'instructions'} before`))), line.live && [h('dt', {}, 'Live registers'), h('dd', {}, String(line.live))]);
}
