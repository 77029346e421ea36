import { coloursIn } from "./colours.ts";

/** Width and height of a box, pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Smallest part of a box in which something can be read, in each direction, pixels. */
const MIN_SIDE = 3;
/** From this many pixels on, letters that are blurred are a cloud. */
const BLURRED = 6;

/** Cut away, masked, or filtered until nothing is left to read. `size` is asked for only where something is cut. */
export function isWipedOut(style: CSSStyleDeclaration, size: () => Size): boolean {
  const { clipPath, filter, maskImage } = style;
  if (clipPath !== "none" && isCutAway(clipPath, size())) return true;
  if (filter !== "none" && isFilteredAway(filter)) return true;
  return maskImage !== undefined && maskImage !== "none" && maskImage !== "" && isMaskedAway(style);
}

function isFilteredAway(filter: string): boolean {
  if (/\b(?:opacity|contrast)\(0(?:\.0\d*)?%?\)/.test(filter)) return true;
  const [, blur = "0"] = /blur\(([\d.]+)px/.exec(filter) ?? [];
  return Number(blur) >= BLURRED;
}

/** A mask that is a picture may show anything or nothing: what is behind it is not taken for seen. */
function isMaskedAway({ maskImage, maskSize, maskComposite }: CSSStyleDeclaration): boolean {
  if (/\burl\(/.test(maskImage) || /^0(?:px|%)(?: |$)/.test(maskSize)) return true;
  if (/exclude|subtract|intersect/.test(maskComposite) && /\),/.test(maskImage)) return true;
  const colours = coloursIn(maskImage);
  return colours.length > 0 && colours.every((colour) => colour !== undefined && colour.alpha < 0.05);
}

/** What a `clip-path` leaves of a box: whether it is too little to read in. */
function isCutAway(path: string, { width, height }: Size): boolean {
  const [, shape = "", written = ""] = /^(inset|circle|ellipse|polygon|rect|xywh)\((.*)\)/.exec(path) ?? [];
  const inside = written.replace(/calc\(([^()]*)\)/g, (_, sum: string) => sum.replace(/\s+/g, ""));
  const [sides = ""] = inside.split(/ round | at /);
  const words = sides.trim().split(/\s+/);
  if (shape === "inset") {
    const [top, right = top, bottom = top, left = right] = words;
    const across = width - lengthOf(left, width) - lengthOf(right, width);
    return Math.min(across, height - lengthOf(top, height) - lengthOf(bottom, height)) < MIN_SIDE;
  }
  if (shape === "xywh") return Math.min(lengthOf(words[2], width), lengthOf(words[3], height)) < MIN_SIDE;
  if (shape === "rect") {
    const [top, right, bottom, left] = words;
    const across = lengthOf(right, width) - lengthOf(left, width);
    return Math.min(across, lengthOf(bottom, height) - lengthOf(top, height)) < MIN_SIDE;
  }
  if (shape === "circle" || shape === "ellipse") {
    return words.some((word) => /^[\d.]/.test(word) && lengthOf(word, Math.max(width, height)) * 2 < MIN_SIDE);
  }
  return shape === "polygon" && isThin(inside, { width, height });
}

/** Whether what a polygon has in common with its box is thinner than can be read in. */
function isThin(written: string, { width, height }: Size): boolean {
  const points = written
    .replace(/^(?:nonzero|evenodd),/, "")
    .split(",")
    .map((point) => point.trim().split(/\s+/));
  const sides = ([0, 1] as const).map((at) => {
    const whole = at === 0 ? width : height;
    const places = points.map((point) => Math.min(whole, Math.max(0, lengthOf(point[at], whole))));
    return Math.max(...places) - Math.min(...places);
  });
  return sides.some((side) => side < MIN_SIDE) || areaOf(points, { width, height }) < MIN_SIDE * MIN_SIDE;
}

function areaOf(points: readonly (readonly string[])[], { width, height }: Size): number {
  const places = points.map(([x, y]) => [lengthOf(x, width), lengthOf(y, height)] as const);
  const doubled = places.reduce((sum, [x, y], at) => {
    const [nextX, nextY] = places[(at + 1) % places.length] ?? [x, y];
    return sum + x * nextY - nextX * y;
  }, 0);
  return Math.abs(doubled) / 2;
}

/** Pixels of a length as computed values have them; what is a sum of both kinds is taken by both. */
function lengthOf(written: string | undefined, whole: number): number {
  const parts = (written ?? "").matchAll(/(-?[\d.]+)(px|%)?/g);
  return Array.from(parts).reduce(
    (sum, [, number, unit]) => sum + (Number(number) * (unit === "%" ? whole : 1)) / (unit === "%" ? 100 : 1),
    0,
  );
}
