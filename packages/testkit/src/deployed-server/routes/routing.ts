import type { Question } from "../answer/question.ts";
import type { Run } from "../answer/run.ts";
import type { Call } from "../world/world.ts";
import { flaw, record, type Fields, type Flaw, type Given, type Shape } from "./reading.ts";
import type { DoubleReply } from "./replies.ts";

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
  /** Where in the service's code its requests are handled: told of those that cannot be read. */
  in?: { file: string; line: number; name: string };
}

/** Flaws are what made a request unreadable, told as the service tells them. */
type Handled = DoubleReply | Streaming | Flaw[];

/** A route. */
export interface Route {
  /** Method and path; what the path leaves open, `{name}`, is anything without a slash. */
  name: string;
  method: string;
  path: RegExp;
  access: Access;
  handle(call: Call): Handled | Promise<Handled>;
}

/** A route by its method and path. */
export function route(name: string, access: Access, handle: Route["handle"]): Route {
  const [method = "", path = ""] = name.split(" ");
  return { name, method, path: new RegExp(`^${path.replace(/\{\w+\}/, "([^/]+)")}$`), access, handle };
}

/** Hands on what a JSON object says, or what is wrong with it. */
export function reading<Of extends Shape>(
  shape: Of,
  handle: (fields: Fields<Of>, call: Call, body: Record<string, unknown>) => Handled | Promise<Handled>,
): Route["handle"] {
  return (call) => {
    const place: Given = { input: undefined, loc: ["body"], flaws: [] };
    const body = readBody(call, place);
    const fields = record(shape)({ ...place, input: body });
    if (fields === undefined || place.flaws.length > 0) return place.flaws;
    return handle(fields, call, body as Record<string, unknown>);
  };
}

function readBody({ body, headers }: Call, place: Given): unknown {
  const text = body.toString("utf8");
  if (text === "") return flaw({ ...place, input: null }, "missing", "Field required");
  if (!/^application\/([\w.+-]+\+)?json\b/i.test(String(headers["content-type"] ?? ""))) return text;
  try {
    return JSON.parse(text);
  } catch {
    const error = "Expecting property name enclosed in double quotes";
    return flaw({ ...place, input: {}, loc: ["body", text.length] }, "json_invalid", "JSON decode error", { error });
  }
}
