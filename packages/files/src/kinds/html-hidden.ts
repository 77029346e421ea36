import type { Attributes } from "./html-text.ts";

/** Elements whose content is never text for a reader, or is what a person typed into a form. */
const LEFT_OUT = new Set(
  `script style template iframe frame object embed applet svg canvas audio video map datalist
  input textarea select option button progress meter`.split(/\s+/),
);

/** Whether an element's content is no part of the document's text. `title` is read apart. */
export function isLeftOut(name: string, withScripts: boolean): boolean {
  return LEFT_OUT.has(name) || name === "title" || (withScripts && name === "noscript");
}

/**
 * Whether an element by its own attributes is not shown: text in it could steer an answer without anyone having seen
 * it (docs/threats.md, T34). Style sheets are not applied.
 */
export function isConcealed(name: string, attributes: Attributes): boolean {
  if (attributes["hidden"] !== undefined && attributes["hidden"] !== "until-found") return true;
  if (name === "dialog" && attributes["open"] === undefined) return true;
  const style = attributes["style"];
  return style !== undefined && style.split(";", 100).some(conceals);
}

function conceals(declaration: string): boolean {
  const colon = declaration.indexOf(":");
  const property = declaration.slice(0, colon).trim().toLowerCase();
  const value = declaration
    .slice(colon + 1, colon + 200)
    .replace(/!.*$/, "")
    .trim()
    .toLowerCase();
  return CONCEALING.some(([names, values]) => names.test(property) && values.test(value));
}

const ZERO = /^0*\.?0*(?:px|em|rem|pt|%|vw|vh)?$/;
const CONCEALING: readonly (readonly [RegExp, RegExp])[] = [
  [/^display$/, /^none$/],
  [/^visibility$/, /^(?:hidden|collapse)$/],
  [/^content-visibility$/, /^hidden$/],
  [/^(?:opacity|font-size|max-height|max-width|zoom)$/, ZERO],
  [
    /^(?:color|-webkit-text-fill-color)$/,
    /^(?:transparent|rgba\([^)]{0,40},\s*0*\.?0*\)|#[0-9a-f]{6}00|#[0-9a-f]{3}0)$/,
  ],
  [/^(?:text-indent|left|right|top|margin-left|margin-top)$/, /^-\d{3,}/],
  [/^clip$/, /^rect\(\s*0/],
  [/^clip-path$/, /^inset\(\s*(?:50|100)%/],
  [/^transform$/, /^scale\(\s*0\s*\)/],
];
