import { isConcealed, isLeftOut } from "../html-hidden.ts";
import { isSecretField } from "./privacy-signs.ts";
import { forgetNames, nextOf, nodeTypeOf, plainDocument, plainElement, realOf, viewOf } from "./without-names.ts";

/** How far a page is copied (facts: security T26). */
export interface CopyLimits {
  readonly nodes: number;
  readonly depth: number;
  /** Of text. */
  readonly characters: number;
  /** `performance.now()` at which copying stops. */
  readonly deadline: number;
}

/** A page without scripts, form values and what is not shown, in a document of its own. */
export interface VisibleCopy {
  readonly document: Document;
  /** Letters and signs in elements that are not shown. */
  readonly hiddenCharacters: number;
  /** Visible frames of other origins. */
  readonly unreadFrames: number;
  /** Somebody can type a password into it. */
  readonly hasSecretField: boolean;
  /** Elements and texts that were copied. */
  readonly nodes: number;
  /** Most elements inside each other. */
  readonly deepest: number;
  /** A limit was reached. */
  readonly cut: boolean;
}

/** On the copy's elements that stay in place while the page scrolls: bars, banners, chat buttons. */
export const FIXED = "data-page-fixed";

/** On the copy's elements that are parts of a line by their name, and stand by themselves by their style. */
export const OWN_LINE = "data-page-own-line";

/** In the copy only what these ranges hold is text. Undefined: all of it. */
export type Marked = readonly Range[] | undefined;

/**
 * Copies what a person sees of a page into a document that runs nothing: open shadow trees and frames of the same
 * origin in their places, no hidden elements, no form values. The page itself stays as it is.
 */
export function visibleCopy(page: Document, limits: CopyLimits, marked?: Marked): VisibleCopy {
  const copier = new Copier(page, limits, marked);
  copier.copyPage(page);
  return copier;
}

/** Kept in the head: what pages say about themselves. */
const ABOUT = "meta, title, link[rel], script[type='application/ld+json' i]";

class Copier implements VisibleCopy {
  readonly document: Document;
  hiddenCharacters = 0;
  unreadFrames = 0;
  hasSecretField = false;
  nodes = 0;
  deepest = 0;
  cut = false;
  readonly #limits: CopyLimits;
  readonly #marked: Marked;
  /** The page is on a screen: it has styles, and its scripts have run. */
  readonly #live: boolean;
  /** Letters of a page that is not: found when first needed. */
  #letters: number | undefined;
  #depth = 0;
  #characters = 0;
  /** Text right here is not seen; elements inside may show theirs again. */
  #muted = false;

  constructor(page: Document, limits: CopyLimits, marked: Marked) {
    this.document = page.implementation.createHTMLDocument(page.title);
    this.#limits = limits;
    this.#marked = marked;
    this.#live = page.defaultView !== null;
  }

  copyPage(page: Document): void {
    const base = this.document.createElement("base");
    base.href = page.baseURI;
    this.document.head.replaceChildren(base);
    for (const element of page.querySelectorAll(ABOUT)) {
      if (this.document.head.childElementCount > 500) break;
      this.document.head.append(this.document.importNode(element, true));
    }
    copyAttributes(page.documentElement, this.document.documentElement);
    if (page.body === null) return;
    copyAttributes(page.body, this.document.body);
    this.#copyChildren(page.body, this.document.body);
  }

  #copyChildren(from: Node, to: Node): void {
    for (let child = from.firstChild; child !== null; child = nextOf(child)) {
      if (this.cut) return;
      this.#copy(child, to);
    }
  }

  #copy(node: Node, to: Node): void {
    const type = nodeTypeOf(node);
    if (type === 3) this.#copyText(node as Text, to);
    else if (type === 1) this.#copyElement(plainElement(node as Element), to);
  }

  #copyText(text: Text, to: Node): void {
    const kept = this.#markedPart(text);
    if (kept === "") return;
    if (this.#muted && kept.trim() !== "") {
      this.hiddenCharacters += kept.replace(/\s+/g, "").length;
      return;
    }
    this.#count();
    this.#characters += kept.length;
    if (this.#characters > this.#limits.characters) this.cut = true;
    to.appendChild(this.document.createTextNode(kept));
  }

  #isMarked(element: Element): boolean {
    return this.#marked === undefined || this.#marked.some((range) => range.intersectsNode(realOf(element)));
  }

  /** What the person marked of a text; all of it when nothing in particular is asked for. */
  #markedPart(text: Text): string {
    if (this.#marked === undefined) return text.data;
    return this.#marked
      .filter((range) => range.intersectsNode(text))
      .map((range) => {
        const end = range.endContainer === text ? range.endOffset : text.data.length;
        return text.data.slice(range.startContainer === text ? range.startOffset : 0, end);
      })
      .join(" ");
  }

  #copyElement(element: Element, to: Node): void {
    const name = element.localName;
    if (name === "input" && isSecretField(element)) this.hasSecretField = true;
    if (name === "iframe" || name === "frame") this.#copyFrame(element, to);
    // A page that was not run shows what it has for readers without scripts.
    if (isLeftOut(name, this.#live) && name !== "button") return;
    if (isTypedInto(element) || (name === "img" && !this.#isMarked(element))) return;
    const shown = shownAs(element, name);
    if (shown === "hidden" && !this.#isMostOfPage(element)) {
      this.hiddenCharacters += lettersIn(element);
      return;
    }
    if (this.#depth >= this.#limits.depth) {
      this.cut = true;
      return;
    }
    this.#count();
    const copy = this.document.importNode(realOf(element), false);
    forgetNames(copy, name);
    if (shown === "fixed") copy.setAttribute(FIXED, "");
    if (this.#live && isOwnLine(element)) copy.setAttribute(OWN_LINE, "");
    to.appendChild(copy);
    const muted = this.#muted;
    this.#muted = shown === "muted";
    this.#depth++;
    this.deepest = Math.max(this.deepest, this.#depth);
    this.#copyInside(element, name, copy);
    this.#depth--;
    this.#muted = muted;
  }

  /** Pages hide their body until their scripts have run; without those it says nothing about what a reader sees. */
  #isMostOfPage(element: Element): boolean {
    if (this.#live) return false;
    this.#letters ??= lettersIn(plainDocument(element.ownerDocument).body);
    return lettersIn(element) > this.#letters / 4;
  }

  #copyInside(element: Element, name: string, copy: Element): void {
    if (element.shadowRoot !== null) this.#copyChildren(element.shadowRoot, copy);
    else if (name === "slot" && element.getRootNode().nodeType === 11) this.#copySlot(element as HTMLSlotElement, copy);
    else this.#copyChildren(element, copy);
  }

  #copySlot(slot: HTMLSlotElement, copy: Element): void {
    const assigned = slot.assignedNodes();
    if (assigned.length === 0) this.#copyChildren(slot, copy);
    for (const node of assigned) if (!this.cut) this.#copy(node, copy);
  }

  #copyFrame(frame: Element, to: Node): void {
    const box = frame.getBoundingClientRect();
    if (viewOf(frame) !== null && box.width * box.height < SMALLEST_FRAME) return;
    if (shownAs(frame, "div") === "hidden") return;
    const inner = documentIn(frame);
    if (inner === undefined) {
      if (viewOf(frame) !== null) this.unreadFrames++;
      return;
    }
    if (inner.body === null || this.#depth >= this.#limits.depth) return;
    const section = this.document.createElement("section");
    to.appendChild(section);
    this.#depth++;
    this.#copyChildren(inner.body, section);
    this.#depth--;
  }

  #count(): void {
    this.nodes++;
    if (this.nodes >= this.#limits.nodes) this.cut = true;
    if (this.nodes % 512 === 0 && performance.now() > this.#limits.deadline) this.cut = true;
  }
}

const LINE_NAMES = /^(?:a|span|b|strong|em|i|label|button|small|cite|time)$/;

function isOwnLine(element: Element): boolean {
  if (!LINE_NAMES.test(element.localName)) return false;
  const display = viewOf(element)?.getComputedStyle(realOf(element)).display ?? "inline";
  return /^(?:block|flex|grid|table|list-item|flow-root)/.test(display);
}

/** Square pixels; smaller frames measure and count, and say nothing. */
const SMALLEST_FRAME = 5_000;

function documentIn(frame: Element): Document | undefined {
  try {
    const inner = (frame as HTMLIFrameElement).contentDocument;
    return inner === null ? undefined : plainDocument(inner);
  } catch {
    return undefined;
  }
}

function copyAttributes(from: Element, to: Element): void {
  for (const { name, value } of from.attributes) {
    if (!name.startsWith("on") && !name.includes(":")) to.setAttribute(name, value);
  }
}

function lettersIn(element: Element): number {
  return (element.textContent ?? "").replace(/\s+/g, "").length;
}

/** `muted`: what inherits its look is not seen, but an element inside may look another way. */
type Shown = "shown" | "hidden" | "muted" | "fixed";

/** How an element meets the eye. A document that is not on a screen has no styles, only attributes. */
function shownAs(element: Element, name: string): Shown {
  if (isAriaHidden(element)) return "hidden";
  const view = viewOf(element);
  if (view === null) return isConcealed(name, attributesOf(element)) ? "hidden" : "shown";
  const style = view.getComputedStyle(realOf(element));
  if (style.display === "none") return "hidden";
  if (Number(style.opacity) < 0.02) return "hidden";
  // Parts of a line are many, and stay in it.
  if (style.display !== "inline" && (isWipedOut(style) || isOutOfSight(element, style, view))) return "hidden";
  if (style.visibility !== "visible" || isUnreadable(style)) return "muted";
  if (style.position === "absolute" || style.position === "fixed") return positionedAs(element, style, view);
  if (Number.parseFloat(style.textIndent) < -900) return "hidden";
  if (style.overflow !== "visible" && isEmptyBox(element)) return "hidden";
  return style.position === "sticky" ? "fixed" : "shown";
}

function positionedAs(element: Element, style: CSSStyleDeclaration, view: Window): Shown {
  if (/^rect\(0(?:px)?,? 0/.test(style.clip)) return "hidden";
  if (/^rect\(1px,? 1px,? 1px/.test(style.clip)) return "hidden";
  const box = element.getBoundingClientRect();
  if (style.overflow !== "visible" && (box.width <= 1 || box.height <= 1)) return "hidden";
  if (isBeyond(box, view)) return "hidden";
  return style.position === "fixed" ? "fixed" : "shown";
}

/** Cut away, or filtered until nothing is left. */
function isWipedOut({ clipPath, filter }: CSSStyleDeclaration): boolean {
  const isCut = clipPath !== "none" && /^(?:inset\((?:[5-9]\d|100)(?:\.\d+)?%|circle\(0)/.test(clipPath);
  return isCut || (filter !== "none" && /opacity\(0(?:\.0\d*)?\)/.test(filter));
}

/** Moved off the page with all that is in it (a row of slides shows some), or made too small to see. */
function isOutOfSight(element: Element, style: CSSStyleDeclaration, view: Window): boolean {
  const { left, top, right, bottom, width, height } = element.getBoundingClientRect();
  if (width >= 1 && height >= 1 && !isBeyond({ right, bottom }, view)) return false;
  const { offsetWidth = 0, offsetHeight = 0, scrollWidth, scrollHeight } = element as HTMLElement;
  if ((width < 1 && offsetWidth > 1) || (height < 1 && offsetHeight > 1)) return true;
  const inside = { right: left + Math.max(width, scrollWidth), bottom: top + Math.max(height, scrollHeight) };
  // What was scrolled past is as far away, and has not moved by itself.
  return isBeyond(inside, view) && movesOf(style).some((length) => length < -900);
}

/** How far an element's own style moves it, in pixels. */
function movesOf({ transform, translate, position, left, top }: CSSStyleDeclaration): number[] {
  const { e, f } = transform === "none" ? { e: 0, f: 0 } : new DOMMatrix(transform);
  const placed = position === "relative" ? [left, top] : [];
  return [e, f, ...[...translate.split(" "), ...placed].map((length) => Number.parseFloat(length))];
}

const isBeyond = ({ right, bottom }: Pick<DOMRect, "right" | "bottom">, view: Window): boolean =>
  right + view.scrollX < -500 || bottom + view.scrollY < -500;

/** Letters of no size, or of no colour with nothing shining through them. */
function isUnreadable(style: CSSStyleDeclaration): boolean {
  if (Number.parseFloat(style.fontSize) < 2) return true;
  const fill = style.getPropertyValue("-webkit-text-fill-color") || style.color;
  const isClear = /^rgba.*, 0(?:\.0\d*)?\)$/.test(fill);
  return isClear && !style.backgroundClip.includes("text") && style.textShadow === "none";
}

/** No room to show anything in. Where only one side has none, something must be cut off by it. */
function isEmptyBox(element: Element): boolean {
  const { width, height } = element.getBoundingClientRect();
  if (height < 1 && width < 1) return true;
  return (height < 1 && element.scrollHeight > 1) || (width < 1 && element.scrollWidth > 1);
}

/**
 * What is kept from readers of the screen is ornament or a double; except that pages mark all but an open dialogue so.
 */
function isAriaHidden(element: Element): boolean {
  return element.getAttribute("aria-hidden") === "true" && element.querySelector("main, article, h1") === null;
}

/** What people type is theirs; documents that are edited in their place, as in a wiki, are not fields. */
function isTypedInto(element: Element): boolean {
  const editable = element.getAttribute("contenteditable");
  if (editable === null || editable === "false") return false;
  return element.closest("form,[role=textbox],[role=searchbox],[role=combobox]") !== null;
}

function attributesOf(element: Element): Record<string, string> {
  return {
    ...(element.hasAttribute("hidden") && { hidden: element.getAttribute("hidden") ?? "" }),
    ...(element.hasAttribute("open") && { open: "" }),
    ...(element.hasAttribute("style") && { style: element.getAttribute("style") ?? "" }),
  };
}
