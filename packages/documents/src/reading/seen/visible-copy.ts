import { isLeftOut } from "@threadlore/files/html";
import type { Pace, Steps } from "../pace.ts";
import { Place } from "./place.ts";
import { isSecretField } from "../privacy-signs.ts";
import { shownAs } from "./shown-as.ts";
import { Sight } from "./sight.ts";
import { Unread } from "./unread.ts";
import {
  documentIn,
  forgetNames,
  nextOf,
  nodeTypeOf,
  parentOf,
  plainDocument,
  plainElement,
  realOf,
  viewOf,
} from "./without-names.ts";

/** How far a page is copied (docs/threats.md, T26). */
export interface CopyLimits {
  readonly nodes: number;
  readonly depth: number;
  /** Of text. */
  readonly characters: number;
  /** Of work, after which copying stops. */
  readonly milliseconds: number;
}

/** On the copy's elements that stay in place while the page scrolls: bars, banners, chat buttons. */
export const FIXED = "data-page-fixed";

/** On the copy's elements that are parts of a line by their name, and stand by themselves by their style. */
export const OWN_LINE = "data-page-own-line";

/** Kept in the head: what pages say about themselves. */
const ABOUT = "meta, title, link[rel], script[type='application/ld+json' i]";

/**
 * What a person sees of a page, in a document that runs nothing: open shadow trees and frames of the same origin in
 * their places, no hidden elements, no form values. The page itself stays as it is.
 */
export class VisibleCopy {
  readonly document: Document;
  /** Letters and signs in elements that are not shown. */
  hiddenCharacters = 0;
  /** Letters and signs in editors, where somebody is writing. */
  editedCharacters = 0;
  /** Visible frames of other origins. */
  unreadFrames = 0;
  /** What else is seen and has no text. */
  readonly unread = new Unread();
  /** Somebody can type a password into it. */
  hasSecretField = false;
  /** Elements and texts that were copied. */
  nodes = 0;
  /** Of their text, as it stands in the page's source. */
  characters = 0;
  /** Most elements inside each other. */
  deepest = 0;
  /** A limit was reached. */
  cut = false;
  /** While the page had its turn, it took away what was being copied. */
  torn = false;
  readonly #page: Document;
  readonly #limits: CopyLimits;
  readonly #pace: Pace;
  readonly #marked: readonly Range[] | undefined;
  /** Copying is inside a tree of its own, which ranges outside of it say nothing of, and all of it is marked. */
  #isHeld = false;
  /** The page is on a screen: it has styles, and its scripts have run. */
  readonly #live: boolean;
  /** Letters of a page that is not: found when first needed. */
  #letters: number | undefined;
  #depth = 0;
  /** Text right here is not seen; elements inside may show theirs again. */
  #muted = false;
  /** Where copying is; undefined for a page that is not on a screen. */
  #place: Place | undefined;
  /** Of the page, or the frame, where copying is. */
  #sight: Sight | undefined;
  #order = 0;
  /** How often the page had its turn. */
  #turns = 0;

  /** @param marked in the copy only what these ranges hold is text; undefined: all of it */
  constructor(page: Document, limits: CopyLimits, pace: Pace, marked?: readonly Range[]) {
    this.document = page.implementation.createHTMLDocument(page.title);
    this.#page = page;
    this.#limits = limits;
    this.#pace = pace;
    this.#marked = marked;
    this.#live = page.defaultView !== null;
    const base = this.document.createElement("base");
    base.href = page.baseURI;
    this.document.head.replaceChildren(base);
    for (const element of page.querySelectorAll(ABOUT)) {
      if (this.document.head.childElementCount > 500) break;
      this.document.head.append(this.document.importNode(element, true));
    }
    copyAttributes(page.documentElement, this.document.documentElement);
    if (page.body !== null) copyAttributes(page.body, this.document.body);
  }

  /** Copies the page's body. */
  *copy(): Steps<void> {
    if (this.#page.body !== null) yield* this.#look(this.#page, this.document.body);
  }

  /** Copies a document, and takes out of the copy what nobody sees though it is shown. */
  *#look(page: Document, to: Element): Steps<void> {
    const [around, outer] = [this.#place, this.#sight];
    const view = viewOf(page.documentElement);
    if (view === null) {
      yield* this.#copyChildren(page.body, to);
      return;
    }
    // The whole of it is an editor, as those are that lie in a frame.
    if (page.designMode === "on" || isEditor(page.documentElement) || isEditor(page.body)) {
      this.editedCharacters += lettersIn(page.body);
      return;
    }
    const sight = new Sight(view, around && outer && (() => outer.groundOf(around)));
    this.#sight = sight;
    this.#place = undefined;
    for (const element of [page.documentElement, page.body]) {
      const style = view.getComputedStyle(realOf(element));
      this.#place = new Place(this.#place ?? view, element, style, (this.#order += 1));
    }
    yield* this.#copyChildren(page.body, to);
    for (const text of yield* sight.unseen(this.#pace, this.#limits.milliseconds)) {
      this.hiddenCharacters += lettersIn(text);
      text.remove();
    }
    [this.#place, this.#sight] = [around, outer];
  }

  *#copyChildren(from: Node, to: Node): Steps<void> {
    const own = realOf(from);
    for (let child = from.firstChild; child !== null; child = nextOf(child)) {
      if (this.cut) return;
      const turn = this.#turns;
      if (this.#pace.isDue()) {
        this.#turns++;
        yield;
      }
      const steps = this.#copyNode(child, to);
      if (steps !== undefined) yield* steps;
      if (turn !== this.#turns && parentOf(child) !== own) {
        this.torn = true;
        return;
      }
    }
  }

  /** A text is copied at once; an element in steps. */
  #copyNode(node: Node, to: Node): Steps<void> | undefined {
    const type = nodeTypeOf(node);
    if (type === 3) this.#copyText(node as Text, to);
    return type === 1 ? this.#copyElement(plainElement(node as Element), to) : undefined;
  }

  #copyText(text: Text, to: Node): void {
    const kept = this.#markedPart(text);
    if (kept === "") return;
    if (this.#muted && kept.trim() !== "") {
      this.hiddenCharacters += withoutBlanks(kept);
      return;
    }
    this.#count();
    const room = this.#limits.characters - this.characters;
    this.characters += kept.length;
    if (kept.length > room) this.cut = true;
    const copy = to.appendChild(this.document.createTextNode(kept.slice(0, Math.max(0, room))));
    if (this.#place !== undefined && kept.trim() !== "") this.#sight?.read(this.#place, text, copy);
  }

  #isMarked(element: Element): boolean {
    if (this.#marked === undefined || this.#isHeld) return true;
    return this.#marked.some((range) => range.intersectsNode(realOf(element)));
  }

  /** What the person marked of a text; all of it when nothing in particular is asked for. */
  #markedPart(text: Text): string {
    if (this.#marked === undefined || this.#isHeld) return text.data;
    return this.#marked
      .filter((range) => range.intersectsNode(text))
      .map((range) => {
        const end = range.endContainer === text ? range.endOffset : text.data.length;
        return text.data.slice(range.startContainer === text ? range.startOffset : 0, end);
      })
      .join(" ");
  }

  *#copyElement(element: Element, to: Node): Steps<void> {
    const name = element.localName;
    if (name === "input" && isSecretField(element)) this.hasSecretField = true;
    const view = this.#live && !UNPAINTED.has(name) ? viewOf(element) : null;
    const style = view?.getComputedStyle(realOf(element));
    const around = this.#place;
    if (view !== null && style !== undefined && style.display !== "none") {
      this.#place = new Place(around ?? view, element, style, (this.#order += 1));
      if (style.visibility === "visible") {
        this.#sight?.see(this.#place);
        this.unread.look(this.#place);
      }
    }
    yield* this.#copyShown(element, name, style, to);
    this.#place = around;
  }

  *#copyShown(element: Element, name: string, style: CSSStyleDeclaration | undefined, to: Node): Steps<void> {
    if (name === "iframe" || name === "frame") yield* this.#copyFrame(element, style, to);
    // A page that was not run shows what it has for readers without scripts.
    if (isLeftOut(name, this.#live) && name !== "button") return;
    if (isTypedInto(element, this.#live)) {
      this.editedCharacters += lettersIn(element);
      return;
    }
    if (name === "img" && !this.#isMarked(element)) return;
    const shown = shownAs(element, name, style);
    if (shown === "hidden" && !this.#isStillToCome(element)) {
      this.hiddenCharacters += lettersIn(element);
      return;
    }
    if (this.#depth >= this.#limits.depth) {
      this.cut = true;
      return;
    }
    this.#count();
    const copy = this.#emptyCopy(element);
    forgetNames(copy, name);
    if (shown === "fixed") copy.setAttribute(FIXED, "");
    if (style !== undefined && isOwnLine(name, style)) copy.setAttribute(OWN_LINE, "");
    if (style !== undefined && name === "img" && isSpeck(element as HTMLImageElement)) copy.removeAttribute("alt");
    to.appendChild(copy);
    const muted = this.#muted;
    this.#muted = shown === "muted";
    this.#depth++;
    this.deepest = Math.max(this.deepest, this.#depth);
    yield* this.#copyInside(element, name, copy);
    this.#depth--;
    this.#muted = muted;
  }

  /**
   * Pages hide their body, or the parts of it that come one after the other, until their scripts have run; without
   * those it says nothing about what a reader sees.
   */
  #isStillToCome(element: Element): boolean {
    if (this.#live) return false;
    if (STREAMED.test(element.id)) return true;
    this.#letters ??= lettersIn(plainDocument(element.ownerDocument).body);
    return lettersIn(element) > this.#letters / 4;
  }

  #copyInside(element: Element, name: string, copy: Element): Steps<void> {
    if (element.shadowRoot !== null) return this.#copyTree(element, element.shadowRoot, copy);
    if (name === "details" && this.#live && !element.hasAttribute("open")) return this.#copySummary(element, copy);
    if (name === "slot" && element.getRootNode().nodeType === 11) {
      return this.#copySlot(element as HTMLSlotElement, copy);
    }
    return this.#copyChildren(element, copy);
  }

  /** Copies a part of the page that has a tree of its own: where all of the part is marked, that is. */
  *#copyTree(element: Element, tree: ShadowRoot, copy: Element): Steps<void> {
    const isHeld = this.#isHeld;
    this.#isHeld ||= this.#marked?.some((range) => holds(range, element)) === true;
    yield* this.#copyChildren(tree, copy);
    this.#isHeld = isHeld;
  }

  *#copySlot(slot: HTMLSlotElement, copy: Element): Steps<void> {
    const assigned = slot.assignedNodes();
    if (assigned.length === 0) yield* this.#copyChildren(slot, copy);
    for (const node of assigned) if (!this.cut && node.isConnected) yield* this.#copyNode(node, copy) ?? [];
  }

  #emptyCopy(element: Element): Element {
    if (element.attributes.length <= MAX_ATTRIBUTES) return this.document.importNode(realOf(element), false);
    const copy = this.document.createElement(element.localName);
    copyAttributes(element, copy);
    return copy;
  }

  /** What is folded up is not seen. */
  *#copySummary(details: Element, copy: Element): Steps<void> {
    const summary = [...details.children].find(({ localName }) => localName === "summary");
    if (summary !== undefined) yield* this.#copyElement(summary, copy);
    this.hiddenCharacters += lettersIn(details) - (summary === undefined ? 0 : lettersIn(summary));
  }

  *#copyFrame(frame: Element, style: CSSStyleDeclaration | undefined, to: Node): Steps<void> {
    const box = frame.getBoundingClientRect();
    if (viewOf(frame) !== null && box.width * box.height < SMALLEST_FRAME) return;
    if (shownAs(frame, "div", style) === "hidden") return;
    const inner = documentIn(frame as HTMLIFrameElement);
    if (inner === undefined) {
      if (viewOf(frame) !== null) this.unreadFrames++;
      return;
    }
    if (inner.body === null || this.#depth >= this.#limits.depth) return;
    const section = this.document.createElement("section");
    to.appendChild(section);
    this.#count();
    this.#depth++;
    yield* this.#look(inner, section);
    this.#depth--;
  }

  #count(): void {
    this.nodes++;
    if (this.nodes >= this.#limits.nodes) this.cut = true;
    if (this.nodes % 64 === 0 && this.#pace.worked > this.#limits.milliseconds) this.cut = true;
  }
}

const LINE_NAMES = /^(?:a|span|b|strong|em|i|label|button|small|cite|time)$/;

const isOwnLine = (name: string, { display }: CSSStyleDeclaration): boolean =>
  LINE_NAMES.test(name) && /^(?:block|flex|grid|table|list-item|flow-root)/.test(display);

/** Elements that paint nothing, and hold no text. */
const UNPAINTED = new Set("script style template noscript link meta datalist map source track br wbr".split(" "));

/** Smallest side of a picture that shows anything, pixels; smaller ones measure and count. */
const SPECK = 8;

/** A picture too small to be seen says nothing to anyone who looks. One that is still to come has no size yet. */
function isSpeck(image: HTMLImageElement): boolean {
  const { width, height } = image.getBoundingClientRect();
  if (width === 0 && height === 0) return image.complete || image.loading !== "lazy";
  return width <= SPECK || height <= SPECK;
}

/** Ids of what React sends later than the page, for a script to put in its place. */
const STREAMED = /^S:[0-9a-f]+$/;

/** Square pixels; smaller frames measure and count, and say nothing. */
const SMALLEST_FRAME = 5_000;

/** Of an element. Nobody writes more, and each is looked for among all others. */
const MAX_ATTRIBUTES = 200;

function copyAttributes(from: Element, to: Element): void {
  for (let at = 0; at < Math.min(from.attributes.length, MAX_ATTRIBUTES); at++) {
    const { name = "", value = "" } = from.attributes[at] ?? {};
    if (!name.startsWith("on") && !name.includes(":")) to.setAttribute(name, value);
  }
}

/** Letters and signs of what would be text if it were shown: scripts and styles hold none. */
function lettersIn(node: Node): number {
  const all = withoutBlanks(node.textContent ?? "");
  if (nodeTypeOf(realOf(node)) !== 1) return all;
  const silent = (node as Element).querySelectorAll("script, style, noscript");
  // Where scripts do not run, what stands in for them is read.
  const unread = Array.from(silent).filter(
    ({ localName, children }) => localName !== "noscript" || children.length === 0,
  );
  return unread.reduce((left, { textContent }) => left - withoutBlanks(textContent ?? ""), all);
}

const withoutBlanks = (text: string): number => text.replace(/\s+/g, "").length;

/**
 * What people type is theirs. In a page that was not run, where nobody types, documents that can be edited in their place,
 * as in a wiki, are read.
 */
function isTypedInto(element: Element, live: boolean): boolean {
  if (live && TYPED_INTO.test(element.getAttribute("role") ?? "")) return true;
  if (live && DRAWN_EDITOR.test(element.getAttribute("class") ?? "")) return true;
  if (!isEditor(element)) return false;
  return live || element.closest("form,[role=textbox],[role=searchbox],[role=combobox]") !== null;
}

const TYPED_INTO = /^\s*(?:textbox|searchbox)\b/i;
/** Editors that take what is typed into a hidden field, and draw it beside that as if it were any text. */
const DRAWN_EDITOR = /(?:^|\s)(?:CodeMirror|ace_editor|monaco-editor)(?:\s|$)/;

function isEditor(element: Element): boolean {
  const editable = element.getAttribute("contenteditable")?.trim().toLowerCase();
  return editable === "" || editable === "true" || editable === "plaintext-only";
}

/** Whether all of an element lies in a range. */
function holds(range: Range, element: Element): boolean {
  const node = realOf(element);
  // False where they are in different trees, which cannot be compared.
  if (!range.intersectsNode(node)) return false;
  const around = range.cloneRange();
  around.selectNode(node);
  const [starts, ends] = [Range.START_TO_START, Range.END_TO_END];
  return range.compareBoundaryPoints(starts, around) <= 0 && range.compareBoundaryPoints(ends, around) >= 0;
}
