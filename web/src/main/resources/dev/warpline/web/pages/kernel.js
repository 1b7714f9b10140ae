import {h, s, panel, responsive, tipped} from './dom.js';
import {bytes, colour, count, date, duration, percent, significant} from './format.js';
import {columns, legend, roofline, stackBar, timeChart} from './charts.js';
import {change, counterTable, differences, faster, lineName, matchingText, settingTable} from './difference.js';
import {Listing, sumStalls} from './listing.js';
import {codePanel, waves} from './code.js';
import {SourceView} from './source.js';

export const SECTIONS = [['program', 'Program'], ['summary', 'Summary'], ['findings', 'Findings'], ['kernels', 'Kernels'], ['compared', 'Compared'], ['difference', 'Difference'], ['speed', 'Speed of light'], ['roofline', 'Roofline'], ['occupancy', 'Occupancy'], ['states', 'Warp states'],
  ['time', 'Over time'], ['energy', 'Energy'], ['source', 'Source'], ['listing', 'Listing'], ['opcodes', 'Opcodes'], ['code', 'Code'], ['memory', 'Memory'], ['balance', 'Balance'], ['statistics', 'Statistics'], ['configuration', 'Configuration'], ['origin', 'Origin']];

const sum = list => list.reduce((a, b) => a + b, 0);

/** What the sections share: totals of one kernel. */
export function totalsOf(run, kernel) {
  const p = kernel.profile;
  const seconds = run.coreMHz ? kernel.cycles / (run.coreMHz * 1e6) : 0;
  const totals = {seconds, ipc: kernel.cycles ? kernel.warpInstructions / kernel.cycles : 0, lanes: kernel.warpInstructions ? kernel.threadInstructions / kernel.warpInstructions : 0};
  if (!p) return totals;
  const cached = p.lines.filter(l => l.space === 'global' || l.space === 'local' || l.space === 'bulk');
  const shared = p.lines.filter(l => l.space === 'shared');
  return {...totals, sms: p.sms.length, busySms: p.sms.filter(sm => sm[0] > 0).length,
    requests: sum(cached.map(l => l.requests ?? 0)), l1Sectors: sum(cached.map(l => l.sectors ?? 0)), l1Hits: sum(cached.map(l => l.l1 ?? 0)),
    sharedRequests: sum(shared.map(l => l.requests ?? 0)), conflicts: sum(shared.map(l => l.conflicts ?? 0)),
    l2Sectors: sum(p.slices.map(t => t[0])), l2Hits: sum(p.slices.map(t => t[1])),
    dramRead: sum(p.channels.map(t => t[0])), dramWrite: sum(p.channels.map(t => t[1])),
    warpCycles: sum(p.sms.map(sm => sm[1])), states: statesOf(run, p)};
}

function statesOf(run, profile) {
  const cycles = new Map();
  for (const line of profile.lines) for (let i = 0; i < line.stalls.length; i += 2) cycles.set(line.stalls[i], (cycles.get(line.stalls[i]) ?? 0) + line.stalls[i + 1]);
  return [...cycles].map(([reason, value]) => ({...run.reasons[reason], theirs: run.reasons[reason][run.profiler] ?? '', value})).sort((a, b) => b.value - a.value);
}

/** All sections of one kernel. */
export function kernelView(run, kernel, other) {
  const totals = totalsOf(run, kernel);
  const main = h('main', {}, summary(run, kernel, totals), compared(run, kernel) ?? '', difference(run, kernel, other) ?? '');
  let listing = null;
  if (kernel.profile) {
    listing = new Listing(kernel.profile, run.reasons, run.profiler, kernel.energy?.lines, other && other.kernels[kernel.id]?.lines && {...other, lines: other.kernels[kernel.id].lines});
    const openLine = pc => { document.getElementById('listing').scrollIntoView(); listing.show(pc); };
    main.querySelector('.tiles').before(verdict(kernel, totals, openLine) ?? '');
    main.append(findings(kernel, openLine) ?? '', speedOfLight(run, kernel), h('div', {class: 'two'}, rooflinePanel(run, kernel, totals), occupancy(kernel)),
      warpStates(run, totals), overTime(run, kernel, totals), energy(kernel) ?? '', code(run, kernel, listing),
      opcodes(run, kernel, totals), codePanel(kernel, openLine) ?? '', memory(run, kernel, totals), balance(kernel));
  } else {
    main.append(h('div', {class: 'notice'}, kernel.profileLeftOut ? 'This kernel’s profile was left out to keep the file small; longer kernels have theirs. Run this kernel alone to see it.' : 'This run has no profile. Run it with --report or --profile to see where the time goes.'));
  }
  main.append(statistics(kernel), configuration(run), origin(run) ?? '');
  return {main, listing};
}

/** The listing, beside the source where that is known. */
function code(run, kernel, listing) {
  const sass = panel('listing', 'Listing', 'Where warps spend their cycles. Click a line for its waits and its memory behaviour.', listing.element);
  if (!kernel.profile.places?.length) return sass;
  const source = new SourceView(run, kernel.profile, pcs => listing.mark(pcs));
  listing.onChoice = line => source.mark(line);
  const beside = h('div', {class: 'beside'}, panel('source', 'Source', 'What each line costs. Click one to mark its instructions.', source.element), sass);
  const wide = h('button', {'aria-pressed': 'false', class: 'hide-narrow', title: 'Source above, listing with all columns', onclick: () => wide.setAttribute('aria-pressed', String(!beside.classList.toggle('sides')))}, 'All columns');
  beside.classList.add('sides');
  sass.querySelector('header').append(h('span', {class: 'spacer'}), wide);
  return beside;
}

const times = text => text.replaceAll(' x ', ' × ');

function tile(label, value, unit, note) {
  return h('div', {class: 'tile'}, h('div', {class: 'label'}, label), h('div', {class: 'value'}, value, unit && h('small', {}, ` ${unit}`)), h('div', {class: 'note', title: note}, note ?? ''));
}

function summary(run, kernel, t) {
  const launch = kernel.profile?.launch;
  const p = kernel.profile;
  const warnings = [...(run.unfinished ? [`This run is unfinished: ${run.unfinished}`] : []), ...(run.warnings ?? []), ...(kernel.warnings ?? []),
    ...(kernel.sampling ? [`This kernel is sampled: ${kernel.sampling.how}; 95 % interval ${count(kernel.sampling.low)} to ${count(kernel.sampling.high)} cycles (± ${significant(100 * kernel.sampling.plusMinus)} %)`] : [])];
  return h('section', {id: 'summary', style: 'display:grid;gap:var(--gap)'},
    h('div', {class: 'title'}, h('h1', {title: kernel.name}, kernel.title), h('div', {class: 'facts'},
      h('span', {}, `${run.gpu} · ${run.core} core · ${+run.coreMHz.toFixed(3)} MHz`), launch && h('span', {}, `grid ${times(launch.grid)}`), launch && h('span', {}, `block ${times(launch.block)}`),
      launch && h('span', {}, `${launch.registers} registers`), launch && launch.sharedBytes > 0 && h('span', {}, `${bytes(launch.sharedBytes)} shared`),
      run.kernels.length > 1 && h('span', {}, `program: ${run.kernels.length} kernels, ${count(run.cycles)} cycles, ${duration(run.cycles / (run.coreMHz * 1e6))}`),
      run.simulation && h('span', {class: 'faint'}, `simulated in ${duration(run.simulation.wallSeconds)}`), run.modified && h('span', {class: 'faint'}, date(run.modified)))),
    h('div', {class: 'tiles'},
      tile('Duration', count(kernel.cycles), 'cycles', run.kernels.length > 1 ? `${duration(t.seconds)}, from cycle ${count(kernel.start)} to ${count(kernel.end)}` : duration(t.seconds)),
      tile('Warp instructions', count(kernel.warpInstructions), '', `${significant(t.lanes)} lanes active`),
      tile('IPC', significant(t.ipc), '', t.sms ? `${significant(t.ipc / t.sms)} per SM` : 'whole GPU'),
      tile('Occupancy', percent(kernel.occupancy), '', `limited by ${kernel.limiter}`),
      kernel.energy && tile('Energy', significant(1e3 * kernel.energy.joules), 'mJ', `${significant(kernel.energy.watts)} W on average`),
      p && tile('L1 hit rate', t.l1Sectors ? percent(t.l1Hits / t.l1Sectors) : '–', '', `${count(t.l1Sectors)} sectors`),
      p && tile('L2 hit rate', t.l2Sectors ? percent(t.l2Hits / t.l2Sectors) : '–', '', `${count(t.l2Sectors)} sectors`),
      p && tile('DRAM', t.seconds ? bytes((t.dramRead + t.dramWrite) / t.seconds) : '–', '/s', `${bytes(t.dramRead)} read, ${bytes(t.dramWrite)} written`)),
    warnings.length ? h('section', {class: 'panel'}, h('ul', {class: 'warnings'}, warnings.map(w => h('li', {}, w)))) : null);
}

/** The kernel in other runs: cycles and time beside each other, and what changed most. */
function compared(run, kernel) {
  if (!run.others?.length) return null;
  const time = (cycles, mhz) => cycles / (mhz * 1e6);
  const row = (name, cycles, mhz, base, note) => h('tr', {}, h('td', {}, name), h('td', {class: 'num'}, count(cycles)), h('td', {class: 'num'}, duration(time(cycles, mhz))), h('td', {class: 'num'}, base === null ? '' : change(time(base, run.coreMHz), time(cycles, mhz))), h('td', {}, note));
  const rows = [row('this run', kernel.cycles, run.coreMHz, null, '')];
  for (const other of run.others) {
    const same = other.kernels[kernel.id], name = other.before ? other.title : `what if ${other.title}`;
    const states = (same?.states ?? []).slice(0, 5).map(q => `${q.name} ${count(other.before ? q.second : q.first)} → ${count(other.before ? q.first : q.second)}`).join(', ');
    rows.push(same ? row(name, same.cycles, other.coreMHz, kernel.cycles, states) : h('tr', {}, h('td', {}, name), h('td', {colspan: 4}, other.unfinished ? `did not finish: ${other.unfinished}` : 'has no such kernel')));
    if (run.kernels.length > 1 && !other.unfinished) rows.push(row('– whole program', other.cycles, other.coreMHz, run.cycles, ''));
  }
  return panel('compared', 'Compared', 'The same kernel in other runs, and with other settings (what if)', h('div', {class: 'tablewrap'}, h('table', {class: 'compared'}, h('thead', {}, h('tr', {}, h('th', {}, 'Run'), h('th', {class: 'num'}, 'Cycles'), h('th', {class: 'num'}, 'Time'), h('th', {class: 'num'}, 'Against this run'), h('th', {}, 'Warp-cycles that differ most, here → there'))), h('tbody', {}, rows))));
}

/** What differs between the kernel and its counterpart in a chosen run. */
function difference(run, kernel, other) {
  const same = other?.kernels[kernel.id];
  if (!same) return null;
  const names = other.before ? [other.title, 'this run'] : ['this run', `what if ${other.title}`];
  const [before, after] = other.before ? [same.cycles / other.coreMHz, kernel.cycles / run.coreMHz] : [kernel.cycles / run.coreMHz, same.cycles / other.coreMHz];
  const lines = (same.lines ?? []).map((pair, i) => ({line: kernel.profile?.lines[i], there: pair ? pair[1] : null})).filter(one => one.line).map(({line, there}) => [lineName(line.pc, line.text), there ?? 0, sumStalls(line)]);
  for (const [pc, text, cycles] of same.only ?? []) lines.push([`${lineName(pc, text)}`, cycles, 0]);
  const changed = lines.map(([name, there, here]) => other.before ? [name, there, here] : [name, here, there]).filter(([, a, b]) => a !== b).sort((x, y) => Math.abs(y[2] - y[1]) - Math.abs(x[2] - x[1]));
  return panel('difference', faster(before, after, names), `${other.gpu} · ${other.core} core`, other.unmatched.map(words => h('p', {class: 'muted'}, words)),
    h('div', {class: 'two'}, h('div', {}, h('h3', {}, 'Warp-cycles by state'), differences('State', names, same.states.map(q => [q.name, q.first, q.second]))),
      h('div', {}, h('h3', {}, 'Warp-cycles by instruction'), h('p', {class: 'muted'}, matchingText(same.matching, names)), changed.length > 0 && differences('Instruction', names, changed, true))),
    h('details', {class: 'small'}, h('summary', {}, `Counters that differ (${same.counters.length})`), counterTable(names, same.counters)), settingTable(names, other.settings));
}

function showMe(f, openLine) {
  return f.lines?.length ? h('a', {href: '#listing', onclick: e => { e.preventDefault(); openLine(f.lines[0]); }}, f.lines.length > 1 ? `Show the first of ${f.lines.length} lines` : 'Show the line') : h('a', {href: `#${f.section}`}, 'Show me');
}

/** What taking the cause away gained in a simulation, or how to ask for it. */
function gainOf(f) {
  if (!f.whatIf) return null;
  const told = f.gain === undefined ? 'To simulate the kernel without this cause: ' : `Without this cause the kernel takes ${f.gain >= .0005 ? `${percent(f.gain)} less time` : 'no less time'}, as simulated with `;
  return h('p', {class: 'gain'}, told, h('code', {style: 'overflow-wrap:anywhere'}, `--what-if ${f.whatIf}`));
}

/** Why it takes that long, with the warps' time as evidence. */
function verdict(kernel, t, openLine) {
  const [first] = kernel.findings ?? [];
  if (!first) return null;
  const parts = t.states.map(one => ({label: one.label, value: one.value, colour: colour(one.key)}));
  return h('section', {class: 'panel verdict'}, h('h2', {}, first.title), h('p', {}, first.text), h('p', {class: 'advice'}, first.advice, ' ', showMe(first, openLine)), gainOf(first),
    h('div', {class: 'evidence'}, stackBar(parts), legend(parts.slice(0, 5).map(p => ({label: `${p.label} ${percent(p.value / (t.warpCycles || 1))}`, colour: p.colour})))));
}

function findings(kernel, openLine) {
  const others = (kernel.findings ?? []).slice(1);
  if (!others.length) return null;
  return panel('findings', 'Also worth knowing', others.some(f => f.gain !== undefined) ? 'Sorted by what taking the cause away gains, then by how much of the time it may concern' : 'Sorted by how much of the time it may concern; run with --advise to see what each costs',
    h('div', {}, others.slice(0, 8).map(f => h('div', {class: 'finding'}, h('span', {class: 'weight', title: f.gain === undefined ? 'share of the time it may concern' : 'gain as simulated'}, percent(f.gain === undefined ? f.weight : Math.max(0, f.gain))), h('div', {}, h('strong', {}, f.title), h('p', {}, f.text, ' ', f.advice, ' ', showMe(f, openLine)), f.gain !== undefined && gainOf(f))))));
}

/** The listing added up by opcode: which kind of instruction takes the time. */
function opcodes(run, kernel, t) {
  const groups = new Map();
  for (const line of kernel.profile.lines) {
    const name = line.text.replace(/^@\S+\s+/, '').split(/\s/)[0];
    const group = groups.get(name) ?? {name, lines: 0, executed: 0, cycles: 0, reasons: new Map()};
    group.lines++;
    group.executed += line.n;
    for (let i = 0; i < line.stalls.length; i += 2) {
      group.cycles += line.stalls[i + 1];
      group.reasons.set(line.stalls[i], (group.reasons.get(line.stalls[i]) ?? 0) + line.stalls[i + 1]);
    }
    groups.set(name, group);
  }
  const list = [...groups.values()].sort((a, b) => b.cycles - a.cycles), most = list[0]?.cycles || 1;
  const body = h('tbody');
  const more = h('button', {style: 'margin-top:8px', onclick: () => draw(list.length)}, `Show all ${count(list.length)}`);
  const row = g => h('tr', {}, h('td', {class: 'num'}, percent(g.cycles / (t.warpCycles || 1))), h('td', {class: 'mono'}, g.name),
    h('td', {class: 'mix'}, h('div', {style: `width:${Math.max(2, 100 * g.cycles / most)}%`}, stackBar([...g.reasons].sort((a, b) => b[1] - a[1]).map(([r, value]) => ({label: run.reasons[r].label, value, colour: colour(run.reasons[r].key)})), true))),
    h('td', {class: 'num hide-small'}, count(g.lines)), h('td', {class: 'num'}, count(g.executed)), h('td', {class: 'num hide-small'}, g.executed ? significant(g.cycles / g.executed) : ''));
  const draw = size => { body.replaceChildren(...list.slice(0, size).map(row)); more.hidden = size >= list.length; };
  draw(12);
  return panel('opcodes', 'Opcodes', 'The listing added up by kind of instruction', h('div', {class: 'tablewrap'}, h('table', {class: 'opcodes'}, h('thead', {}, h('tr', {}, h('th', {class: 'num'}, 'Time'), h('th', {}, 'Opcode'), h('th', {}, 'Waits'), h('th', {class: 'num hide-small'}, 'Lines'), h('th', {class: 'num'}, 'Executed'), h('th', {class: 'num hide-small'}, 'Cycles each'))), body)), more);
}

function speedOfLight(run, kernel) {
  const list = kernel.profile.throughputs.filter(t => t.unit !== 'flops').map(t => ({...t, share: t.done / (t.peakPerCycle * kernel.cycles)})).sort((a, b) => b.share - a.share);
  return panel('speed', 'Speed of light', 'Achieved against the peak of each part, over the whole kernel', list.length === 0 ? h('p', {class: 'muted'}, 'This core reports no peaks.') :
    h('div', {}, list.map(t => h('div', {class: 'meter', ...tipped(h('b', {}, t.part), h('div', {}, `${count(t.done)} ${t.unit} done`), h('div', {}, `${significant(t.done / kernel.cycles)} of ${significant(t.peakPerCycle)} per cycle`))},
      h('span', {class: 'name'}, t.part), h('span', {class: 'track'}, h('i', {class: t.share > .6 ? 'fill high' : 'fill', style: `display:block;width:${Math.min(100, 100 * t.share)}%`})),
      h('span', {class: 'num'}, percent(t.share)), h('span', {class: 'amount'}, `${significant(t.done / kernel.cycles)} / ${significant(t.peakPerCycle)} ${t.unit} per cycle`)))));
}

const KIND_COLOURS = {FP64: '#7d58a8', FP32: '#2e9e5b', FP16: '#ee8434', TENSOR: '#1f6fd0'};

function rooflinePanel(run, kernel, t) {
  const p = kernel.profile, hz = run.coreMHz * 1e6;
  const flops = new Map();
  for (const l of p.lines) if (l.flops) flops.set(l.kind, (flops.get(l.kind) ?? 0) + l.flops);
  const roofs = p.throughputs.filter(x => x.unit === 'flops').map(x => ({label: x.part, rate: x.peakPerCycle * hz}));
  const pipes = [['DRAM', '#d9432f', t.dramRead + t.dramWrite], ['L2', '#ee8434', 32 * t.l2Sectors], ['L1', '#f2c14e', 32 * t.l1Sectors]];
  const bandwidths = pipes.map(([part, shade, moved]) => {
    const peak = p.throughputs.find(x => x.part === part && x.unit === 'bytes');
    return peak && {label: `${part} bandwidth`, part, moved, rate: peak.peakPerCycle * hz, colour: shade};
  }).filter(Boolean);
  const points = bandwidths.flatMap(b => [...flops].filter(() => b.moved > 0).map(([kind, done]) => ({label: `${kind}, ${b.part} traffic`, intensity: done / b.moved, rate: done / t.seconds, colour: b.colour})));
  const total = sum([...flops.values()]);
  const body = roofs.length && bandwidths.length ? [roofline({roofs: roofs.filter(r => flops.size === 0 || flops.has(r.label) || r.label === 'FP32'), bandwidths, points}),
    legend([...bandwidths.map(b => ({label: b.label, colour: b.colour}))])] : h('p', {class: 'muted'}, 'This core reports no peaks for a roofline.');
  return panel('roofline', 'Roofline', total ? `${count(total)} flop · ${count(total / t.seconds)}flop/s` : 'No floating-point operations', body);
}

function occupancy(kernel) {
  const l = kernel.profile.launch;
  const limits = Object.entries(l.blocksPerSm ?? {}).filter(([, v]) => v >= 0);
  const resident = Math.min(...limits.map(([, v]) => v));
  const theory = l.warpSlots ? Math.min(1, resident * l.warpsPerBlock / l.warpSlots) : 0;
  const most = Math.max(...limits.map(([, v]) => Math.min(v, 64)), 1);
  return panel('occupancy', 'Occupancy', `Blocks of ${l.warpsPerBlock} warps on an SM of ${l.warpSlots}`,
    h('div', {class: 'meter'}, h('span', {}, 'Achieved'), h('span', {class: 'track'}, h('i', {class: 'fill', style: `display:block;width:${100 * kernel.occupancy}%`})), h('span', {class: 'num'}, percent(kernel.occupancy)), h('span', {class: 'amount'}, 'of warp slots')),
    limits.length > 0 && h('div', {class: 'meter'}, h('span', {}, 'Possible'), h('span', {class: 'track'}, h('i', {class: 'fill', style: `display:block;width:${100 * theory}%;opacity:.45`})), h('span', {class: 'num'}, percent(theory)), h('span', {class: 'amount'}, `${resident} blocks`)),
    h('h3', {style: 'margin:14px 0 4px'}, 'Blocks an SM can hold, by limit'),
    limits.sort((a, b) => a[1] - b[1]).map(([name, blocks]) => h('div', {class: 'meter'}, h('span', {class: 'name'}, name), h('span', {class: 'track'}, h('i', {class: blocks === resident ? 'fill high' : 'fill', style: `display:block;opacity:${blocks === resident ? 1 : .4};width:${100 * Math.min(1, blocks / most)}%`})), h('span', {class: 'num'}, blocks > 1e6 ? '–' : count(blocks)), h('span', {class: 'amount'}, blocks === resident ? 'the limit' : ''))),
    h('p', {class: 'muted', style: 'margin-top:10px'}, `The run was limited by ${kernel.limiter}.`), waves(kernel));
}

function warpStates(run, t) {
  const total = t.warpCycles || 1, states = t.states, worst = states[0]?.value || 1;
  const byTheirs = () => {
    const groups = new Map();
    for (const one of states) {
      const g = groups.get(one.theirs) ?? {key: one.key, label: one.theirs || 'none', theirs: '', explanation: '', value: 0};
      g.value += one.value;
      g.explanation += (g.explanation && ' ') + one.explanation;
      groups.set(one.theirs, g);
    }
    return [...groups.values()].sort((a, b) => b.value - a.value);
  };
  const rows = h('div');
  const draw = list => rows.replaceChildren(h('div', {style: 'margin-bottom:12px'}, stackBar(list.map(one => ({label: one.label, value: one.value, colour: colour(one.key)})))), ...list.map(one => h('div', {class: 'state', ...tipped(h('b', {}, one.label), h('div', {}, one.explanation), one.theirs && h('div', {class: 'mono'}, `stalls.${one.key} in --json`))},
    h('i', {class: 'dot', style: `background:${colour(one.key)}`}), h('span', {}, one.label), h('span', {class: 'track'}, h('i', {style: `width:${100 * one.value / (list[0]?.value || worst)}%;background:${colour(one.key)}`})),
    h('span', {class: 'num'}, percent(one.value / total)), h('span', {class: 'num cycles muted'}, count(one.value)), h('span', {class: 'nsight'}, one.theirs))));
  draw(states);
  const ours = h('button', {'aria-pressed': 'true', onclick: () => press(ours, states)}, 'By cause');
  const theirs = h('button', {'aria-pressed': 'false', onclick: () => press(theirs, byTheirs())}, run.profiler === 'gem5' ? 'gem5 names' : 'Nsight names');
  const press = (button, list) => { for (const b of [ours, theirs]) b.setAttribute('aria-pressed', String(b === button)); draw(list); };
  const view = panel('states', 'Warp states', `Every cycle of every warp has one reason: ${count(total)} warp-cycles in all`, rows);
  view.querySelector('header').append(h('span', {class: 'spacer'}), h('div', {class: 'tools'}, ours, theirs));
  return view;
}

function overTime(run, kernel, t) {
  const series = kernel.profile.series, bucket = series.bucketCycles, sms = t.busySms || 1;
  const per = (values, scale) => (values ?? []).map(v => v * scale / bucket);
  const order = t.states.map(one => one.key).filter(key => series.states[key]);
  const states = order.map(key => ({label: run.reasons.find(r => r.key === key).label, colour: colour(key), values: per(series.states[key], 1 / sms)}));
  const ipc = [{label: 'IPC per SM', colour: '#2e9e5b', values: per(series.states.selected, 1 / sms)}];
  const hz = run.coreMHz * 1e6;
  const traffic = [{label: 'L1', colour: '#e0a912', values: per(series.l1Sectors, 32 * hz)}, {label: 'L2', colour: '#ee8434', values: per(series.l2Sectors, 32 * hz)},
    {label: 'DRAM read', colour: '#d9432f', values: per(series.dramRead, hz)}, {label: 'DRAM write', colour: '#9d6fc9', values: per(series.dramWrite, hz)}].filter(one => one.values.some(v => v > 0));
  const rate = v => v === 0 ? '0' : bytes(v);
  return panel('time', 'Over time', `Buckets of ${count(bucket)} cycles`,
    h('h3', {}, 'Warps per active SM, by state'), timeChart({series: states, bucket, stacked: true, height: 190, label: 'Warps by state over time', format: significant}), legend(states.slice(0, 10)),
    h('div', {class: 'two', style: 'margin-top:16px'}, h('div', {}, h('h3', {}, 'Instructions per cycle and active SM'), timeChart({series: ipc, bucket, label: 'IPC over time', format: significant})),
      h('div', {}, h('h3', {}, 'Traffic, bytes per second'), traffic.length ? [timeChart({series: traffic, bucket, label: 'Traffic over time', format: rate}), legend(traffic)] : h('p', {class: 'muted'}, 'No memory traffic.'))));
}

const PARTS = {'static': '#8d99a6', 'issue': '#2e9e5b', 'registers': '#b5651d', 'arithmetic': '#3b7dd8', 'tensor cores': '#9d6fc9', 'shared memory': '#37b3c4', 'L1': '#e0a912', 'L2 and network': '#ee8434', 'DRAM': '#d9432f'};

/** Where the joules go, and power over time. */
function energy(kernel) {
  const e = kernel.energy;
  if (!e) return null;
  const parts = Object.entries(e.parts).filter(([, joules]) => joules > 0).sort((a, b) => b[1] - a[1]);
  const rows = parts.map(([name, joules]) => h('tr', {}, h('td', {}, h('i', {class: 'dot', style: `background:${PARTS[name]}`}), ` ${name}`), h('td', {class: 'num'}, `${significant(1e3 * joules)} mJ`), h('td', {class: 'num'}, `${significant(e.watts * joules / e.joules)} W`), h('td', {class: 'num'}, percent(joules / e.joules))));
  const series = e.power && Object.entries(e.power).map(([label, values]) => ({label, colour: PARTS[label], values}));
  return panel('energy', 'Energy', `${significant(1e3 * e.joules)} mJ${e.betweenCards > 0 ? ` (± ${percent(e.betweenCards)} between cards)` : ''}, ${significant(e.watts)} W on average, energy-delay product ${significant(1e9 * e.energyDelay)} nJs; idle power of the board included`,
    h('div', {class: 'tablewrap'}, h('table', {class: 'energy'}, h('thead', {}, h('tr', {}, h('th', {}, 'Part'), h('th', {class: 'num'}, 'Energy'), h('th', {class: 'num'}, 'Power'), h('th', {class: 'num'}, 'Share'))), h('tbody', {}, rows))),
    series && [h('h3', {}, 'Power over time, W'), timeChart({series, bucket: e.intervalCycles, stacked: true, height: 190, label: 'Power over time', format: significant}), legend(series)]);
}

function memory(run, kernel, t) {
  const rate = amount => t.seconds ? `${bytes(amount / t.seconds)}/s` : '';
  const peak = part => kernel.profile.throughputs.find(x => x.part === part && x.unit === 'bytes');
  const use = (part, amount) => peak(part) ? `${percent(amount / (peak(part).peakPerCycle * kernel.cycles))} of peak` : '';
  const fills = Math.max(0, t.l1Sectors - t.l1Hits);
  const nodes = [
    {name: 'Warps', lines: [`${count(kernel.warpInstructions)} instructions`, `${count(t.requests)} global requests`, `${count(t.sharedRequests)} shared requests`]},
    {name: 'L1 and shared', lines: [t.l1Sectors ? `hit rate ${percent(t.l1Hits / t.l1Sectors)}` : 'no global traffic', `${significant(t.requests ? t.l1Sectors / t.requests : 0)} sectors per request`, `${count(t.conflicts)} bank conflicts`], share: t.l1Sectors ? t.l1Hits / t.l1Sectors : null},
    {name: 'L2', lines: [t.l2Sectors ? `hit rate ${percent(t.l2Hits / t.l2Sectors)}` : 'no traffic', `${kernel.profile.slices.length} slices`, use('L2', 32 * t.l2Sectors)], share: t.l2Sectors ? t.l2Hits / t.l2Sectors : null},
    {name: 'DRAM', lines: [`${bytes(t.dramRead)} read`, `${bytes(t.dramWrite)} written`, use('DRAM', t.dramRead + t.dramWrite)]},
  ];
  const links = [{top: bytes(32 * t.l1Sectors), low: rate(32 * t.l1Sectors), amount: 32 * t.l1Sectors}, {top: bytes(32 * t.l2Sectors), low: rate(32 * t.l2Sectors), amount: 32 * t.l2Sectors, note: `${count(fills)} sectors missed L1`},
    {top: bytes(t.dramRead + t.dramWrite), low: rate(t.dramRead + t.dramWrite), amount: t.dramRead + t.dramWrite}];
  return panel('memory', 'Memory', 'What moved between the levels', responsive(width => memoryDiagram(nodes, links, width)));
}

function memoryDiagram(nodes, links, width) {
  const upright = width < 720, tall = 92, most = Math.max(...links.map(l => l.amount), 1);
  const boxW = upright ? width - 2 : Math.min(190, (width - 3 * 90) / 4), linkLength = upright ? 46 : (width - 4 * boxW) / 3;
  const height = upright ? 4 * tall + 3 * linkLength + 2 : tall + 24;
  const svg = s('svg', {class: 'chart', height, viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': 'Memory levels with traffic and hit rates'});
  const at = i => upright ? {x: 1, y: 1 + i * (tall + linkLength)} : {x: i * (boxW + linkLength), y: 12};
  links.forEach((link, i) => {
    const from = at(i), to = at(i + 1), thick = link.amount ? 2 + 14 * Math.sqrt(link.amount / most) : 1;
    const [x1, y1, x2, y2] = upright ? [boxW / 2, from.y + tall, boxW / 2, to.y] : [from.x + boxW, from.y + tall / 2, to.x, to.y + tall / 2];
    svg.append(s('line', {x1, y1, x2, y2, stroke: 'var(--accent)', 'stroke-opacity': link.amount ? .45 : .15, 'stroke-width': thick}));
    const mid = {x: (x1 + x2) / 2, y: (y1 + y2) / 2};
    const label = upright ? {x: mid.x + 16, y: mid.y - 2, anchor: 'start'} : {x: mid.x, y: mid.y - thick / 2 - 6, anchor: 'middle'};
    svg.append(s('text', {x: label.x, y: label.y, 'text-anchor': label.anchor, class: 'strong'}, link.top), s('text', {x: label.x, y: upright ? label.y + 15 : mid.y + thick / 2 + 15, 'text-anchor': label.anchor}, link.low));
  });
  nodes.forEach((node, i) => {
    const {x, y} = at(i);
    svg.append(s('rect', {class: 'box', x, y, width: boxW, height: tall, rx: 8}));
    if (node.share !== null && node.share !== undefined) svg.append(s('rect', {x, y: y + tall - 5, width: boxW, height: 5, fill: 'var(--line)'}), s('rect', {x, y: y + tall - 5, width: boxW * node.share, height: 5, fill: 'var(--accent)'}));
    svg.append(s('text', {x: x + 12, y: y + 22, class: 'strong', style: 'font-size:13px'}, node.name), ...node.lines.map((line, j) => s('text', {x: x + 12, y: y + 42 + 16 * j}, line)));
  });
  return svg;
}

function balance(kernel) {
  const p = kernel.profile;
  const sms = p.sms.map((sm, i) => ({label: `SM ${i}`, value: sm[2]}));
  const issued = p.sms.map((sm, i) => ({label: `SM ${i}`, value: sm[3]}));
  const chart = (title, body) => h('div', {}, h('h3', {style: 'margin-bottom:6px'}, title), body);
  return panel('balance', 'Balance', 'How evenly the work is spread; the dashed line is the mean', h('div', {class: 'two', style: 'gap:20px'},
    chart('Busy cycles per SM', columns({parts: sms, unit: 'cycles'})), chart('Warp instructions per SM', columns({parts: issued, unit: 'instructions', colour: '#2e9e5b'})),
    chart('L2 slices: hits and misses', columns({parts: p.slices.map((t, i) => ({label: `Slice ${i}`, value: t[1], value2: t[0] - t[1]})), unit: 'sectors', names: ['hits', 'misses']})),
    chart('DRAM channels: read and written', columns({parts: p.channels.map((t, i) => ({label: `Channel ${i}`, value: t[0], value2: t[1]})), unit: 'bytes', colour: '#d9432f', colour2: '#9d6fc9', names: ['read', 'written']}))));
}

function keyValues(entries, placeholder) {
  const list = h('div', {class: 'kv'});
  const draw = wanted => list.replaceChildren(...entries.filter(([k]) => k.toLowerCase().includes(wanted)).map(([k, v]) => h('div', {}, h('span', {}, k), h('span', {}, typeof v === 'number' ? count(v) : String(v)))));
  draw('');
  return [h('div', {class: 'tools', style: 'margin-bottom:10px'}, h('input', {type: 'search', placeholder, 'aria-label': placeholder, oninput: e => draw(e.target.value.toLowerCase())})), list];
}

function statistics(kernel) {
  const entries = Object.entries(kernel.statistics ?? {});
  return h('details', {class: 'panel', id: 'statistics'}, h('summary', {}, `Statistics (${entries.length})`), keyValues(entries, 'Filter statistics'));
}

function configuration(run) {
  const entries = Object.entries(run.configuration ?? {});
  return h('details', {class: 'panel', id: 'configuration'}, h('summary', {}, `Configuration (${entries.length} settings)`), keyValues(entries, 'Filter settings'));
}

/** What the result rests on: version, command, input, hashes. */
function origin(run) {
  if (!run.origin) return null;
  return h('details', {class: 'panel', id: 'origin'}, h('summary', {}, 'Origin'), keyValues(Object.entries(run.origin), 'Filter origin'));
}
