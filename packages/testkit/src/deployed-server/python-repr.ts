import { json, type DoubleReply } from "./routes/replies.ts";

/** One thing wrong with a request, as the validation library words it. */
export interface Flaw {
  type: string;
  /** Where: `["body", "message"]`. */
  loc: (string | number)[];
  msg: string;
  input: unknown;
  ctx?: Record<string, unknown>;
}

/** Where in the service's code a request would have been handled. */
export interface Handler {
  file: string;
  line: number;
  name: string;
  /** `POST /chat/send-chat-message` */
  route: string;
}

/** A value as Python prints it. */
export function pythonRepr(value: unknown): string {
  if (value === null || value === undefined) return "None";
  if (value === true) return "True";
  if (value === false) return "False";
  if (typeof value === "string") return pythonText(value);
  if (Array.isArray(value)) return `[${value.map(pythonRepr).join(", ")}]`;
  if (typeof value === "object") {
    const members = Object.entries(value).map(([name, member]) => `${pythonText(name)}: ${pythonRepr(member)}`);
    return `{${members.join(", ")}}`;
  }
  return String(value);
}

/** A text as Python prints it: single quotes, unless it holds some and no double ones. */
function pythonText(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const named: Record<string, string> = { "\n": "\\n", "\r": "\\r", "\t": "\\t", "\\": "\\\\" };
  let inside = "";
  for (const character of text) {
    const code = character.charCodeAt(0);
    if (character === quote) inside += `\\${character}`;
    else if (named[character] !== undefined) inside += named[character];
    else if (code < 0x20 || code === 0x7f) inside += `\\x${code.toString(16).padStart(2, "0")}`;
    else inside += character;
  }
  return `${quote}${inside}${quote}`;
}

/** The 422 of a request that cannot be read: one printed text, not the documented list. */
export function unreadable(flaws: readonly Flaw[], { file, line, name, route }: Handler): DoubleReply {
  const printed = flaws.map(({ type, loc, msg, input, ctx }) => {
    const where = loc.map(pythonRepr);
    const tuple = where.length === 1 ? `(${where[0]},)` : `(${where.join(", ")})`;
    const rest = ctx === undefined ? "" : `, 'ctx': ${pythonRepr(ctx)}`;
    return `{'type': ${pythonRepr(type)}, 'loc': ${tuple}, 'msg': ${pythonRepr(msg)}, 'input': ${pythonRepr(input)}${rest}}`;
  });
  const count = flaws.length === 1 ? "1 validation error" : `${flaws.length} validation errors`;
  const place = `File "/app/onyx/server/${file}", line ${line}, in ${name}   ${route}`;
  return json({ status_code: 422, message: `${count}: ${printed.join(" ")}  ${place}`, data: null }, 422);
}
