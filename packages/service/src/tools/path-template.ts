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

/** Widest field; beyond it deployed servers run out of memory. */
const MAX_WIDTH = 2 ** 31;
/** A field inside a format is really rendered; no honest one is wider. */
const MAX_NESTED_WIDTH = 1000;

/** Throws PathTemplateError when `path` cannot be filled in from parameters with these names. Linear. */
export function checkPathTemplate(path: string, parameters: ReadonlySet<string>): void {
  expand(path, parameters, 0);
}

/**
 * The text of `template`, or undefined when it holds something of unknown text.
 * @param depth 0 for a path; a field's format may hold fields, theirs may not
 */
function expand(template: string, parameters: ReadonlySet<string>, depth: number): string | undefined {
  if (depth > 1) throw new PathTemplateError("Braces inside braces are nested too deeply");
  const piece = /[^{}]+|\{\{|\}\}|[{}]/y;
  const texts: (string | undefined)[] = [];
  for (let match = piece.exec(template); match !== null; match = piece.exec(template)) {
    if (match[0] === "}") throw new PathTemplateError("A single '}' has no '{' before it");
    if (match[0] === "{") {
      const field = readField(template, piece.lastIndex);
      texts.push(fillIn(field, parameters, depth));
      piece.lastIndex = field.end;
    } else texts.push(/[{}]/.test(match[0]) ? match[0].slice(1) : match[0]);
  }
  return texts.includes(undefined) ? undefined : texts.join("");
}

interface Field {
  readonly name: string;
  readonly conversion: string | undefined;
  readonly format: string;
  /** Position after the closing brace. */
  readonly end: number;
}

/** Brackets hide braces and colons up to the next `]`. One part at a time: a pattern for all has no stack for millions. */
const PART_OF_NAME = /[^}:!{[]+|\[[^\]]*\]?/y;

function readField(template: string, start: number): Field {
  let at = start;
  for (PART_OF_NAME.lastIndex = start; PART_OF_NAME.test(template);) at = PART_OF_NAME.lastIndex;
  const name = template.slice(start, at);
  const next = template[at++];
  if (next === "{") throw new PathTemplateError("A '{' stands inside a parameter's name");
  if (next === "}") return { name, conversion: undefined, format: "", end: at };
  let conversion: string | undefined;
  if (next === "!") {
    conversion = /^.(?=[:}])/su.exec(template.slice(at, at + 3))?.[0];
    if (conversion === undefined) {
      throw new PathTemplateError("A '!' must be followed by one letter and then ':' or '}'");
    }
    at += conversion.length;
    if (template[at++] === "}") return { name, conversion, format: "", end: at };
  }
  let open = 1;
  for (let end = at; end < template.length; end++) {
    if (template[end] === "{") open++;
    if (template[end] === "}") open--;
    if (open === 0) return { name, conversion, format: template.slice(at, end), end: end + 1 };
  }
  throw new PathTemplateError("A '{' is never closed");
}

function fillIn(field: Field, parameters: ReadonlySet<string>, depth: number): string | undefined {
  const value = convert(resolve(field.name, parameters), field.conversion);
  const format = field.format.includes("{") ? expand(field.format, parameters, depth + 1) : field.format;
  return applyFormat(value, format, depth);
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
  for (const [, attribute, item] of name.slice(first.length).matchAll(/\.([^.[]*)|\[([^\]]*)\]|./gs)) {
    if (attribute !== undefined) value = attributeOf(value, attribute);
    else if (item !== undefined) value = itemOf(value, item);
    else throw new PathTemplateError("Only '.' or '[' may follow ']'");
  }
  return value;
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

function applyFormat(value: Value, format: string | undefined, depth: number): string | undefined {
  if (format === "") return value.text;
  const parts = format === undefined ? null : TEXT_FORMAT.exec(format);
  const width = Number(parts?.[4] ?? 0);
  const precision = Number(parts?.[5] ?? value.text?.length);
  if (parts === null || value.text === undefined || Math.max(width, precision) > MAX_WIDTH) {
    throw new PathTemplateError(`':${format ?? ""}' is no format for a text`);
  }
  if (depth === 0) return undefined;
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
