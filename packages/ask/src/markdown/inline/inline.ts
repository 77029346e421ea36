/**
 * A finished or unfinished text -> inline nodes (CommonMark 0.31 section 6, raw HTML left out, strikethrough
 * and citation marks added). One pass from left to right; each search ahead is remembered, so the work is linear.
 */
import { autolinkAt } from "./autolinks.ts";
import { MARK_OPENERS, markAt } from "../marks.ts";
import { delimiterAt, type InlineToken, matchEmphasis } from "./emphasis.ts";
import { characterReference } from "./entities.ts";
import { footnoteAt } from "../footnotes.ts";
import { formulaAt } from "./formulas.ts";
import { isEscapable, normalLabel, readInlineTail, readLabel, type Reference, UNFINISHED } from "../references.ts";
import { isPlain, nextSpecial } from "../plain-text.ts";
import { type Inline, plainText } from "../tree.ts";

/** What the text around tells the inline parser. */
export interface InlineContext {
  /** Whether citation marks are looked for. */
  readonly citations: boolean;
  /** The definition of a normalised label, if there is one so far. */
  resolve(label: string): Reference | undefined;
}

export interface InlineResult {
  readonly nodes: Inline[];
  /**
   * How far the text is settled: at this position nothing later text can bring changes what stands before it. Always
   * at a plain character, and the whole length for a complete text.
   */
  readonly settled: number;
  /** The nodes end before the text does: a mark that is still being written is not among them. */
  readonly held: boolean;
  /** Labels in brackets that have no definition so far. */
  readonly missing: readonly string[];
}

interface Bracket {
  readonly at: number;
  readonly image: boolean;
  /** Number of tokens before it. */
  readonly tokens: number;
  /** False once a link was made inside: links do not nest. */
  active: boolean;
  /** Another bracket was opened inside, so its content is no label. */
  nested: boolean;
}

/** Parses a text. `complete`: nothing follows; otherwise what may still change is reported through `settled`. */
export function parseInline(text: string, context: InlineContext, complete: boolean): InlineResult {
  return new InlineParser(text, context, complete).run();
}

/**
 * How much may stand behind a mark that nobody has closed yet before it is shown as the characters it is written with:
 * a phrase, not the rest of a paragraph that happens to hold a lone star.
 */
const HELD_PHRASE = 240;
/** The same for an address that is being written. */
const HELD_ADDRESS = 4096;
/** The same for a formula: a dollar sign alone is often money. */
const HELD_FORMULA = 80;

const REFERENCE = /&(?:#[xX]?)?[A-Za-z0-9]{1,31};/y;
const UNFINISHED_REFERENCE = /&(?:#[xX]?)?[A-Za-z0-9]{0,31}$/y;

class InlineParser {
  private at = 0;
  private tokens: InlineToken[] = [];
  private readonly brackets: Bracket[] = [];
  /** Ranges that are one thing: nothing may be cut inside them. */
  private readonly spans: (readonly [number, number])[] = [];
  private readonly missing: string[] = [];
  /** Where something begins that later text may complete. */
  private pending: number;
  /** From here on a half-written mark is not shown; the end of the text where there is none. */
  private heldFrom: number;
  /** Length of backtick run -> position behind which no run of that length is left. */
  private readonly noBackticks = new Map<number, number>();
  private readonly text: string;
  private readonly context: InlineContext;
  private readonly complete: boolean;

  constructor(text: string, context: InlineContext, complete: boolean) {
    this.text = text;
    this.context = context;
    this.complete = complete;
    this.pending = text.length;
    this.heldFrom = text.length;
  }

  run(): InlineResult {
    while (this.at < this.text.length) this.step();
    const { nodes, spans, open } = matchEmphasis(this.tokens);
    const missing = this.missing;
    if (this.complete) return { nodes, settled: this.text.length, held: false, missing };
    // One tilde stands for "about" far more often than it strikes out.
    for (const at of open) this.wait(at, this.text[at] === "~" && this.text[at + 1] !== "~" ? 0 : HELD_PHRASE);
    for (const bracket of this.brackets) if (bracket.active) this.wait(bracket.at, HELD_PHRASE);
    const all = [...this.spans, ...spans];
    const end = this.endOfShown(all);
    const held = end < this.text.length;
    const shown = held ? matchEmphasis(this.tokens.filter((token) => startOf(token) < end)).nodes : nodes;
    return { nodes: shown, settled: this.lastPlain(all), held, missing };
  }

  /** Where what is held back begins, and not inside anything: a phrase is not cut in front of the run that closes it. */
  private endOfShown(spans: readonly (readonly [number, number])[]): number {
    let shown = this.heldFrom;
    for (const [start, end] of spans.toSorted((one, other) => other[0] - one[0])) {
      if (start >= shown || end <= shown) continue;
      // So long that it was shown already, as it was written: it stays.
      if (this.text.length - start > HELD_PHRASE) return this.text.length;
      shown = start;
    }
    return shown;
  }

  private step(): void {
    const next = nextSpecial(this.text, this.at);
    if (next > this.at) this.addText(this.text.slice(this.at, next));
    this.at = next;
    const character = this.text[next];
    if (character === undefined) return;
    if (character === "[" && this.footnote()) return;
    if (this.context.citations && MARK_OPENERS.includes(character) && this.citation()) return;
    switch (character) {
      case "\\":
        return this.formula() ? undefined : this.backslash();
      case "$":
        return this.formula() ? undefined : this.literal(1);
      case "`":
        return this.codeSpan();
      case "*":
      case "_":
      case "~":
        return this.delimiter();
      case "[":
        return this.openBracket(false);
      case "!":
        return this.exclamation();
      case "]":
        return this.closeBracket();
      case "<":
        return this.autolink();
      case "&":
        return this.reference();
      case "\n":
        return this.lineFeed();
      default:
        return this.literal(1);
    }
  }

  /**
   * Something from here on may still become another thing. While no more than `hold` characters of it have come it is
   * not shown either: brackets, stars and half an address would stand there for a moment, and then be gone.
   */
  private wait(at: number, hold = 0): void {
    if (this.complete) return;
    if (at < this.pending) this.pending = at;
    if (at < this.heldFrom && this.text.length - at <= hold) this.heldFrom = at;
  }

  private addText(text: string): void {
    if (text !== "") this.tokens.push({ node: { type: "text", text }, at: this.at });
  }

  private addNode(node: Inline, end: number): void {
    this.tokens.push({ node, at: this.at });
    this.spans.push([this.at, end]);
    this.at = end;
  }

  private literal(length: number): void {
    this.addText(this.text.slice(this.at, this.at + length));
    this.at += length;
  }

  private citation(): boolean {
    const mark = markAt(this.text, this.at, this.complete);
    if (mark === undefined) return false;
    if (mark === "unfinished") {
      this.wait(this.at);
      // Half a mark is not shown: it would flicker as brackets and an address before it is one.
      this.at = this.text.length;
      return true;
    }
    this.addNode(mark.node, mark.end);
    return true;
  }

  private footnote(): boolean {
    const found = footnoteAt(this.text, this.at, this.complete);
    if (found === undefined) return false;
    if (found === "unfinished") {
      this.wait(this.at);
      this.at = this.text.length;
      return true;
    }
    if (found.isNote && this.at > 0) {
      // The next note stands on a line of its own.
      this.tokens.pop();
      this.tokens.push({ node: { type: "break" }, at: this.at - 1 });
    }
    this.addNode({ type: "text", text: found.text }, found.end);
    return true;
  }

  private formula(): boolean {
    const found = formulaAt(this.text, this.at, this.complete);
    if (found === undefined) return false;
    if (found === "unfinished") {
      this.wait(this.at, HELD_FORMULA);
      return false;
    }
    this.addNode(found.node, found.end);
    return true;
  }

  private backslash(): void {
    const next = this.text[this.at + 1];
    if (next === undefined) this.wait(this.at, 1);
    if (next === "\n") return this.addNode({ type: "break" }, this.skipBlanks(this.at + 2));
    if (!isEscapable(next)) return this.literal(1);
    this.spans.push([this.at, this.at + 2]);
    this.at += 1;
    this.literal(1);
  }

  private codeSpan(): void {
    const length = runLength(this.text, this.at, "`");
    const start = this.at + length;
    const close = this.findBackticks(start, length);
    if (start === this.text.length || close + length === this.text.length) this.wait(this.at);
    if (close < 0) {
      this.wait(this.at, HELD_PHRASE);
      return this.literal(length);
    }
    const content = this.text.slice(start, close).replaceAll("\n", " ");
    const padded = content.startsWith(" ") && content.endsWith(" ") && /[^ ]/.test(content);
    this.addNode({ type: "codespan", text: padded ? content.slice(1, -1) : content }, close + length);
  }

  /** Start of the next run of exactly this many backticks; -1 when there is none. */
  private findBackticks(from: number, length: number): number {
    if (from >= (this.noBackticks.get(length) ?? Number.POSITIVE_INFINITY)) return -1;
    let at = this.text.indexOf("`", from);
    while (at >= 0) {
      const found = runLength(this.text, at, "`");
      if (found === length) return at;
      at = this.text.indexOf("`", at + found);
    }
    this.noBackticks.set(length, from);
    return -1;
  }

  private delimiter(): void {
    const delimiter = delimiterAt(this.text, this.at);
    const end = this.at + delimiter.length;
    if (end === this.text.length) this.wait(this.at, HELD_PHRASE);
    if (delimiter.canOpen || delimiter.canClose) this.tokens.push({ delimiter });
    else this.addText(this.text.slice(this.at, end));
    this.at = end;
  }

  private exclamation(): void {
    const next = this.text[this.at + 1];
    if (next === undefined) this.wait(this.at, 1);
    if (next !== "[") return this.literal(1);
    this.openBracket(true);
  }

  private openBracket(image: boolean): void {
    for (const bracket of this.brackets.slice(-1)) bracket.nested = true;
    const length = image ? 2 : 1;
    this.brackets.push({ at: this.at, image, tokens: this.tokens.length, active: true, nested: false });
    this.literal(length);
  }

  private closeBracket(): void {
    const bracket = this.brackets.pop();
    if (bracket === undefined) return this.literal(1);
    // A bracket around one that holds brackets holds them too.
    for (const outer of this.brackets.slice(-1)) outer.nested = true;
    if (!bracket.active) return this.literal(1);
    const target = this.targetBehind(bracket);
    this.spans.push([bracket.at, target?.end ?? this.at + 1]);
    if (target === undefined) return this.literal(1);
    const inner = matchEmphasis(this.tokens.splice(bracket.tokens).slice(1)).nodes;
    const { url, title } = target;
    const where = title === undefined ? { url } : { url, title };
    const node: Inline = bracket.image
      ? { type: "image", ...where, alt: plainText(inner) }
      : { type: "link", ...where, children: inner };
    this.tokens.push({ node, at: bracket.at });
    this.at = target.end;
    if (!bracket.image) for (const outer of this.brackets) if (!outer.image) outer.active = false;
  }

  /** What follows the closing bracket at the current position and makes it a link; undefined when nothing does. */
  private targetBehind(bracket: Bracket): (Reference & { end: number }) | undefined {
    const behind = this.at + 1;
    const next = this.text[behind];
    if (next === undefined) this.wait(bracket.at, HELD_PHRASE);
    if (next === "(") {
      const tail = readInlineTail(this.text, behind);
      if (tail === UNFINISHED) this.wait(bracket.at, HELD_ADDRESS);
      else if (tail !== undefined) return tail;
    }
    const own = this.text.slice(bracket.at + (bracket.image ? 2 : 1), this.at);
    if (next === "[") {
      const label = readLabel(this.text, behind);
      if (label === UNFINISHED) this.wait(bracket.at, HELD_PHRASE);
      else if (label !== undefined) return this.lookUp(label.value, label.end);
      if (this.text[behind + 1] === undefined) this.wait(bracket.at, HELD_PHRASE);
      if (this.text[behind + 1] === "]") return bracket.nested ? undefined : this.lookUp(own, behind + 2);
    }
    return bracket.nested ? undefined : this.lookUp(own, behind);
  }

  private lookUp(label: string, end: number): (Reference & { end: number }) | undefined {
    if (label.length > 999 || label.trim() === "") return undefined;
    const normal = normalLabel(label);
    const reference = this.context.resolve(normal);
    if (reference !== undefined) return { ...reference, end };
    this.missing.push(normal);
    return undefined;
  }

  private autolink(): void {
    const found = autolinkAt(this.text, this.at);
    if (found === "unfinished") this.wait(this.at, HELD_PHRASE);
    else if (found !== undefined) return this.addNode(found.node, found.end);
    this.literal(1);
  }

  private reference(): void {
    REFERENCE.lastIndex = this.at;
    const found = REFERENCE.exec(this.text)?.[0];
    const stands = found === undefined ? undefined : characterReference(found);
    if (found === undefined || stands === undefined) {
      UNFINISHED_REFERENCE.lastIndex = this.at;
      if (UNFINISHED_REFERENCE.test(this.text)) this.wait(this.at, HELD_PHRASE);
      return this.literal(1);
    }
    this.addNode({ type: "text", text: stands }, this.at + found.length);
  }

  private lineFeed(): void {
    const hard = this.trimLastText();
    const end = this.skipBlanks(this.at + 1);
    this.addNode(hard ? { type: "break" } : { type: "text", text: "\n" }, end);
  }

  /** Takes the blanks off the text before a line feed; true when they were enough for a hard break. */
  private trimLastText(): boolean {
    const last = this.tokens.at(-1);
    if (last === undefined || !("node" in last) || last.node.type !== "text") return false;
    const text = last.node.text.replace(/ +$/, "");
    const blanks = last.node.text.length - text.length;
    if (blanks === 0 || this.text[this.at - 1] !== " ") return false;
    if (text === "") this.tokens.pop();
    else this.tokens[this.tokens.length - 1] = { node: { type: "text", text }, at: last.at };
    return blanks >= 2;
  }

  private skipBlanks(at: number): number {
    let index = at;
    while (this.text[index] === " " || this.text[index] === "\t") index += 1;
    return index;
  }

  /** The last plain character before anything unsettled, outside every span: text may be cut in front of it. */
  private lastPlain(spans: (readonly [number, number])[]): number {
    const ranges = spans.toSorted((a, b) => b[1] - a[1]);
    let range = 0;
    for (let at = Math.min(this.pending, this.text.length) - 1; at > 0; at -= 1) {
      while ((ranges[range]?.[0] ?? -1) >= at) range += 1;
      const [start, end] = ranges[range] ?? [-1, -1];
      if (at > start && at < end) {
        at = start + 1;
        continue;
      }
      // What a run of delimiters may do depends on the character behind it: the two stay together.
      if (isPlain(this.text.charCodeAt(at)) && !"*_~".includes(this.text[at - 1] ?? "")) return at;
    }
    return 0;
  }
}

function startOf(token: InlineToken): number {
  return "node" in token ? token.at : token.delimiter.at;
}

function runLength(text: string, at: number, character: string): number {
  let end = at;
  while (text[end] === character) end += 1;
  return end - at;
}
