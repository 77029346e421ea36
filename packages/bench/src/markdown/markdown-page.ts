// Put into a browser page by markdown.ts: streams texts through every contestant.
import { createMarkdown } from "@threadlore/ask";
import { Marked } from "marked";
import { specHtml } from "@threadlore/testkit/spec-html";
import type { Live, PeerWriters } from "./live.ts";

/** The panel's own writer, built by itself from the extension's sources. */
declare const panel: { writeLive(place: Element, withLinks: boolean): Live };
/** The libraries ours is measured beside. */
declare const peers: { readonly writers: PeerWriters };

const nothing = () => {};

/** For whoever renders the whole text each time. */
function whole(render: (text: string) => void, remove: () => void = nothing): Live {
  let text = "";
  return {
    take(piece) {
      text += piece;
    },
    show: () => render(text),
    end: () => render(text),
    remove,
  };
}

const CONTESTANTS: Readonly<Record<string, (place: HTMLElement, withLinks: boolean) => Live>> = {
  "bare text append": (place) => {
    const text = new Text();
    place.append(text);
    return { take: (piece) => text.appendData(piece), show: nothing, end: nothing, remove: nothing };
  },
  "streaming-markdown": (place) => peers.writers.streamingMarkdown(place),
  "marked + DOMPurify": (place) => {
    const marked = new Marked({ async: false });
    return whole((text) => (place.innerHTML = peers.writers.sanitize(marked.parse(text, { async: false }))));
  },
  streamdown: (place) => {
    const { render, remove } = peers.writers.streamdown(place);
    // Its effects render once more, and React gives up on fifty such renderings in one turn.
    return { ...whole(render, remove), turn };
  },
  "incremark, parsing alone": () => {
    const stream = peers.writers.incremark();
    let unread = "";
    const show = () => {
      stream.append(unread);
      unread = "";
    };
    return {
      take(piece) {
        unread += piece;
      },
      show,
      end() {
        show();
        stream.finalize();
      },
      remove: nothing,
    };
  },
  threadlore: (place, withLinks) => panel.writeLive(place, withLinks),
};

function turn(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.addEventListener("message", () => resolve());
    port1.start();
    port2.postMessage(undefined);
  });
}

function begin(name: string, withLinks = true): { readonly place: HTMLElement; readonly live: Live } {
  const make = CONTESTANTS[name];
  if (make === undefined) throw new RangeError(`no contestant is called ${name}`);
  const place = document.createElement("div");
  document.body.append(place);
  return { place, live: make(place, withLinks) };
}

function cut(text: string, size: number): string[] {
  return Array.from({ length: Math.ceil(text.length / size) }, (_, at) => text.slice(at * size, (at + 1) * size));
}

const CHARACTERS = 4;
let shownLast: { readonly place: HTMLElement; readonly live: Live } | undefined;
let pieces: readonly string[] = [];

/**
 * The text of the next runs.
 *
 * @public called in the browser
 */
export function load(text: string): void {
  pieces = cut(text, CHARACTERS);
}

/** What a run tells of itself, beside the time the browser counts. */
export interface Run {
  /** False when it was given up because it took too long. */
  readonly isWhole: boolean;
  /** Milliseconds of the longest push. */
  readonly longestMs: number;
}

/**
 * Streams the loaded text through a contestant, a push for so many pieces; with `layout`, the page is laid out after
 * each push, and else not at all.
 *
 * @public called in the browser
 */
export async function run(name: string, perPush: number, layout: boolean, mostMs: number): Promise<Run> {
  const { place, live } = begin(name);
  // Not laid out, so that a frame that happens to come meanwhile costs nothing.
  if (!layout) place.hidden = true;
  const start = performance.now();
  let before = start;
  let longestMs = 0;
  let isWhole = true;
  for (let at = 0; at < pieces.length; at += perPush) {
    for (let one = at; one < at + perPush; one += 1) live.take(pieces[one] ?? "");
    live.show();
    await live.turn?.();
    if (layout) void place.offsetHeight;
    const now = performance.now();
    longestMs = Math.max(longestMs, now - before);
    before = now;
    if (now - start > mostMs) {
      isWhole = false;
      break;
    }
  }
  live.end();
  shownLast = { place, live };
  return { isWhole, longestMs };
}

/**
 * Takes what the last run showed off the page.
 *
 * @public called in the browser
 */
export function clear(): void {
  shownLast?.live.remove();
  shownLast?.place.remove();
  shownLast = undefined;
}

/** An example of the specification. */
export interface Example {
  readonly markdown: string;
  readonly html: string;
}

/**
 * How many examples come out as the specification has them, and how many alike in one piece and in pieces of 1, 2, 3
 * and 7 characters. Threadlore's own tree is asked for the former: its elements are those of a side panel.
 *
 * @public called in the browser
 */
export function conform(name: string, examples: readonly Example[]): { right: number; alike: number } {
  let [right, alike] = [0, 0];
  for (const { markdown, html } of examples) {
    const once = shown(name, markdown, Math.max(1, markdown.length));
    const got = name === "threadlore" ? parsed(specHtml(treeOf(markdown))) : once;
    if (canonical(got) === canonical(parsed(html))) right += 1;
    if ([1, 2, 3, 7].every((size) => shown(name, markdown, size).innerHTML === once.innerHTML)) alike += 1;
  }
  return { right, alike };
}

function treeOf(markdown: string) {
  const stream = createMarkdown({ citations: false });
  stream.push(markdown);
  return stream.end();
}

/** A copy of what a text comes to, cut into pieces of a size. */
function shown(name: string, markdown: string, size: number): HTMLElement {
  const { place, live } = begin(name);
  for (const piece of cut(markdown, size)) {
    live.take(piece);
    live.show();
  }
  live.end();
  const copy = parsed(place.innerHTML);
  live.remove();
  place.remove();
  return copy;
}

function parsed(html: string): HTMLElement {
  return new DOMParser().parseFromString(html, "text/html").body;
}

const TELLING = ["href", "src", "alt", "title", "start"];

/** Elements with the attributes that tell something, and texts; white space counts only in code. */
function canonical(node: Node, inCode = false): string {
  if (node instanceof Text) return inCode ? node.data : node.data.replaceAll(/\s+/g, " ");
  if (!(node instanceof Element)) return "";
  const isCode = inCode || node.localName === "pre" || node.localName === "code";
  const attributes = TELLING.filter((name) => node.hasAttribute(name)).map(
    (name) => ` ${name}=${decoded(node.getAttribute(name) ?? "")}`,
  );
  const inner = [...node.childNodes].map((child) => canonical(child, isCode)).join("");
  const children = isCode
    ? inner.trimEnd()
    : inner.replaceAll(/ ?(<\/?(?!a|em|strong|code|img|del)[a-z0-9]+[^>]*>) ?/g, "$1");
  return `<${node.localName}${attributes.join("")}>${children}</${node.localName}>`;
}

function decoded(address: string): string {
  try {
    return decodeURI(address);
  } catch {
    return address;
  }
}

interface Watched {
  hostileRuns?: number;
}

/**
 * Streams each hostile text through a contestant and does to what came out what a person may do. Says how many times
 * script ran, and how many links would run some.
 *
 * @public called in the browser
 */
export async function attack(name: string, texts: readonly string[]): Promise<{ runs: number; links: number }> {
  const page = globalThis as Watched;
  page.hostileRuns = 0;
  for (const dialog of ["alert", "confirm", "prompt", "open", "print"]) {
    Object.defineProperty(globalThis, dialog, { configurable: true, value: () => ran(page) });
  }
  let links = 0;
  for (const text of texts) {
    const { place, live } = begin(name, false);
    for (const piece of cut(text, 8 * CHARACTERS)) {
      live.take(piece);
      live.show();
      await live.turn?.();
    }
    live.end();
    await live.turn?.();
    for (const element of place.querySelectorAll("*")) {
      if (/^\s*(?:javascript|data|vbscript):/i.test(element.getAttribute("href") ?? "")) links += 1;
      for (const type of ["mouseover", "pointerover", "focus", "toggle", "animationstart", "load", "error"]) {
        element.dispatchEvent(new Event(type));
      }
    }
    live.remove();
    place.remove();
  }
  // What a picture that cannot be loaded does, it does later.
  await new Promise((resolve) => setTimeout(resolve, 500));
  return { runs: page.hostileRuns, links };
}

function ran(page: Watched): void {
  page.hostileRuns = (page.hostileRuns ?? 0) + 1;
}
