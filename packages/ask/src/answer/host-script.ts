/**
 * Hosts that pretend to be others: a label such as `аpple` with a Cyrillic first letter looks like a name it is not.
 * Browsers show such labels in punycode; an answer's reader sees only the words of a link, so it is none.
 */

const LATIN = /\p{Script=Latin}/u;
const LOOKALIKE = /[\p{Script=Cyrillic}\p{Script=Greek}]/u;

/** Whether a label of a host (as `URL.hostname` gives it, in punycode) mixes Latin letters with Cyrillic or Greek. */
export function mixesScripts(hostname: string): boolean {
  return hostname.split(".").some((label) => {
    if (!label.startsWith("xn--")) return false;
    const read = decodeLabel(label.slice("xn--".length));
    return LATIN.test(read) && LOOKALIKE.test(read);
  });
}

// Parameters of RFC 3492, section 5.
const [BASE, T_MIN, T_MAX, SKEW, DAMP, FIRST_BIAS, FIRST_CODE] = [36, 1, 26, 38, 700, 72, 128];

/** RFC 3492, section 6.2, of a label that `URL` has accepted: what is not punycode is read as far as it goes. */
function decodeLabel(label: string): string {
  const delimiter = label.lastIndexOf("-");
  const points = Array.from(label.slice(0, Math.max(0, delimiter)), (character) => character.charCodeAt(0));
  let [code, bias, position, at] = [FIRST_CODE, FIRST_BIAS, 0, delimiter + 1];
  while (at < label.length) {
    const before = position;
    let weight = 1;
    for (let k = BASE; at < label.length; k += BASE) {
      const digit = digitOf(label.charCodeAt(at++));
      position += digit * weight;
      const threshold = Math.min(T_MAX, Math.max(T_MIN, k - bias));
      if (digit < threshold) break;
      weight *= BASE - threshold;
    }
    const length = points.length + 1;
    bias = adapted(position - before, length, before === 0);
    code += Math.floor(position / length);
    position %= length;
    if (code > 0x10ffff) break;
    points.splice(position++, 0, code);
  }
  return String.fromCodePoint(...points);
}

function digitOf(code: number): number {
  return code >= 0x30 && code <= 0x39 ? code - 0x30 + 26 : (code | 0x20) - 0x61;
}

function adapted(delta: number, length: number, isFirst: boolean): number {
  let rest = Math.floor(delta / (isFirst ? DAMP : 2));
  rest += Math.floor(rest / length);
  let k = 0;
  for (; rest > ((BASE - T_MIN) * T_MAX) / 2; k += BASE) rest = Math.floor(rest / (BASE - T_MIN));
  return k + Math.floor(((BASE - T_MIN + 1) * rest) / (rest + SKEW));
}
