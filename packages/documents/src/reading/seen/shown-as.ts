import { isConcealed } from "@threadlore/files/html";
import { isWipedOut } from "./clipping.ts";
import { viewOf } from "./without-names.ts";

/** `muted`: what inherits its look is not seen, but an element inside may look another way. */
export type Shown = "shown" | "hidden" | "muted" | "fixed";

/** How an element meets the eye. Without a style, as in a document that is not on a screen, its attributes tell. */
export function shownAs(element: Element, name: string, style: CSSStyleDeclaration | undefined): Shown {
  if (isAriaHidden(element)) return "hidden";
  const view = viewOf(element);
  if (style === undefined || view === null) return isConcealed(name, attributesOf(element)) ? "hidden" : "shown";
  if (style.display === "none" || Number(style.opacity) < 0.02) return "hidden";
  // What is only waited with until it is near (`auto`) is there for who scrolls.
  if (style.contentVisibility === "hidden") return "hidden";
  // Parts of a line are many, and stay in it.
  if (style.display !== "inline" && (isGone(element, style) || isOutOfSight(element, style, view))) return "hidden";
  if (style.visibility !== "visible" || isUnreadable(style)) return "muted";
  if (style.position === "absolute" || style.position === "fixed") return positionedAs(element, style, view);
  if (style.overflow !== "visible" && (isEmptyBox(element) || isPushedOut(element, style))) return "hidden";
  if (Number.parseFloat(style.textIndent) < -900) return "hidden";
  return style.position === "sticky" ? "fixed" : "shown";
}

function isGone(element: Element, style: CSSStyleDeclaration): boolean {
  if (isWipedOut(style, () => element.getBoundingClientRect())) return true;
  // The other side of a card that is turned.
  return style.transform !== "none" && style.backfaceVisibility === "hidden" && new DOMMatrix(style.transform).m33 < 0;
}

/** A line that begins where its box ends. */
function isPushedOut(element: Element, { textIndent, whiteSpace }: CSSStyleDeclaration): boolean {
  const indent = Number.parseFloat(textIndent);
  if (!(indent > 0) || whiteSpace !== "nowrap") return false;
  return indent * (textIndent.endsWith("%") ? element.clientWidth / 100 : 1) >= element.clientWidth;
}

function positionedAs(element: Element, style: CSSStyleDeclaration, view: Window): Shown {
  if (isClipped(style.clip)) return "hidden";
  const box = element.getBoundingClientRect();
  if (style.overflow !== "visible" && (isThin(box) || isPushedOut(element, style))) return "hidden";
  if (isBeyond(box, view)) return "hidden";
  return style.position === "fixed" ? "fixed" : "shown";
}

/** Pixels of a side in which nothing can be read. */
const THIN = 4;

const isThin = ({ width, height }: Pick<DOMRect, "width" | "height">): boolean => width <= THIN || height <= THIN;

/** Whether `clip: rect(top, right, bottom, left)` leaves too little to read in. */
function isClipped(clip: string): boolean {
  const [top, right, bottom, left] =
    /^rect\((.*)\)$/
      .exec(clip)?.[1]
      ?.split(/,\s*|\s+/)
      .map(Number.parseFloat) ?? [];
  const side = (from = 0, to = Infinity) => (Number.isNaN(to) ? Infinity : to) - (Number.isNaN(from) ? 0 : from);
  return top !== undefined && isThin({ width: side(left, right), height: side(top, bottom) });
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

/** Letters of no size. Those of no colour are found where all that lies behind them is known. */
const isUnreadable = (style: CSSStyleDeclaration): boolean => Number.parseFloat(style.fontSize) < 2;

/** No room to show anything in. Where only one side has none, something must be cut off by it. */
function isEmptyBox(element: Element): boolean {
  const { width, height } = element.getBoundingClientRect();
  if (height < 1 && width < 1) return true;
  return (height <= THIN && element.scrollHeight > height + 1) || (width <= THIN && element.scrollWidth > width + 1);
}

/**
 * What is kept from readers of the screen is ornament or a double; except that pages mark all but an open dialogue so.
 */
function isAriaHidden(element: Element): boolean {
  return element.getAttribute("aria-hidden") === "true" && element.querySelector("main, article, h1") === null;
}

function attributesOf(element: Element): Record<string, string | undefined> {
  const told = (name: string) => element.getAttribute(name) ?? undefined;
  return { hidden: told("hidden"), open: told("open"), style: told("style") };
}
