import type { Flaw } from "./routes/reading.ts";
import { json, type DoubleReply } from "./routes/replies.ts";
import type { Route } from "./routes/routing.ts";

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

const ESCAPED: Record<string, string> = { "\n": "\\n", "\r": "\\r", "\t": "\\t", "\\": "\\\\" };

/** A text as Python prints it: single quotes, unless it holds some and no double ones. */
function pythonText(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const escape = (one: string) => ESCAPED[one] ?? `\\x${one.charCodeAt(0).toString(16).padStart(2, "0")}`;
  return `${quote}${text.replace(/\\|\p{Cc}/gu, escape).replaceAll(quote, `\\${quote}`)}${quote}`;
}

/** The 422 of a request that cannot be read: one printed text, not the documented list. */
export function unreadable(flaws: readonly Flaw[], { name: route, access }: Route): DoubleReply {
  const printed = flaws.map(({ type, loc, msg, input, ctx }) => {
    const where = `(${loc.map(pythonRepr).join(", ")}${loc.length === 1 ? "," : ""})`;
    const rest = ctx === undefined ? "" : `, 'ctx': ${pythonRepr(ctx)}`;
    return `{'type': ${pythonRepr(type)}, 'loc': ${where}, 'msg': ${pythonRepr(msg)}, 'input': ${pythonRepr(input)}${rest}}`;
  });
  const count = flaws.length === 1 ? "1 validation error" : `${flaws.length} validation errors`;
  const { file, line, name } = access.in ?? { file: "main.py", line: 1, name: "main" };
  const place = `File "/app/onyx/server/${file}", line ${line}, in ${name}   ${route}`;
  return json({ status_code: 422, message: `${count}: ${printed.join(" ")}  ${place}`, data: null }, 422);
}
