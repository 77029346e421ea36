import { FieldReader, isRecord } from "./field-reader.ts";
import { unreadable, type Flaw, type Handler } from "../python-repr.ts";
import type { Question } from "../answer/question.ts";
import type { DoubleReply } from "./replies.ts";
import type { Run } from "../answer/run.ts";
import type { Call } from "../world/world.ts";

/** A reply that is sent while it is being written. */
export interface Streaming {
  stream: Run;
  kind: "answer" | "resumed";
  question?: Question;
}

/** Who may use a route, and what it needs. */
export interface Access {
  /** Nobody needs a key. */
  open?: boolean;
  /** Scopes one of which lets a limited token in. Without any, such a token may not. */
  scopes?: readonly string[];
  /** What the account must be permitted. */
  permission?: string;
  /** Whether a used up budget closes it. */
  limited?: boolean;
  /** Whether it needs the search index. */
  search?: boolean;
  /** How this route says that somebody is not known; others say it another way. */
  unauthorized?: boolean;
}

/** A route. What its path leaves open, `{}`, is anything without a slash. */
export interface Route {
  method: string;
  path: RegExp;
  access: Access;
  handle(call: Call): DoubleReply | Streaming | Promise<DoubleReply | Streaming>;
}

/** A route by its path. */
export function route(method: string, path: string, access: Access, handle: Route["handle"]): Route {
  const pattern = path.replace(/[.*+?^$()|[\]\\]/g, String.raw`\$&`).replaceAll("{}", "([^/]+)");
  return { method, path: new RegExp(`^${pattern}$`), access, handle };
}

type Handled = DoubleReply | Streaming | Flaw[] | Promise<DoubleReply | Streaming>;

/** Hands a JSON object on, or says that there is none. Flaws that come back are told as the service tells them. */
export function withBody(
  call: Call,
  handler: Handler,
  handle: (body: Record<string, unknown>, fields: FieldReader) => Handled,
): DoubleReply | Streaming | Promise<DoubleReply | Streaming> {
  const body = readBody(call);
  const result = isRecord(body.value) ? handle(body.value, new FieldReader(body.value)) : body.flaws;
  return Array.isArray(result) ? unreadable(result, handler) : result;
}

function readBody({ body, headers }: Call): { value?: unknown; flaws: Flaw[] } {
  const text = body.toString("utf8");
  const type = String(headers["content-type"] ?? "");
  const notAnObject = (input: unknown): Flaw => ({
    type: "model_attributes_type",
    loc: ["body"],
    msg: "Input should be a valid dictionary or object to extract fields from",
    input,
  });
  if (text === "") return { flaws: [{ type: "missing", loc: ["body"], msg: "Field required", input: null }] };
  if (!/^application\/([\w.+-]+\+)?json\b/i.test(type)) return { flaws: [notAnObject(text)] };
  try {
    const value: unknown = JSON.parse(text);
    return { value, flaws: [notAnObject(value)] };
  } catch {
    const error = "Expecting property name enclosed in double quotes";
    return {
      flaws: [
        { type: "json_invalid", loc: ["body", text.length], msg: "JSON decode error", input: {}, ctx: { error } },
      ],
    };
  }
}
