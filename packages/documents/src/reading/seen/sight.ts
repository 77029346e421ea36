import { areAlike, type Colour, colourOf, coloursIn, laidOver } from "./colours.ts";
import type { Pace, Steps } from "../pace.ts";
import { remembered } from "../remembered.ts";
import { type Box, isLifted, lettersBox, liesOver, onPage, type Place } from "./place.ts";
import { type Ground, meet, type Painted, Strips } from "./strips.ts";
import { plainDocument, realOf } from "./without-names.ts";

/** Elements that show something of their own, whatever their style; what lies behind them is not seen. */
const OPAQUE = new Set(["img", "video", "iframe", "frame", "embed", "object"]);
/** Elements that may show anything, and be seen through. */
const PICTURES = new Set([...OPAQUE, "svg", "canvas", "picture"]);

const PICTURED = /\burl\(|-set\(|element\(|paint\(/;
const CLEAR = "rgba(0, 0, 0, 0)";

/** Least part of full cover at which nothing is seen through. */
const COVERS = 0.95;
/** Least part of full cover at which letters can be made out. */
const FAINT = 0.05;
/** Lines of a text that are looked at. */
const MAX_LINES = 6;

/** Pixels on the screen. */
const SMALLEST_LETTERS = 2.5;

/** Some text of one element, and its letters in the copy. */
interface Written {
  readonly place: Place;
  readonly original: Text;
  readonly copy: Text;
}

const ANYTHING: Ground = { colours: [], anything: true };
const WHITE: Colour = { red: 255, green: 255, blue: 255, alpha: 1 };
const DARK: Colour = { red: 18, green: 18, blue: 18, alpha: 1 };

/**
 * Knows what is painted on a page that is on a screen, and finds the text that nobody sees though it is shown: letters
 * of the colour they stand on, letters under a box, letters where no scrolling leads. Nothing is scrolled or changed.
 *
 * What it cannot know it takes for seen: letters before a picture, and under what stays in place while a page scrolls
 * (banners, bars), since a person scrolls or closes those.
 */
export class Sight {
  readonly #window: Window & typeof globalThis;
  /** What a frame is painted on; undefined: the browser's own canvas. */
  readonly #behind: (() => Ground) | undefined;
  readonly #root: Element;
  /** Colours are the person's own choice, not the page's. */
  readonly #isForced: boolean;
  readonly #painted: Painted[] = [];
  readonly #written: Written[] = [];
  readonly #grounds = new Map<Place, Ground>();
  readonly #pseudos = new Map<Place, readonly PseudoBox[]>();
  /** Whether such boxes are anywhere around. */
  readonly #decked = new Map<Place, boolean>();
  #isTime = true;
  /** All that is painted. */
  readonly #strips = new Strips();
  /** Of it, what may lie over text. */
  readonly #covers = new Strips();

  constructor(view: Window & typeof globalThis, behind?: () => Ground) {
    this.#window = view;
    this.#root = plainDocument(view.document).documentElement;
    this.#behind = behind;
    this.#isForced = view.matchMedia("(forced-colors: active)").matches;
  }

  /** An element that is shown, in the page's order. */
  see(place: Place): void {
    const { style, element } = place;
    if (place.opacity < FAINT) return;
    const name = element.localName;
    const { backgroundImage } = style;
    const anything = PICTURES.has(name) || PICTURED.test(backgroundImage);
    if (!anything && backgroundImage === "none" && style.backgroundColor === CLEAR) return;
    const colours = anything ? [] : ownColours(style).filter(({ alpha }) => alpha * place.opacity >= FAINT);
    // Canvas and body lie behind everything.
    if ((anything || colours.length > 0) && name !== "html" && name !== "body") {
      this.#painted.push({ place, colours, anything });
    }
  }

  /** A text that was copied. */
  read(place: Place, original: Text, copy: Text): void {
    this.#written.push({ place, original, copy });
  }

  /**
   * The copies of texts that are not seen. After so many milliseconds of work at the `pace`, only the letters' own
   * colours and places are looked at.
   */
  *unseen(pace: Pace, most: number): Steps<Text[]> {
    for (const painted of this.#painted) {
      if (pace.isDue()) yield;
      this.#strips.put(painted);
      if (isCover(painted)) this.#covers.put(painted);
    }
    const unseen: Text[] = [];
    const lost = new Map<Place, boolean>();
    for (const { place, original, copy } of this.#written) {
      if (pace.isDue()) yield;
      this.#isTime &&= pace.worked < most;
      const isLost = remembered(lost, place, () => this.#isLost(place));
      if (isLost || (this.#isTime && this.#isCovered(place, original))) unseen.push(copy);
    }
    return unseen;
  }

  #isLost(place: Place): boolean {
    if (Number.parseFloat(place.style.fontSize) * place.scale < SMALLEST_LETTERS) return true;
    return this.#isOutOfReach(place) || this.#isOfItsGround(place);
  }

  /** Beyond the edges that no scrolling goes past, or fixed outside of the window. */
  #isOutOfReach(place: Place): boolean {
    if (place.inside.cuts) return false;
    const isMoved = Number.parseFloat(place.style.textIndent) < 0;
    const box = isMoved ? onPage(lettersBox(place.element), this.#window) : place.box;
    const { left, top, right, bottom, width, height } = box;
    if (width === 0 && height === 0) return false;
    if (place.isFixed) {
      const { scrollX, scrollY, innerWidth, innerHeight } = this.#window;
      return right <= scrollX || bottom <= scrollY || left >= scrollX + innerWidth || top >= scrollY + innerHeight;
    }
    if (bottom <= 0) return true;
    const isFromRight = (left < 0 || right > this.#root.clientWidth) && this.#isFromRight();
    return isFromRight ? left >= this.#root.clientWidth : right <= 0;
  }

  #isFromRight(): boolean {
    return this.#window.getComputedStyle(this.#root).direction === "rtl";
  }

  /** Letters of the colour of what is behind them. */
  #isOfItsGround(place: Place): boolean {
    if (this.#isForced) return false;
    const { colours, anything } = lettersOf(place);
    const ground = this.groundOf(place);
    if (anything) return false;
    const isLost = (colour: Colour) =>
      colour.alpha * place.opacity < FAINT ||
      (!ground.anything && ground.colours.every((behind) => areAlike(laidOver(colour, behind, place.opacity), behind)));
    if (!colours.every(isLost) || outlinesOf(place.style).some((colour) => !isLost(colour))) return false;
    if (colours.every(({ alpha }) => alpha * place.opacity < FAINT)) return true;
    return !this.#hasOtherGround(place, colours);
  }

  /** Whether something that is no part of the text's surroundings is painted behind it: a picture, another colour. */
  #hasOtherGround(place: Place, colours: readonly Colour[]): boolean {
    const isOther = (colour: Colour) => colours.some((own) => !areAlike(own, colour));
    for (const around of place.around()) {
      for (const pseudo of ["::before", "::after"]) {
        const style = this.#window.getComputedStyle(realOf(around.element), pseudo);
        if (style.content === "none" || style.content === "normal") continue;
        if (/\burl\(/.test(style.backgroundImage) || ownColours(style).some(isOther)) return true;
      }
      if (ownColours(around.style).some(({ alpha }) => alpha >= COVERS)) break;
    }
    return this.#strips
      .near(place.box)
      .some(
        (painted) =>
          (painted.anything || painted.colours.some(isOther)) &&
          !place.isWithin(painted.place) &&
          !painted.place.isWithin(place) &&
          meet(painted.place.box, place.box),
      );
  }

  /** What is behind letters in an element. */
  groundOf(place: Place): Ground {
    return remembered(this.#grounds, place, () =>
      groundOver(place, place.parent === undefined ? this.#canvas(place) : this.groundOf(place.parent)),
    );
  }

  /** What a page without a background is painted on. */
  #canvas({ element, style }: Place): Ground {
    if (this.#behind !== undefined) return this.#behind();
    const meta = plainDocument(element.ownerDocument).querySelector("meta[name=color-scheme i]");
    const schemes = style.colorScheme === "normal" ? (meta?.getAttribute("content") ?? "") : style.colorScheme;
    const prefersDark = this.#window.matchMedia("(prefers-color-scheme: dark)").matches;
    const isDark = /\bdark\b/.test(schemes) && (prefersDark || !/\blight\b/.test(schemes));
    return { colours: [isDark ? DARK : WHITE], anything: false };
  }

  /** Whether boxes that lie over it cover a text in all places looked at. */
  #isCovered(place: Place, text: Text): boolean {
    const strips = place.isLowered ? this.#strips : this.#covers;
    const over = strips.near(place.box).filter((painted) => covers(painted, place));
    const pseudos = this.#pseudosOver(place);
    if (over.length === 0 && pseudos.length === 0) return false;
    const points = pointsOf(text, this.#window);
    const isCoveredAt = (x: number, y: number) =>
      // What is cut off there is reached by scrolling, or by unfolding.
      isIn(place.inside, x, y) && (pseudos.some((box) => isIn(box, x, y)) || isUnder(place, over, x, y));
    return points.length > 0 && points.every(([x, y]) => isCoveredAt(x, y));
  }

  /** Boxes of style sheets alone that lie over a text. */
  #pseudosOver(place: Place): PseudoBox[] {
    const found: PseudoBox[] = [];
    if (!this.#hasPseudos(place)) return found;
    let height = -0.5;
    for (const around of place.around()) {
      if (around.style.position !== "static") {
        const over = this.#pseudosOf(around).filter(
          (box) => box.height > height || (box.isLast && box.height === height),
        );
        found.push(...over);
      }
      height = Math.max(height, around.stack.height ?? height);
    }
    return found;
  }

  #hasPseudos(place: Place): boolean {
    return remembered(this.#decked, place, () => {
      const isHost = place.style.position !== "static" && this.#pseudosOf(place).length > 0;
      return isHost || (place.parent !== undefined && this.#hasPseudos(place.parent));
    });
  }

  #pseudosOf(place: Place): readonly PseudoBox[] {
    const find = (name: string) => {
      const style = this.#window.getComputedStyle(realOf(place.element), name);
      if (style.position !== "absolute" || style.content === "none" || style.content === "normal") return [];
      const isWhole = Number(style.opacity) * place.opacity >= COVERS && style.visibility === "visible";
      return isWhole && isSolid(ownColours(style)) ? pseudoBox(place, style, name === "::after") : [];
    };
    return remembered(this.#pseudos, place, () => ["::before", "::after"].flatMap(find));
  }
}

/** A box that a style sheet lays into an element. */
interface PseudoBox extends Box {
  readonly height: number;
  /** It comes after all that is in the element. */
  readonly isLast: boolean;
}

function pseudoBox({ box, element }: Place, style: CSSStyleDeclaration, isLast: boolean): PseudoBox {
  const [x = 0, y = 0, width = 0, height = 0] = [style.left, style.top, style.width, style.height].map(
    Number.parseFloat,
  );
  const [left, top] = [box.left + element.clientLeft + x, box.top + element.clientTop + y];
  return { left, top, right: left + width, bottom: top + height, height: Number(style.zIndex) || 0, isLast };
}

const isSolid = (colours: readonly Colour[]): boolean =>
  colours.length > 0 && colours.every(({ alpha }) => alpha >= COVERS);

/** Whether something at a point lies over a text. */
function isUnder(place: Place, over: readonly Painted[], x: number, y: number): boolean {
  const above = over.filter(
    ({ place: cover }) => isIn(cover.box, x, y) && isIn(cover.clip, x, y) && liesOver(cover, place),
  );
  // The browser itself cannot be asked about what no pointer meets.
  if (above.length === 0 || above.some(({ place: { style } }) => style.pointerEvents === "none"))
    return above.length > 0;
  const root = place.element.getRootNode();
  const { scrollX, scrollY } = place.view;
  const hit = "elementFromPoint" in root ? (root as ShadowRoot).elementFromPoint(x - scrollX, y - scrollY) : null;
  return (
    hit === null || !place.element.contains(hit) || above.some(({ place: { element } }) => realOf(element) === hit)
  );
}

/** Whether nothing is seen through it, and it may lie over text. */
const isCover = (painted: Painted): boolean => isOpaque(painted) && isLifted(painted.place);

const isOpaque = ({ place, colours, anything }: Painted): boolean =>
  place.opacity >= COVERS && (anything ? isWholePicture(place.element) : isSolid(colours));

/** Whether it may cover this text: it does not hold it, and does not stay in place while the text scrolls under it. */
function covers(painted: Painted, text: Place): boolean {
  const { place } = painted;
  if (!meet(place.box, text.box) || !(text.isLowered ? isOpaque(painted) : !text.isWithin(place))) return false;
  return place.stays === undefined || text.isWithin(place.stays);
}

function isWholePicture(element: Element): boolean {
  if (!OPAQUE.has(element.localName)) return false;
  return element.localName !== "img" || (element as HTMLImageElement).naturalWidth > 0;
}

/** Left, middle and right of the lines of a text. */
function pointsOf(text: Text, { scrollX, scrollY }: Window): (readonly [number, number])[] {
  const range = new Range();
  range.selectNodeContents(text);
  const lines = [...range.getClientRects()].filter(({ width, height }) => width > 0 && height > 0);
  const step = Math.max(1, Math.ceil(lines.length / MAX_LINES));
  return lines
    .filter((_, at) => at % step === 0)
    .flatMap(({ left, top, width, height }) =>
      [0.1, 0.5, 0.9].map((share) => [scrollX + left + width * share, scrollY + top + height / 2] as const),
    );
}

const isIn = ({ left, top, right, bottom }: Box, x: number, y: number): boolean =>
  x >= left && x <= right && y >= top && y <= bottom;

/** Colours an element paints behind its letters. */
function ownColours(style: CSSStyleDeclaration): Colour[] {
  if (style.backgroundClip.includes("text")) return [];
  const gradient = style.backgroundImage === "none" ? [] : coloursIn(style.backgroundImage);
  return [colourOf(style.backgroundColor), ...gradient].filter(
    (colour) => colour !== undefined && colour.alpha > 0,
  ) as Colour[];
}

/** What is behind letters in an element, given what is behind the element. */
function groundOver({ style }: Place, behind: Ground): Ground {
  const { backgroundImage, backgroundColor } = style;
  if ((backgroundImage === "none" && backgroundColor === CLEAR) || style.backgroundClip.includes("text")) return behind;
  const colour = colourOf(backgroundColor);
  if (colour === undefined) return ANYTHING;
  const under: Ground =
    colour.alpha >= COVERS
      ? { colours: [colour], anything: false }
      : { ...behind, colours: behind.colours.map((other) => laidOver(colour, other)) };
  if (backgroundImage === "none") return under;
  const stops = coloursIn(backgroundImage);
  if (PICTURED.test(backgroundImage) || stops.includes(undefined)) return ANYTHING;
  const clear = stops.filter((stop) => stop !== undefined);
  if (isSolid(clear)) return { colours: clear, anything: false };
  const mixed = under.colours.flatMap((other) => [other, ...clear.map((stop) => laidOver(stop, other))]);
  return { anything: under.anything, colours: mixed.slice(0, 12) };
}

/** The colours of the letters in an element: one, or those of the background that is cut out by them. */
function lettersOf(place: Place): Ground {
  const colour = colourOf(place.style.getPropertyValue("-webkit-text-fill-color") || place.style.color);
  if (colour === undefined) return ANYTHING;
  for (const { style } of colour.alpha < 1 ? place.around() : []) {
    if (!style.backgroundClip.includes("text")) continue;
    const stops = [colourOf(style.backgroundColor), ...coloursIn(style.backgroundImage)];
    return {
      colours: [colour, ...stops.filter((stop) => stop !== undefined)],
      anything: /\burl\(/.test(style.backgroundImage) || stops.includes(undefined),
    };
  }
  return { colours: [colour], anything: false };
}

/** Colours of what is drawn around letters. */
function outlinesOf(style: CSSStyleDeclaration): Colour[] {
  const shadow = style.textShadow === "none" ? [] : coloursIn(style.textShadow);
  const stroke =
    Number.parseFloat(style.getPropertyValue("-webkit-text-stroke-width")) > 0
      ? [colourOf(style.getPropertyValue("-webkit-text-stroke-color"))]
      : [];
  return [...shadow, ...stroke].filter((colour) => colour !== undefined);
}
