const TOKENS = /\s*(?:([0-9]+(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?)|'([^']*)'|([A-Za-z_][\w.]*(?:\[[0-9]+\][\w.]*)?)|(<=|>=|==|!=|[-+*\/%()<>~,]))/y;
/** A number to count with; a column that a point lacks is none. */
const counted = v => typeof v === 'number' ? v : typeof v === 'boolean' ? Number(v) : NaN;
const FUNCTIONS = {min: Math.min, max: Math.max, round: Math.round, floor: Math.floor, ceil: Math.ceil, sqrt: Math.sqrt, log2: Math.log2};

/**
 * Reads a formula as studies have them: numbers, 'text', columns, + - * / %, comparisons, ~ for a regular expression,
 * and, or, not. Gives a function of a row, where reader(name) gives a column as a function of a row.
 */
export function formula(text, reader) {
  const tokens = [];
  TOKENS.lastIndex = 0;
  while (TOKENS.lastIndex < text.trimEnd().length) {
    const at = TOKENS.lastIndex, match = TOKENS.exec(text);
    if (!match) throw new Error(`“${text}”: cannot read “${text.slice(at).trim().slice(0, 12)}”`);
    tokens.push(match[1] !== undefined ? {number: Number(match[1])} : match[2] !== undefined ? {text: match[2]} : match[3] !== undefined ? {name: match[3]} : {sign: match[4]});
  }
  let next = 0;
  const is = word => tokens[next]?.sign === word || tokens[next]?.name === word;
  const take = word => is(word) && ++next > 0;
  const need = word => { if (!take(word)) throw new Error(`“${text}”: expected ${word}`); };

  function chain(lower, words, make) {
    let left = lower();
    for (let word = words.find(take); word; word = words.find(take)) {
      const a = left, b = lower(), f = make[word] ?? make;
      left = i => f(a(i), b(i));
    }
    return left;
  }
  const or = () => chain(and, ['or'], (a, b) => a || b);
  const and = () => chain(not, ['and'], (a, b) => a && b);
  const not = () => {
    if (!take('not')) return compared();
    const a = not();
    return i => !a(i);
  };
  const compared = () => chain(sum, ['<=', '>=', '==', '!=', '<', '>', '~'], {
    '<': (a, b) => counted(a) < counted(b), '<=': (a, b) => counted(a) <= counted(b), '>': (a, b) => counted(a) > counted(b), '>=': (a, b) => counted(a) >= counted(b), '==': (a, b) => a === b, '!=': (a, b) => a !== b, '~': (a, b) => new RegExp(b).test(String(a))});
  const sum = () => chain(product, ['+', '-'], {'+': (a, b) => counted(a) + counted(b), '-': (a, b) => counted(a) - counted(b)});
  const product = () => chain(factor, ['*', '/', '%'], {'*': (a, b) => counted(a) * counted(b), '/': (a, b) => counted(a) / counted(b), '%': (a, b) => counted(a) % counted(b)});
  const factor = () => {
    if (take('-')) { const a = factor(); return i => -counted(a(i)); }
    if (take('(')) { const a = or(); need(')'); return a; }
    const token = tokens[next++];
    if (token?.number !== undefined) return () => token.number;
    if (token?.text !== undefined) return () => token.text;
    if (token?.name === undefined) throw new Error(`“${text}”: expected a number, 'text' or a column at the ${next > tokens.length ? 'end' : `${next}. word`}`);
    if (is('(')) {
      const f = FUNCTIONS[token.name], inner = [];
      if (!f) throw new Error(`“${text}”: there is no function ${token.name}`);
      next++;
      do inner.push(or()); while (take(','));
      need(')');
      return i => f(...inner.map(one => counted(one(i))));
    }
    return reader(token.name);
  };
  if (tokens.length === 0) throw new Error('an empty formula');
  const whole = or();
  if (next < tokens.length) throw new Error(`“${text}”: expected the end after ${next} words`);
  return whole;
}
