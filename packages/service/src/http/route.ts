import type * as z from "zod/mini";
import type { Caller, Role } from "../context.ts";
import type { Slot } from "./admission.ts";
import { type Bounds, wholeNumber } from "./whole-number.ts";

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

/** What every route says of itself: the app obeys it, the description tells it. */
interface Told {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  readonly role: RouteRole;
  /** A few words for the description. */
  readonly summary: string;
  /** The parameters it reads of the query. */
  readonly query?: readonly string[];
  /** A JSON body that is checked before the handler sees it. */
  readonly body?: NamedModel;
  /** A body the handler reads itself: JSON as text, or a form with files, which may be larger. */
  readonly rawBody?: NamedModel | "files";
  readonly reply?: NamedModel;
  /** Each server-sent event's data, where it streams. */
  readonly events?: NamedModel;
}

interface Definition<Path extends string, Query extends string, Body extends NamedModel | undefined> extends Told {
  /** With `{name}` for one part, `{+name}` for all that follows, slashes too. */
  readonly path: Path;
  readonly query?: readonly Query[];
  readonly body?: Body;
  /** Runs before the body is read: refuses, or takes a place that is given back at the end. */
  readonly before?: (call: Call) => void | Promise<Slot>;
  /** The reply: a response, or what becomes its JSON. */
  readonly handle: (call: Call<Query, ParamsOf<Path>>, body: BodyOf<Body>) => unknown;
}

/** Reads a request's body as a model says it must be. */
export type ReadBody = (model: z.ZodMiniType) => Promise<unknown>;

/** One line of the service's table of routes. */
export interface Route extends Told {
  readonly path: string;
  /** Answers a caller who may call it. */
  answer(call: Call, read: ReadBody): Promise<Response>;
}

/** A route. Whoever writes one says who may call it: without a role it does not compile. */
export function route<
  const Path extends string,
  const Query extends string = never,
  Body extends NamedModel | undefined = undefined,
>({ before, handle, ...told }: Definition<Path, Query, Body>): Route {
  const named: NamedModel = told.body ?? {};
  const [model] = Object.values(named);
  return {
    ...told,
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

/** What the router calls a path, and what the description does. */
export function pathsOf({ path }: Pick<Route, "path">): { router: string; described: string } {
  return {
    router: path.replace(/\{\+(\w+)\}/g, ":$1{[\\s\\S]+}").replace(/\/\{(\w+)\}/g, "/:$1"),
    described: path.replace("{+", "{"),
  };
}

/** The parts of a router's request a call is made of. */
interface RouterRequest {
  readonly raw: Request;
  param(name: string): string | undefined;
  query(name: string): string | undefined;
  queries(name: string): string[] | undefined;
}

/** A request as a handler sees it. */
export function callOf(caller: Caller, request: RouterRequest): Call {
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
