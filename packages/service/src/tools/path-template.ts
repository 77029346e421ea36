/**
 * Whether a path can be filled in from its parameters, judged as deployed servers do: they hand the path to Python's
 * `str.format`, so `{id.upper}`, `{id!r}` and `{id:>10}` pass while `{pet.id}`, `{a:b}` and `{0}` fail
 * (docs/wire.md, section 4.2). Every parameter stands for the text "value" there, and here. Nothing is ever called.
 */

/** A path that cannot be filled in; the message says why. `parameter` is set when one is only missing. */
export class PathTemplateError extends Error {
  override readonly name = "PathTemplateError";
  readonly parameter: string | undefined;

  constructor(message: string, parameter?: string) {
    super(message);
    this.parameter = parameter;
  }
}

/** What a field can stand for: a text, or an object of which only its existence is known. */
type Value = { readonly text: string } | { readonly text?: never };

const PLACEHOLDER: Value = { text: "value" };
const OPAQUE: Value = {};

/** Levels of fields: a field's format may hold fields, theirs may not. */
const NESTING = 2;
/** Widest field; beyond it deployed servers run out of memory. */
const MAX_WIDTH = 2 ** 31;
/** A field inside a format is really rendered; no honest one is wider. */
const MAX_NESTED_WIDTH = 1000;

/** Throws PathTemplateError when `path` cannot be filled in from parameters with these names. Linear. */
export function checkPathTemplate(path: string, parameters: ReadonlySet<string>): void {
  expand(path, parameters, NESTING, false);
}

/** The text of `template`, or undefined when it holds something of unknown text. */
function expand(
  template: string,
  parameters: ReadonlySet<string>,
  levels: number,
  render: boolean,
): string | undefined {
  if (levels === 0) throw new PathTemplateError("Braces inside braces are nested too deeply");
  let at = 0;
  let text: string | undefined = "";
  while (at < template.length) {
    const brace = nextBrace(template, at);
    if (render) text = join(text, template.slice(at, brace));
    if (brace === template.length) break;
    const character = template.charAt(brace);
    if (template[brace + 1] === character) {
      text = join(text, character);
      at = brace + 2;
      continue;
    }
    if (character === "}") throw new PathTemplateError("A single '}' has no '{' before it");
    const field = readField(template, brace + 1);
    const filled = fillIn(field, parameters, levels, render);
    if (render) text = join(text, filled);
    at = field.end;
  }
  return text;
}

const join = (left: string | undefined, right: string | undefined) =>
  left === undefined || right === undefined ? undefined : left + right;

function nextBrace(text: string, from: number): number {
  let at = from;
  while (at < text.length && text[at] !== "{" && text[at] !== "}") at++;
  return at;
}

interface Field {
  readonly name: string;
  readonly conversion: string | undefined;
  readonly format: string;
  /** Position after the closing brace. */
  readonly end: number;
}

const UNCLOSED = "A '{' is never closed";

function readField(template: string, start: number): Field {
  let at = start;
  while (at < template.length && !"}:!".includes(template.charAt(at))) {
    if (template[at] === "{") throw new PathTemplateError("A '{' stands inside a parameter's name");
    if (template[at] === "[") at = skipItem(template, at);
    at++;
  }
  const name = template.slice(start, Math.min(at, template.length));
  if (at >= template.length) throw new PathTemplateError(UNCLOSED);
  if (template[at] === "}") return { name, conversion: undefined, format: "", end: at + 1 };
  if (template[at] === ":") return readFormat(template, name, undefined, at + 1);
  return readConversion(template, name, at + 1);
}

/** Brackets hide braces and colons up to the next `]`. */
function skipItem(template: string, from: number): number {
  const close = template.indexOf("]", from + 1);
  return close === -1 ? template.length : close;
}

function readConversion(template: string, name: string, at: number): Field {
  const conversion = String.fromCodePoint(template.codePointAt(at) ?? 0x7d);
  const after = at + conversion.length;
  if (template[after] === "}") return { name, conversion, format: "", end: after + 1 };
  if (template[after] !== ":") throw new PathTemplateError("A '!' must be followed by one letter and then ':' or '}'");
  return readFormat(template, name, conversion, after + 1);
}

function readFormat(template: string, name: string, conversion: string | undefined, start: number): Field {
  let open = 1;
  for (let at = start; at < template.length; at++) {
    if (template[at] === "{") open++;
    if (template[at] === "}") open--;
    if (open === 0) return { name, conversion, format: template.slice(start, at), end: at + 1 };
  }
  throw new PathTemplateError(UNCLOSED);
}

function fillIn(field: Field, parameters: ReadonlySet<string>, levels: number, render: boolean): string | undefined {
  const value = convert(resolve(field.name, parameters), field.conversion);
  const format = field.format.includes("{") ? expand(field.format, parameters, levels - 1, true) : field.format;
  return applyFormat(value, format, render);
}

/** Follows `name`, `name.attribute` and `name[0]` to what they stand for. */
function resolve(name: string, parameters: ReadonlySet<string>): Value {
  const [first = ""] = /^[^.[]*/.exec(name) ?? [];
  if (first === "" || /^\p{Nd}+$/u.test(first)) {
    throw new PathTemplateError(`'{${first}}' is a position; write the parameter's name between the braces`);
  }
  if (!parameters.has(first)) {
    throw new PathTemplateError(`The path parameter '${first}' is not described`, first);
  }
  let value = PLACEHOLDER;
  for (let at = first.length; at < name.length;) {
    const close = name[at] === "[" ? name.indexOf("]", at) : stepEnd(name, at + 1);
    if (close === -1) throw new PathTemplateError("A '[' is never closed");
    if (name[at] !== "." && name[at] !== "[") throw new PathTemplateError("Only '.' or '[' may follow ']'");
    const step = name.slice(at + 1, close);
    value = name[at] === "[" ? itemOf(value, step) : attributeOf(value, step);
    at = name[at] === "[" ? close + 1 : close;
  }
  return value;
}

function stepEnd(name: string, from: number): number {
  let at = from;
  while (at < name.length && name[at] !== "." && name[at] !== "[") at++;
  return at;
}

function itemOf(value: Value, index: string): Value {
  const character = /^[0-9]+$/.test(index) ? value.text?.[Number(index)] : undefined;
  if (character === undefined) throw new PathTemplateError(`A text has no part '[${index}]'`);
  return { text: character };
}

function attributeOf(value: Value, name: string): Value {
  const known = value.text === undefined ? OBJECT_ATTRIBUTES.has(name) : TEXT_ATTRIBUTES.has(name);
  if (!known)
    throw new PathTemplateError(`A text has no part '.${name}'; a dot cannot be part of a parameter's name here`);
  return OPAQUE;
}

function convert(value: Value, conversion: string | undefined): Value {
  if (conversion === undefined) return value;
  if (!["r", "s", "a"].includes(conversion)) {
    throw new PathTemplateError(`'!${conversion}' is no conversion; only '!r', '!s' and '!a' are`);
  }
  // Of an object the text is unknown, but it now is a text: `{id.upper!s:>10}` passes where `{id.upper:>10}` fails.
  const text = value.text ?? "<object>";
  return { text: conversion === "s" ? text : `'${text}'` };
}

/** Python's format of a text: fill and alignment, zero, width, precision, `s`. */
const TEXT_FORMAT = /^(?:(.)?([<>^]))?(0)?([0-9]*)(?:\.([0-9]+))?s?$/su;

function applyFormat(value: Value, format: string | undefined, render: boolean): string | undefined {
  if (format === "") return value.text;
  const parts = format === undefined ? null : TEXT_FORMAT.exec(format);
  const width = Number(parts?.[4] ?? 0);
  const precision = Number(parts?.[5] ?? value.text?.length);
  if (parts === null || value.text === undefined || Math.max(width, precision) > MAX_WIDTH) {
    throw new PathTemplateError(`':${format ?? ""}' is no format for a text`);
  }
  if (!render) return undefined;
  if (width > MAX_NESTED_WIDTH) throw new PathTemplateError(`':${format}' is too wide`);
  return pad(value.text.slice(0, precision), parts[1] ?? parts[3] ?? " ", parts[2] ?? "<", width);
}

function pad(text: string, fill: string, alignment: string, width: number): string {
  const missing = Math.max(0, width - text.length);
  const before = alignment === ">" ? missing : alignment === "^" ? Math.floor(missing / 2) : 0;
  return fill.repeat(before) + text + fill.repeat(missing - before);
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/).filter((word) => word !== ""));

/** What every Python object has. */
const EVERY_OBJECT = `__class__ __delattr__ __dir__ __doc__ __eq__ __format__ __ge__ __getattribute__ __getstate__
  __gt__ __hash__ __init__ __init_subclass__ __le__ __lt__ __ne__ __new__ __reduce__ __reduce_ex__ __repr__
  __setattr__ __sizeof__ __str__ __subclasshook__`;

const OBJECT_ATTRIBUTES = words(`${EVERY_OBJECT} __name__ __qualname__`);

const TEXT_ATTRIBUTES = words(`${EVERY_OBJECT} __add__ __contains__ __getitem__ __getnewargs__ __iter__ __len__ __mod__
  __mul__ __rmod__ __rmul__ capitalize casefold center count encode endswith expandtabs find format format_map index
  isalnum isalpha isascii isdecimal isdigit isidentifier islower isnumeric isprintable isspace istitle isupper join
  ljust lower lstrip maketrans partition removeprefix removesuffix replace rfind rindex rjust rpartition rsplit rstrip
  split splitlines startswith strip swapcase title translate upper zfill`);
