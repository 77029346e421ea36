import type { HonoRequest } from "hono";
import type * as z from "zod/mini";
import type { Caller, Role } from "../context.ts";
import type { Slot } from "./admission.ts";
import { invalid } from "./problem.ts";

/**
 * The least a caller must be. `anyone`: no key is looked at; `caller`: whoever the service admits, also without a key
 * where that is on; the others: a key of this role or a higher one.
 */
export type RouteRole = "anyone" | "caller" | Role;

/** A model under the name the description gives it, as in `{ SendMessageRequest }`. */
export type NamedModel = Readonly<Record<string, z.ZodMiniType>>;

/** What a handler learns of one request. */
export interface Call<Query extends string = string, Param extends string = string> {
  readonly caller: Caller;
  readonly request: Request;
  param(name: Param): string;
  /** A whole number in the path; a 422 that names `as` where it is none. */
  paramNumber(name: Param, as?: string): number;
  query(name: Query): string | undefined;
  /** Every value of a parameter that may be given several times. */
  queries(name: Query): string[];
  /** A whole number in the query; a 422 where it is none. */
  queryNumber(name: Query, bounds?: Bounds): number;
}

/** The names in a path such as `/persona/{id}`. */
type ParamsOf<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? (Name extends `+${infer Plain}` ? Plain : Name) | ParamsOf<Rest>
  : never;

type BodyOf<Body> = Body extends NamedModel ? z.output<Body[keyof Body]> : undefined;

/** What a route may tell of itself: the app obeys it, the description tells it. */
interface Told {
  /** The parameters it reads of the query. */
  readonly query?: readonly string[];
  /** A JSON body that is checked before the handler sees it. */
  readonly body?: NamedModel;
  /** The body is a form as browsers send it (`application/x-www-form-urlencoded`), each field a text. */
  readonly isForm?: boolean;
  /** A body the handler reads itself: JSON as text, or a form with files, which may be larger. */
  readonly rawBody?: NamedModel | "files";
  readonly reply?: NamedModel;
  /** The reply is a page for people, and so are refusals. */
  readonly isPage?: boolean;
  /** Each server-sent event's data, where it streams. */
  readonly events?: NamedModel;
  /** Also for whoever has to sign in with their company again: they may end what is theirs. */
  readonly isForLapsed?: boolean;
  /**
   * Path of the document that tells programs how to get in. Whoever comes without a key is pointed to it with a 401, also
   * where the service admits callers without one.
   */
  readonly metadata?: string;
}

interface Definition<Path extends string, Query extends string, Body extends NamedModel | undefined> extends Told {
  readonly query?: readonly Query[];
  readonly body?: Body;
  /** Runs before the body is read: refuses, or takes a place that is given back at the end. */
  readonly before?: (call: Call) => void | Promise<Slot | void>;
  /** The reply: a response, or what becomes its JSON. */
  readonly handle: (call: Call<Query, ParamsOf<Path>>, body: BodyOf<Body>) => unknown;
}

/** One line of the service's table of routes. */
export interface Route extends Told {
  readonly method: string;
  /** As it is described, such as `/persona/{id}`. */
  readonly path: string;
  /** As the router knows it. */
  readonly pattern: string;
  readonly role: RouteRole;
  readonly summary: string;
  /** Answers a caller who may call it; `read` reads the request's body as a model says it must be. */
  answer(call: Call, read: (model: z.ZodMiniType) => Promise<unknown>): Promise<Response>;
}

/**
 * A route. Whoever writes one says who may call it: without a role it does not compile.
 * @param line method and path, with `{name}` for one part, `{+name}` for all that follows, slashes too
 * @param summary a few words for the description
 */
export function route<
  const Path extends string,
  const Query extends string = never,
  Body extends NamedModel | undefined = undefined,
>(
  line: `${"GET" | "POST" | "PUT" | "DELETE"} ${Path}`,
  role: RouteRole,
  summary: string,
  { before, handle, ...told }: Definition<Path, Query, Body>,
): Route {
  const [method = "", path = ""] = line.split(" ");
  const [model] = Object.values<z.ZodMiniType>(told.body ?? {});
  return {
    ...told,
    method,
    path: path.replace("{+", "{"),
    pattern: path.replace(/\{\+(\w+)\}/g, ":$1{[\\s\\S]+}").replace(/\/\{(\w+)\}/g, "/:$1"),
    role,
    summary,
    async answer(call, read) {
      const leave = await before?.(call);
      try {
        // What `read` returns is what this very model says.
        const body = (model === undefined ? undefined : await read(model)) as BodyOf<Body>;
        const reply = await handle(call, body);
        return reply instanceof Response ? reply : Response.json(reply);
      } finally {
        leave?.();
      }
    },
  };
}

/** A request as a handler sees it. */
export function callOf(caller: Caller, request: HonoRequest): Call {
  return {
    caller,
    request: request.raw,
    param: (name) => request.param(name) ?? "",
    paramNumber: (name, as = name) => wholeNumber(request.param(name), ["path", as]),
    query: (name) => request.query(name),
    queries: (name) => request.queries(name) ?? [],
    queryNumber: (name, bounds) => wholeNumber(request.query(name), ["query", name], bounds),
  };
}

/** Bounds of a number in a path or query. */
interface Bounds {
  /** Taken when the text is absent; without it, absence is a 422. */
  usual?: number;
  most?: number;
}

/** A whole number from 0, of a path or query; a 422 that tells where it is not one. */
export function wholeNumber(text: string | undefined, loc: string[], { usual, most }: Bounds = {}): number {
  if (text === undefined && usual !== undefined) return usual;
  const value = text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (value <= (most ?? Number.MAX_SAFE_INTEGER)) return value;
  const limit = most === undefined ? "" : ` up to ${most}`;
  throw invalid(loc, `Input should be a whole number${limit}`, "int_parsing");
}
