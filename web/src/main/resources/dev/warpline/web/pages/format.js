const whole = new Intl.NumberFormat('en-US', {maximumFractionDigits: 0});
const THIN = '\u2009';

/** A count: all digits up to a million, then three significant ones with a suffix. */
export function count(value) {
  const size = Math.abs(value);
  if (size >= 1e12) return significant(value / 1e12) + THIN + 'T';
  if (size >= 1e9) return significant(value / 1e9) + THIN + 'G';
  if (size >= 1e6) return significant(value / 1e6) + THIN + 'M';
  return size >= 1000 || Number.isInteger(value) ? whole.format(value) : significant(value);
}

export function significant(value) {
  if (!Number.isFinite(value)) return '–';
  const size = Math.abs(value);
  return value.toFixed(size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : size === 0 ? 0 : 3);
}

/** A number of an axis, without zeros at its end. */
export function plain(value) {
  return String(Number(value.toPrecision(3)));
}

export function percent(share) {
  if (!Number.isFinite(share)) return '–';
  const value = 100 * share;
  return (Math.abs(value) >= 99.95 ? value.toFixed(0) : Math.abs(value) >= 0.095 || value === 0 ? value.toFixed(1) : '<0.1') + THIN + '%';
}

export function bytes(value) {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let i = 0;
  while (value >= 1000 && i < units.length - 1) { value /= 1000; i++; }
  return (i === 0 ? whole.format(value) : significant(value)) + THIN + units[i];
}

/** Seconds as people say them. */
export function duration(seconds) {
  if (seconds < 1e-3) return significant(seconds * 1e6) + THIN + 'µs';
  if (seconds < 1) return significant(seconds * 1e3) + THIN + 'ms';
  if (seconds < 120) return significant(seconds) + THIN + 's';
  return whole.format(seconds / 60) + THIN + 'min';
}

/** A moment, as 2026-03-01 14:05 in the reader's own time. */
export function date(millis) {
  const d = new Date(millis), two = n => String(n).padStart(2, '0');
  return `${d.getFullYear()}-${two(d.getMonth() + 1)}-${two(d.getDate())} ${two(d.getHours())}:${two(d.getMinutes())}`;
}

export function hex(pc) {
  return '0x' + pc.toString(16).padStart(4, '0');
}

/** C++ names are long; this keeps the part people know: _Z6vecaddPKfS0_Pf is vecadd. */
export function shortName(name) {
  const nested = /^_ZN?K?((?:\d+[A-Za-z_]\w*)+)/.exec(name);
  if (!nested) return name;
  const parts = [];
  let rest = name.slice(name.indexOf('_Z') + 2).replace(/^NK?/, '');
  for (let m = /^(\d+)/.exec(rest); m; m = /^(\d+)/.exec(rest)) {
    const length = Number(m[1]);
    parts.push(rest.slice(m[1].length, m[1].length + length));
    rest = rest.slice(m[1].length + length);
  }
  return parts.join('::') || name;
}

/** Colours of warp states: green works, blue computes, orange to red waits for memory, violet inside the SM. */
const COLOURS = {
  selected: '#2e9e5b', not_selected: '#a9c7a4', wait: '#4f8fd6', scalar_wait: '#6f9fc4', tensor: '#2f6fc0', fp64: '#7aa9e0', gmma: '#1d4f99', unit_busy: '#9bbfe8',
  l1_hit: '#f2c14e', l1_miss: '#f0a63c', l2_hit: '#ee8434', dram: '#d9432f', atomic: '#b5362a', async_copy: '#f7a072', distributed_shared: '#c96f4a', mbarrier: '#e06a8b',
  shared: '#9d6fc9', shuffle: '#c3a3e3', constant_load: '#7d58a8', mufu: '#b28ad6', special_register: '#8f7fb5', short_other: '#cbb8dd',
  fetch: '#20a39e', constant_miss: '#5fbfb5', branch: '#147d78', barrier: '#d05a9e', membar: '#a93f7d', sleeping: '#c9a0b8',
  global_queue: '#a47148', mio_queue: '#c49a6c', texture_queue: '#8a5a30', dispatch: '#d9c2a0', drain: '#8d99a6', misc: '#b6bec7',
};

export function colour(reason) {
  return COLOURS[reason] ?? '#8d99a6';
}
