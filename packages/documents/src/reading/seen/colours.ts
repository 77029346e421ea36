import { remembered } from "../remembered.ts";

/** A colour as a screen mixes it: red, green and blue of 0 to 255, and how much of it covers what is behind, 0 to 1. */
export interface Colour {
  readonly red: number;
  readonly green: number;
  readonly blue: number;
  readonly alpha: number;
}

const known = new Map<string, Colour | undefined>();

/** A computed colour; undefined for one that cannot be made out. */
export function colourOf(written: string): Colour | undefined {
  if (known.size > 2_000) known.clear();
  return remembered(known, written, () => simpleColour(written) ?? drawnColour(written));
}

const CHANNELS = /^rgba?\(([\d.]+),? ([\d.]+),? ([\d.]+)(?:(?:,| \/) ([\d.e-]+))?\)$/;

function simpleColour(written: string): Colour | undefined {
  const [, red, green, blue, alpha = "1"] = CHANNELS.exec(written) ?? [];
  if (red === undefined) return undefined;
  return { red: Number(red), green: Number(green), blue: Number(blue), alpha: Number(alpha) };
}

/** One pixel, off the page; null where the browser has none or falsifies them. */
let pixel: OffscreenCanvasRenderingContext2D | null | undefined;

/** Colours of other spaces (`oklch()`, `color()`): the browser is asked what they come to. */
function drawnColour(written: string): Colour | undefined {
  if (pixel === undefined) {
    pixel =
      typeof OffscreenCanvas === "undefined"
        ? null
        : new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
    // Browsers that resist fingerprints give back other colours than were drawn.
    if (pixel !== null && drawn(pixel, "rgb(1, 254, 3)")?.green !== 254) pixel = null;
  }
  return pixel === null ? undefined : drawn(pixel, written);
}

function drawn(on: OffscreenCanvasRenderingContext2D, written: string): Colour | undefined {
  on.fillStyle = "#010203";
  on.fillStyle = written;
  if (on.fillStyle === "#010203") return undefined;
  on.clearRect(0, 0, 1, 1);
  on.fillRect(0, 0, 1, 1);
  const [red = 0, green = 0, blue = 0, alpha = 0] = on.getImageData(0, 0, 1, 1).data;
  return { red, green, blue, alpha: alpha / 255 };
}

/** The colours of a computed gradient or shadow. */
export function coloursIn(written: string): readonly (Colour | undefined)[] {
  return (written.match(/(?:rgba?|color|oklab|oklch|lab|lch|hsla?|hwb)\([^()]*\)/g) ?? []).slice(0, 20).map(colourOf);
}

/** What is seen of one colour before another; `opacity`: of what bears it. */
export function laidOver(front: Colour, back: Colour, opacity = 1): Colour {
  const share = front.alpha * opacity;
  const mix = (own: number, other: number) => own * share + other * (1 - share);
  return {
    red: mix(front.red, back.red),
    green: mix(front.green, back.green),
    blue: mix(front.blue, back.blue),
    alpha: share + back.alpha * (1 - share),
  };
}

/** Least ratio of two lights that eyes tell apart in letters; WCAG asks for 4.5 where letters are to be read with ease. */
const MIN_RATIO = 1.3;
/** As far apart as this in one of red, green and blue, colours of the same light differ by their tone. */
const MIN_TONE = 32;

/** Whether letters of one colour are lost on the other. */
export function areAlike(one: Colour, other: Colour): boolean {
  const isOtherTone = (["red", "green", "blue"] as const).some((part) => Math.abs(one[part] - other[part]) >= MIN_TONE);
  if (isOtherTone) return false;
  const [dark = 0, light = 0] = [lightOf(one), lightOf(other)].toSorted((low, high) => low - high);
  return (light + 0.05) / (dark + 0.05) < MIN_RATIO;
}

/** Relative luminance (WCAG 2.2). */
function lightOf({ red, green, blue }: Colour): number {
  const [r = 0, g = 0, b = 0] = [red, green, blue].map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
