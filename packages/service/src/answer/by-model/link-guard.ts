/**
 * What a model writes is not trusted with addresses: an obedient one puts what it read into the address of a picture, and
 * whoever shows the answer fetches it (docs/threats.md, T3, T4). Here links lead to the documents of the answer only;
 * everything else that Markdown, HTML or a viewer's own eye for addresses would make a link or a picture of stays as
 * text. Works on text that is still arriving, and gives the same however it is cut.
 */
import { closingParenthesis } from "../citations.ts";
import { asFenceEnd, asFenceStart, codeLine, type Fence, type Written } from "./fenced-code.ts";
import { stripFormatting } from "../visible.ts";

/** Undecided text longer than this is decided as it stands. */
const MAX_HELD = 2_000;

/** "wait": the text ends before it can be told. */
type Decision = Written | "wait";

const ADDRESS = String.raw`(?:https?|ftp)\\?:\\?\/\\?\/|(?<![A-Za-z0-9])www\\?\.|(?<![:/\\])\/\\?\/(?=[\p{L}\p{N}[])`;
/** Where something begins that could become a link, a picture, markup or code. */
const SPECIAL = new RegExp(String.raw`[\\\n<&![\]]|\x60+|~{3,}|${ADDRESS}`, "giu");
const ADDRESS_HERE = new RegExp(ADDRESS, "iuy");
/** What may become the beginning of an address with what follows. */
const BEGINNINGS = ["https://", "http://", "ftp://", "www.", "//"];

/** Characters by name that are passed on; any other could spell an address that is read after it was looked for. */
const NAMED = new Set(
  (
    "amp lt gt quot apos nbsp ensp emsp thinsp shy ndash mdash hellip bull middot times divide minus plusmn deg euro " +
    "pound cent sect para copy reg trade laquo raquo lsquo rsquo ldquo rdquo larr rarr uarr darr le ge ne"
  ).split(" "),
);

/** The links of a model's text, guarded. */
export class LinkGuard {
  readonly #addresses: ReadonlyMap<string, string>;
  #held = "";
  /** The end of what has come so far that may still change with what follows. */
  #unread = "";
  /** The last character written; "\n" at the beginning. */
  #last = "\n";
  /** Whether the line being written holds a letter. */
  #hasWords = false;
  #fence: Fence | undefined;

  /** @param addresses of the documents the text may link to */
  constructor(addresses: Iterable<string>) {
    const known = [...addresses].filter((address) => !/[`<>|\s]/.test(address));
    this.#addresses = new Map(known.map((address) => [formOf(address), address]));
  }

  /** The text as it may be shown, as far as it is decided. */
  push(delta: string): string {
    const text = this.#unread + delta;
    // Half a character, or half a line's end, cannot be judged.
    const whole = text.replace(/(?:[\ud800-\udbff\r]|\u200c|\u200d)+$/u, "");
    this.#unread = text.slice(whole.length);
    this.#held += stripFormatting(whole.replace(/\r\n?/g, "\n"));
    return this.#drain(false);
  }

  /** Decides what is left, since something that is no text of the model's follows. */
  settle(): string {
    this.#held += stripFormatting(this.#unread.replace(/\r\n?/g, "\n"));
    this.#unread = "";
    const text = this.#drain(true);
    this.#last = ")";
    return text;
  }

  /** As `settle`, at the end: a block of code that was left open is closed, so that nothing behind it is in it. */
  end(): string {
    const text = this.settle();
    const open = this.#fence;
    this.#fence = undefined;
    return open === undefined ? text : `${text}\n${open.indent}${open.run}`;
  }

  #drain(final: boolean): string {
    let out = "";
    while (this.#held !== "") {
      const next = this.#next(final);
      if (next === "wait") break;
      out += next.text;
      this.#held = this.#held.slice(next.length);
      this.#last = next.text.at(-1) ?? this.#last;
      const line = next.text.slice(next.text.lastIndexOf("\n") + 1);
      this.#hasWords = (this.#hasWords && line.length === next.text.length) || /\p{L}/u.test(line);
    }
    return out;
  }

  #next(ended: boolean): Decision {
    const text = this.#held;
    const final = ended || text.length > MAX_HELD;
    if (this.#fence !== undefined) return this.#inFence(this.#fence, final, ended);
    if (this.#last === "\n") {
      const opened = asFenceStart(text, final);
      if (opened === "wait") return "wait";
      if (opened !== undefined) {
        this.#fence = opened.fence;
        return opened;
      }
    }
    // The character written last belongs to it: an address begins where a word does.
    SPECIAL.lastIndex = this.#last.length;
    const at = SPECIAL.exec(this.#last + text)?.index ?? Number.POSITIVE_INFINITY;
    const found = Math.min(at - this.#last.length, text.length - (final ? 0 : beginningAtEnd(text)));
    if (at > this.#last.length) return found === 0 ? "wait" : same(text, found);
    return this.#special(text, final);
  }

  #inFence(fence: Fence, final: boolean, atEnd: boolean): Decision {
    if (this.#last !== "\n") {
      const end = this.#held.indexOf("\n");
      return same(this.#held, end === -1 ? this.#held.length : end + 1);
    }
    const ended = asFenceEnd(this.#held, fence, final);
    if (ended === "wait") return "wait";
    if (ended !== undefined) {
      this.#fence = undefined;
      // A line that is too long to wait for must close it here and now.
      return atEnd || ended.text.endsWith("\n") ? ended : { ...ended, text: `${ended.text}\n` };
    }
    return codeLine(this.#held, fence, final) ?? "wait";
  }

  #special(text: string, final: boolean): Decision {
    ADDRESS_HERE.lastIndex = this.#last.length;
    if (ADDRESS_HERE.test(this.#last + text)) return this.#address(text, final);
    switch (text[0]) {
      case "\\":
        return escaped(text, final);
      case "`":
        return this.#code(text, final);
      case "~":
        return escapedRun(text, /^~+/, final);
      case "<":
        return this.#angle(text, final);
      case "&":
        return reference(text, final);
      case "!":
        return this.#picture(text, final);
      case "]":
        return this.#target(text, final);
      default:
        return same(text, 1);
    }
  }

  /** `code` within one line stays; a run that closes nowhere in its line is text. */
  #code(text: string, final: boolean): Decision {
    const run = /^`+/.exec(text)?.[0] ?? "";
    if (run.length === text.length && !final) return "wait";
    const end = text.indexOf("\n");
    const line = end === -1 ? text : text.slice(0, end);
    for (const found of line.slice(run.length).matchAll(/`+/g)) {
      const close = run.length + found.index;
      if (close + found[0].length === text.length && !final) return "wait";
      if (found[0] !== run) continue;
      // A table is cut at its bars before code is looked for.
      const code = text.slice(0, close);
      return code.includes("|") && RISKY.test(code)
        ? escapedRun(text, /^`+/, true)
        : same(text, close + run.length, this.#last === "`" ? " " : "");
    }
    return end === -1 && !final ? "wait" : escapedRun(text, /^`+/, true);
  }

  /** A bare address: a link to a document of the answer, or else code, which nothing makes a link of. */
  #address(text: string, final: boolean): Decision {
    const run = /^[^\s<>`|[\]"'*]+/u.exec(text)?.[0] ?? text.slice(0, 1);
    if (run.length === text.length && !final) return "wait";
    const spelled = withoutTail(run);
    const plain = /^[\x21-\x7e]+/.exec(spelled)?.[0] ?? "";
    const own = this.#own(plain);
    // What is written must not run into what stands before it, nor be escaped by it.
    const before = /[`\\]/.test(this.#last) ? " " : "";
    if (own !== undefined) return { text: `${before}<${own}>`, length: plain.length };
    const after = text[spelled.length] === "`" ? " " : "";
    return { text: `${before}\`${spelled.replaceAll("\\", "")}\`${after}`, length: spelled.length };
  }

  /** A tag, or an address in angle brackets. */
  #angle(text: string, final: boolean): Decision {
    const line = /^<br ?\/?>/i.exec(text);
    // Where a line begins with it, it begins a block in which nothing is escaped.
    if (line !== null && this.#hasWords) return same(text, line[0].length);
    const address = /^<([a-z][a-z0-9+.-]*:[^\s<>]*)>/i.exec(text);
    const own = address?.[1] === undefined ? undefined : this.#own(address[1]);
    if (address !== null && own !== undefined) return { text: `<${own}>`, length: address[0].length };
    if (!final && /^<(?:[a-z][^\s<>]*|br \/?)?$/i.test(text)) return "wait";
    return /^<[a-z/!?]/i.test(text) ? { text: "\\<", length: 1 } : same(text, 1);
  }

  /** The sign of a picture goes; what was to be shown is at most a link. */
  #picture(text: string, final: boolean): Decision {
    if (text.length === 1 && !final) return "wait";
    if (text[1] !== "[") return same(text, 1);
    return { text: /[\p{L}\p{N}!?)]/u.test(this.#last) ? "! " : "", length: 1 };
  }

  /** What follows a bracket and would make a link of it, or say where others lead. */
  #target(text: string, final: boolean): Decision {
    if (text.length === 1) return final ? same(text, 1) : "wait";
    if (text[1] === ":") return { text: "]\\:", length: 2 };
    if (text[1] !== "(") return same(text, 1);
    const end = closingParenthesis(text, 1);
    if (end === undefined && !final) return "wait";
    const own = end === undefined || end === 1 ? undefined : this.#own(text.slice(2, end - 1));
    return own === undefined || end === undefined ? { text: "] ", length: 1 } : { text: `](<${own}>)`, length: end };
  }

  #own(address: string): string | undefined {
    return this.#addresses.get(formOf(address));
  }
}

/** A whole text of a model's, guarded. */
export function guardLinks(text: string): string {
  const guard = new LinkGuard([]);
  return guard.push(text) + guard.end();
}

/** What could be a link or markup outside of code. */
const RISKY = /www|[\]<&]|\/\//i;

/** Equal for addresses that lead to the same place. */
function formOf(address: string): string {
  return URL.parse(address)?.href ?? address;
}

function same(text: string, length: number, before = ""): Written {
  return { text: before + text.slice(0, length), length };
}

function escaped(text: string, final: boolean): Decision {
  if (text.length === 1) return final ? same(text, 1) : "wait";
  // Half of a character that follows stays with its other half.
  return same(text, /^\\[!-/:-@[-`{-~]/.test(text) ? 2 : 1);
}

function escapedRun(text: string, pattern: RegExp, final: boolean): Decision {
  const run = pattern.exec(text)?.[0] ?? text.slice(0, 1);
  if (run.length === text.length && !final) return "wait";
  return { text: [...run].map((character) => `\\${character}`).join(""), length: run.length };
}

/** `&name;` and `&#9;`: what spells no address is passed on. */
function reference(text: string, final: boolean): Decision {
  const found = /^&(?:#x?[\da-f]{1,8}|[a-z][a-z\d]{1,31});/i.exec(text)?.[0];
  if (found === undefined) return !final && /^&(?:#?[a-z\d]{0,31})$/i.test(text) ? "wait" : same(text, 1);
  return NAMED.has(found.slice(1, -1)) ? same(text, found.length) : { text: `\\${found}`, length: found.length };
}

/** An address without the punctuation of the sentence it stands in. */
function withoutTail(run: string): string {
  let end = run.length;
  for (; end > 1; end--) {
    const character = run.charAt(end - 1);
    if (character === ")" && run.slice(0, end).split("(").length >= run.slice(0, end).split(")").length) break;
    if (!/[.,;:!?)}_~\\。、，；：！？）」』】]/u.test(character)) break;
  }
  return run.slice(0, end);
}

/** How many characters at the end of a text may be the beginning of an address, or of a run of tildes. */
function beginningAtEnd(text: string): number {
  const run = /~+$/.exec(text);
  if (run !== null) return run[0].length;
  for (let length = Math.min(12, text.length); length > 0; length--) {
    const end = text.slice(-length).toLowerCase().replaceAll("\\", "");
    if (end !== "" && BEGINNINGS.some((beginning) => beginning.startsWith(end))) return length;
  }
  return 0;
}
