import { realOf } from "./without-names.ts";

/**
 * An element on the screen with all it lies in, as it was when the page was copied: slots, shadow trees and frames of
 * the same origin are followed, and what is asked is asked once.
 */
export class Place {
  readonly parent: Place | undefined;
  readonly view: Window;
  /** Its properties are its own, whatever the page has named so. */
  readonly element: Element;
  readonly style: CSSStyleDeclaration;
  /** Its place in the page's order. */
  readonly order: number;
  /** How much of it and of all around it shines through, 0 to 1. */
  readonly opacity: number;
  /** The nearest that stays where it is while the page scrolls: itself, or what it lies in. */
  readonly stays: Place | undefined;
  readonly isFixed: boolean;
  /** It, or what it lies in, is put under something. */
  readonly isLowered: boolean;
  /** It, or what it lies in, is shown larger or smaller than it is. */
  readonly isScaled: boolean;
  #box: Rect | undefined;
  #stack: Stack | undefined;
  #clip: Clip | undefined;
  #inside: Clip | undefined;

  /** @param around what it lies in, or the window of a document's outermost element */
  constructor(around: Place | Window, element: Element, style: CSSStyleDeclaration, order: number) {
    const parent = around instanceof Place ? around : undefined;
    this.parent = parent;
    this.view = around instanceof Place ? around.view : around;
    this.element = element;
    this.style = style;
    this.order = order;
    this.opacity = (parent?.opacity ?? 1) * Number(style.opacity);
    const { position } = style;
    this.isLowered = parent?.isLowered === true || (position !== "static" && Number(style.zIndex) < 0);
    this.stays = position === "fixed" || position === "sticky" ? this : parent?.stays;
    this.isFixed = position === "fixed" || parent?.isFixed === true;
    this.isScaled = parent?.isScaled === true || isScaling(style);
  }

  /** In pixels from the page's beginning: a person may scroll while the page is read. */
  get box(): Rect {
    this.#box ??= onPage(
      this.style.display === "contents" ? lettersBox(this.element) : this.element.getBoundingClientRect(),
      this.view,
    );
    return this.#box;
  }

  /** How large a pixel of it is on the screen. */
  get scale(): number {
    if (!this.isScaled) return 1;
    const { offsetWidth = 0, offsetHeight = 0 } = this.element as HTMLElement;
    const side = Math.max(offsetWidth, offsetHeight);
    return side === 0 ? 1 : Math.max(this.box.width, this.box.height) / side;
  }

  /** From the outermost stacking context inwards: where among what lies over each other its background is painted. */
  get layers(): readonly Layer[] {
    const { contexts, own, isContext: isOwn } = this.stack;
    return isOwn ? contexts : [...contexts, own ?? FLOW];
  }

  /** Of it and what is in it. */
  get stack(): Stack {
    this.#stack ??= stackOf(this);
    return this.#stack;
  }

  /** What all boxes around it that cut off leave to be seen of it. */
  get clip(): Clip {
    this.#clip ??= clipOf(this);
    return this.#clip;
  }

  /** The same for what is in it. */
  get inside(): Clip {
    this.#inside ??= insideOf(this);
    return this.#inside;
  }

  *around(): Generator<Place> {
    yield this;
    for (let { parent } = this; parent !== undefined; parent = parent.parent) yield parent;
  }

  isWithin(other: Place): boolean {
    if (other.order > this.order) return false;
    for (const place of this.around()) if (place === other) return true;
    return false;
  }
}

const isScaling = ({ transform, scale, zoom }: CSSStyleDeclaration): boolean =>
  transform !== "none" || scale !== "none" || zoom !== "1";

/** What is on the screen, by its place on the page. */
export function onPage({ left, top, width, height }: DOMRect, { scrollX, scrollY }: Window): Rect {
  const [x, y] = [left + scrollX, top + scrollY];
  return { left: x, top: y, right: x + width, bottom: y + height, width, height };
}

/** The box around all that is written in a node, on the screen. */
export function lettersBox(node: Node): DOMRect {
  const range = new Range();
  range.selectNodeContents(realOf(node));
  return range.getBoundingClientRect();
}

/** In one stacking context: how high, and the element that lies there. */
interface Layer {
  readonly height: number;
  readonly order: number;
}

/** Text and backgrounds that are not lifted are painted over what lies below zero, and under what lies at zero. */
const FLOW: Layer = { height: -0.5, order: -1 };

interface Stack {
  /** Stacking contexts that what is in the element lies in, from the outermost. */
  readonly contexts: readonly Layer[];
  /** Where in the last of them; undefined: with the text. */
  readonly own: Layer | undefined;
  /** How high the element itself is lifted among its neighbours; undefined: it lies with the text. */
  readonly height: number | undefined;
  readonly isContext: boolean;
}

/** Contexts inside each other that are told apart: a nest of hundreds, each copied, would be all a page has in memory. */
const MAX_CONTEXTS = 60;

function stackOf(place: Place): Stack {
  const around = place.parent?.stack;
  const contexts = around?.contexts ?? [];
  if (contexts.length >= MAX_CONTEXTS) return { contexts, own: around?.own, height: undefined, isContext: false };
  const { position, zIndex } = place.style;
  const isPlaced = position !== "static";
  const isRaised = zIndex !== "auto" && (isPlaced || /flex|grid/.test(place.parent?.style.display ?? ""));
  const context = isRaised || position === "fixed" || position === "sticky" || isContext(place.style);
  if (!context && !isPlaced) return { contexts, own: around?.own, height: undefined, isContext: false };
  const height = isRaised ? Number(zIndex) : 0;
  const own = { height, order: place.order };
  // A box that is lifted without being a context of its own takes along what has no height itself.
  return context
    ? { contexts: [...contexts, own], own: undefined, height, isContext: true }
    : { contexts, own, height, isContext: false };
}

/** Whether anything on the way to it is lifted over the text of the page. */
export const isLifted = ({ layers }: Place): boolean => layers.length > 1 || layers[0] !== FLOW;

function isContext(style: CSSStyleDeclaration): boolean {
  if (style.opacity !== "1" || style.transform !== "none" || style.filter !== "none") return true;
  if (style.isolation === "isolate" || style.clipPath !== "none" || style.mixBlendMode !== "normal") return true;
  return (
    /transform|opacity|filter/.test(style.willChange) ||
    /paint|layout|strict|content/.test(style.contain) ||
    style.perspective !== "none"
  );
}

/** Whether the background of one is painted over the letters of the other. */
export function liesOver(upper: Place, lower: Place): boolean {
  const above = upper.layers;
  // The letters of a context lie over what is below zero in it.
  const below = lower.stack.isContext ? [...lower.layers, FLOW] : lower.layers;
  for (let at = 0; at < Math.max(above.length, below.length); at++) {
    const [one, other] = [above[at], below[at]];
    // The background of a context lies under all that is in it.
    if (one === undefined || other === undefined) return other === undefined && one !== undefined;
    if (one.height !== other.height) return one.height > other.height;
    if (one.order !== other.order) return one.order > other.order;
  }
  return false;
}

/** A part of the page. */
export type Box = Pick<DOMRect, "left" | "top" | "right" | "bottom">;

/** The same with its size. */
export type Rect = Box & Pick<DOMRect, "width" | "height">;

/** `cuts`: some box cuts off what is beyond. */
interface Clip extends Box {
  readonly cuts: boolean;
}

const WHOLE: Clip = { left: -Infinity, top: -Infinity, right: Infinity, bottom: Infinity, cuts: false };

function clipOf(place: Place): Clip {
  const { position } = place.style;
  if (position === "fixed" || place.parent === undefined) return WHOLE;
  if (position !== "absolute") return place.parent.inside;
  // What is placed freely is cut off by what it is placed in.
  for (const container of place.parent.around()) if (!isPlain(container.style)) return container.inside;
  return WHOLE;
}

const isPlain = ({ position, transform }: CSSStyleDeclaration): boolean =>
  position === "static" && transform === "none";

function insideOf(place: Place): Clip {
  const outer = place.clip;
  // What the page's own elements cut off is the window's to scroll.
  if (place.style.overflow === "visible" || /^(?:html|body)$/.test(place.element.localName)) return outer;
  const { left, top, right, bottom } = place.box;
  return {
    left: Math.max(left, outer.left),
    top: Math.max(top, outer.top),
    right: Math.min(right, outer.right),
    bottom: Math.min(bottom, outer.bottom),
    cuts: true,
  };
}
