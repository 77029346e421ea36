/** One thing wrong with a request, as the validation library words it. */
export interface Flaw {
  type: string;
  /** Where: `["body", "message"]`. */
  loc: readonly (string | number)[];
  msg: string;
  input: unknown;
  ctx?: Record<string, unknown>;
}

/** A value that is read: where it stands, and where is noted what is wrong with it. */
export interface Given {
  /** Undefined: nothing was sent. */
  readonly input: unknown;
  readonly loc: readonly (string | number)[];
  /** What it is a part of. */
  readonly within?: unknown;
  readonly flaws: Flaw[];
}

/** Reads a value as leniently as the service does. Undefined: it is not there, or something is wrong with it. */
export type Reader<Value> = (place: Given) => Value;

/** Notes what is wrong with a value. */
export function flaw(
  { input, loc, flaws }: Given,
  type: string,
  msg: string,
  ctx?: Record<string, unknown>,
): undefined {
  flaws.push({ type, loc, msg, input, ...(ctx ? { ctx } : {}) });
  return undefined;
}

/** Whether this is a JSON object. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Reads what was sent; what was not is fine. */
function sent<Value>(read: (input: unknown, place: Given) => Value | undefined): Reader<Value | undefined> {
  return (place) => (place.input === undefined ? undefined : read(place.input, place));
}

/** Says so when the value is not there. */
export function required<Value>(read: Reader<Value | undefined>): Reader<Value> {
  return (place) => {
    if (place.input === undefined) flaw({ ...place, input: place.within }, "missing", "Field required");
    // Where it is undefined all the same there is a flaw, and nobody gets to see it.
    return read(place) as Value;
  };
}

/** Takes null for nothing sent. */
export function nullable<Value>(read: Reader<Value>): Reader<Value> {
  return (place) => read(place.input === null ? { ...place, input: undefined } : place);
}

export const anything: Reader<unknown> = ({ input }) => input;

export const text = sent((input, place) =>
  typeof input === "string" ? input : flaw(place, "string_type", "Input should be a valid string"),
);

const truths: Record<string, boolean> = {};
for (const one of ["1", "true", "t", "yes", "y", "on"]) truths[one] = true;
for (const one of ["0", "false", "f", "no", "n", "off"]) truths[one] = false;

export const truth = sent((input, place) => {
  if (typeof input === "boolean") return input;
  if (typeof input !== "string" && typeof input !== "number")
    return flaw(place, "bool_type", "Input should be a valid boolean");
  const unreadable = "Input should be a valid boolean, unable to interpret input";
  return truths[String(input).toLowerCase()] ?? flaw(place, "bool_parsing", unreadable);
});

export const whole = sent((input, place) => {
  const number = typeof input === "boolean" ? Number(input) : input;
  if (typeof number === "string") {
    if (/^\s*[+-]?\d+\s*$/.test(number)) return Number(number);
    return flaw(place, "int_parsing", "Input should be a valid integer, unable to parse string as an integer");
  }
  if (typeof number !== "number") return flaw(place, "int_type", "Input should be a valid integer");
  if (Number.isInteger(number)) return number;
  return flaw(place, "int_from_float", "Input should be a valid integer, got a number with a fractional part");
});

/** Whether a text is a UUID with its dashes. */
export function isUuid(value: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value);
}

export const uuid = sent((input, place) => {
  if (typeof input !== "string") return flaw(place, "uuid_type", "UUID input should be a string, bytes or UUID object");
  if (isUuid(input)) return input.toLowerCase();
  const error = `invalid length: expected length 32 for simple format, found ${input.length}`;
  return flaw(place, "uuid_parsing", `Input should be a valid UUID, ${error}`, { error });
});

/** One of the words the service knows, in exactly this spelling. */
export function word<Word extends string>(known: readonly Word[]): Reader<Word | undefined> {
  const quoted = known.map((one) => `'${one}'`);
  const expected = [quoted.slice(0, -1).join(", "), ...quoted.slice(-1)].join(" or ");
  return sent(
    (input, place) =>
      known.find((one) => one === input) ?? flaw(place, "enum", `Input should be ${expected}`, { expected }),
  );
}

/** A list of what can be read so. */
export function list<Value>(read: Reader<Value>): Reader<Value[] | undefined> {
  return sent((input, place) =>
    Array.isArray(input)
      ? input.map((element, index) => read({ ...place, input: element, loc: [...place.loc, index], within: input }))
      : flaw(place, "list_type", "Input should be a valid list"),
  );
}

/** How the fields of an object are read; any other is ignored. */
export type Shape = Readonly<Record<string, Reader<unknown>>>;
/** What is read so. */
export type Fields<Of extends Shape> = { [Name in keyof Of]: ReturnType<Of[Name]> };

/** An object with these fields. */
export function record<Of extends Shape>(shape: Of): Reader<Fields<Of> | undefined> {
  return sent((input, place) => {
    if (!isRecord(input))
      return flaw(
        place,
        "model_attributes_type",
        "Input should be a valid dictionary or object to extract fields from",
      );
    const fields = Object.entries(shape).map(([name, read]) => {
      const given = Object.hasOwn(input, name) ? input[name] : undefined;
      return [name, read({ ...place, input: given, loc: [...place.loc, name], within: input })];
    });
    return Object.fromEntries(fields) as Fields<Of>;
  });
}

/** The same, where anything that is no object is ignored. */
export function ifRecord<Of extends Shape>(shape: Of): Reader<Fields<Of> | undefined> {
  return (place) => (isRecord(place.input) ? record(shape)(place) : undefined);
}
