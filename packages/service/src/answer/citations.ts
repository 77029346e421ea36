/** Turns the marks a model writes into the marks of the wire, while the text is still arriving. */

/** The mark deployed servers write (docs/wire.md, section 1.6); without a link it is `[[n]]()`. */
export function citationMark(number: number, link: string | null): string {
  return `[[${number}]](${link ?? ""})`;
}

/** What a piece of a model's text became: text to pass on, or the number of a source to cite there. */
export type Rewritten = { readonly text: string } | { readonly cited: number };

const NUMBERS = String.raw`(\d{1,3}(?:\s?[,，;]\s?\d{1,3}){0,9})`;
/** `[1]`, `[1, 2]`, `[[1]]`, `【1】`, `［1］`. */
const MARK = new RegExp(
  String.raw`^(?:\[\[\s?${NUMBERS}\s?\]\]|\[\s?${NUMBERS}\s?\]|【\s?${NUMBERS}\s?】|［\s?${NUMBERS}\s?］)`,
  "u",
);
/** The beginning of one, as long as nothing contradicts it. */
const MARK_BEGUN = /^(?:\[{1,2}|【|［)\s?(?:\d{1,3}(?:\s?[,，;]\s?\d{1,3}){0,9}\s?(?:[,，;]\s?)?)?\]?$/u;
const SPECIAL = /[[【［`]/u;
const MAX_LINK_LENGTH = 2_000;

/**
 * Rewrites a model's text piece by piece. Known numbers come out as `cited`, unknown ones vanish with the space before
 * them, and a link the model put behind a mark is dropped: where a citation leads is never the model's choice. Code
 * passes unchanged. Never holds back more than an unfinished mark or piece of code, and one space.
 */
export class MarkRewriter {
  readonly #isKnown: (number: number) => boolean;
  #held = "";
  /** Nothing but white space stands in the current line so far. */
  #lineIsBlank = true;
  #last = "";
  #space = "";
  #inCode = false;

  constructor(isKnown: (number: number) => boolean) {
    this.#isKnown = isKnown;
  }

  push(delta: string): Rewritten[] {
    this.#held += delta;
    return this.#drain(false);
  }

  /** What is still held back, at the end of the text. */
  end(): Rewritten[] {
    const out = this.#drain(true);
    if (this.#space !== "") out.push({ text: this.#space });
    this.#space = "";
    return out;
  }

  #drain(final: boolean): Rewritten[] {
    const out: Rewritten[] = [];
    while (this.#held !== "") {
      const at = this.#held.search(SPECIAL);
      this.#pass(out, at === -1 ? this.#held.length : at);
      if (this.#held === "") break;
      const goesOn = this.#held.startsWith("`") ? this.#ticks(out, final) : this.#bracket(out, final);
      if (!goesOn) break;
    }
    return out;
  }

  /**
   * Backticks at the start of a line open and close a block of code; others set off code within the line. False: more of
   * it may be on the way.
   */
  #ticks(out: Rewritten[], final: boolean): boolean {
    const run = /^`+/.exec(this.#held)?.[0] ?? "";
    if (run.length === this.#held.length && !final) return false;
    if (run.length >= 3 && this.#lineIsBlank) this.#inCode = !this.#inCode;
    else if (!this.#inCode) {
      const code = codeWithinLine(this.#held, run, final);
      if (code === "wait") return false;
      this.#pass(out, code);
      return true;
    }
    this.#pass(out, run.length);
    return true;
  }

  /** A mark, or just a bracket. False: too little has arrived to tell. */
  #bracket(out: Rewritten[], final: boolean): boolean {
    const mark = this.#inCode ? null : MARK.exec(this.#held);
    if (mark === null) {
      if (!this.#inCode && !final && MARK_BEGUN.test(this.#held)) return false;
      this.#pass(out, 1);
      return true;
    }
    if (mark[0].length === this.#held.length && !final) return false;
    const end = endOfLink(this.#held, mark[0].length, final);
    if (end === undefined) return false;
    this.#held = this.#held.slice(end);
    const numbers = (mark.slice(1).find((group) => group !== undefined) ?? "").split(/[,，;]/u).map(Number);
    this.#cite(out, numbers.filter(this.#isKnown));
    return true;
  }

  #pass(out: Rewritten[], length: number): void {
    if (length === 0) return;
    const text = this.#space + this.#held.slice(0, length);
    this.#held = this.#held.slice(length);
    this.#space = text.endsWith(" ") ? " " : "";
    const shown = this.#space === "" ? text : text.slice(0, -1);
    const line = text.slice(text.lastIndexOf("\n") + 1);
    this.#lineIsBlank = (this.#lineIsBlank || line.length < text.length) && line.trim() === "";
    this.#last = text.slice(-1);
    if (shown !== "") out.push({ text: shown });
  }

  #cite(out: Rewritten[], numbers: readonly number[]): void {
    if (numbers.length === 0) {
      this.#space = "";
      return;
    }
    for (const number of numbers) {
      const apart = this.#space !== "" || !/^[\s([]?$/.test(this.#last);
      this.#space = "";
      this.#lineIsBlank = false;
      this.#last = "]";
      if (apart) out.push({ text: " " });
      out.push({ cited: number });
    }
  }
}

/** How long the code is that begins with this run of backticks; the run alone, where it closes nowhere in its line. */
function codeWithinLine(text: string, run: string, final: boolean): number | "wait" {
  const end = text.indexOf("\n");
  const line = end === -1 ? text : text.slice(0, end);
  for (const found of line.slice(run.length).matchAll(/`+/g)) {
    const close = run.length + found.index + found[0].length;
    if (close === text.length && !final) return "wait";
    if (found[0] === run) return close;
  }
  return end === -1 && !final && text.length < MAX_LINK_LENGTH ? "wait" : run.length;
}

/**
 * Where the link behind a mark ends; `from` itself when there is none. Undefined: it may go on in what has not yet
 * arrived.
 */
function endOfLink(text: string, from: number, final: boolean): number | undefined {
  const end = closingParenthesis(text, from);
  if (end !== undefined) return end;
  return text[from] !== "(" || final || text.length - from >= MAX_LINK_LENGTH ? from : undefined;
}

/**
 * Where the parenthesis that opens at `from` closes again, counting those within; `from` when white space or too much
 * text shows that it holds no link, or none opens. Undefined: the text ends before.
 */
export function closingParenthesis(text: string, from: number): number | undefined {
  if (text[from] !== "(") return from;
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code <= 0x20 || at - from >= MAX_LINK_LENGTH) return from;
    if (code === OPEN) depth++;
    if (code === CLOSE && --depth === 0) return at + 1;
  }
  return undefined;
}

const OPEN = 0x28;
const CLOSE = 0x29;

/** A text without its citation marks ` [[n]](link)`. */
export function withoutMarks(text: string): string {
  let plain = "";
  let at = 0;
  for (const mark of text.matchAll(/ ?\[\[\d{1,9}\]\](?=\()/g)) {
    if (mark.index < at) continue;
    const from = mark.index + mark[0].length;
    const end = closingParenthesis(text, from) ?? from;
    if (end === from) continue;
    plain += text.slice(at, mark.index);
    at = end;
  }
  return plain + text.slice(at);
}
