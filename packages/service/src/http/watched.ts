import type { OpenSpan } from "@threadlore/tracing";
import { kindOf } from "../audit/kinds.ts";
import { originOf } from "../audit/origin.ts";
import type { ServiceContext } from "../context.ts";
import { arrivalOf, isFromElsewhere } from "./arrival.ts";
import type { Route } from "./route.ts";

/** A request that came to its route. */
interface Watched {
  readonly route: Route;
  readonly span: OpenSpan;
  user?: string;
}

const WATCHED = new WeakMap<Request, Watched>();
/** Of requests this process makes of its own service: the one they are made for. */
const MADE_FOR = new WeakMap<Request, Request>();

/** Says for which request another one is made in this process: who asks is where that came from. */
export function tellMadeFor(request: Request, outer: Request): void {
  MADE_FOR.set(request, outer);
}

/**
 * Has what a request does told: as a span that ends with the last byte of the reply (of a request of this process's own, with
 * its head), and to the audit log where there is one.
 */
export function watch<Answer>(
  { tracing }: ServiceContext,
  route: Route,
  request: Request,
  answer: () => Answer,
): Answer {
  const { method, path } = route;
  const traceparent = request.headers.get("traceparent");
  const facts = { "http.request.method": method, "http.route": path };
  const isFromAnybody = isFromElsewhere(request) || isFromBrowser(request);
  const span = tracing.begin(`${method} ${path}`, { kind: "server", traceparent, facts, isFromAnybody });
  WATCHED.set(request, { route, span });
  const arrival = arrivalOf(request);
  if (arrival !== undefined) arrival.span = span;
  return span.within(answer);
}

/** Says who asks, before it is decided whether they may do it. */
export function tellUser(request: Request, user: string): void {
  const watched = WATCHED.get(request);
  if (watched !== undefined) watched.user = user;
}

/**
 * Says that a request came with a right key: whether its trace is kept is then decided where it began. Not in a page: there is
 * no collector there and nobody who could decide, so it is decided here.
 */
export function followTrace(request: Request): void {
  if (!isFromBrowser(request)) WATCHED.get(request)?.span.follow();
}

function isFromBrowser({ headers }: Request): boolean {
  return headers.has("origin");
}

/** Says with which status a request was answered, also where what answers it threw. */
export function tellAnswered(context: ServiceContext, request: Request, status: number): void {
  const watched = WATCHED.get(request);
  if (watched === undefined) return;
  const { span } = watched;
  span.tell({ "http.response.status_code": status });
  if (status >= 500) span.fail(String(status));
  if (arrivalOf(request) === undefined) span.end();
  note(context, watched, request, status);
}

/** Nobody without a right key is in the audit log, but for who wanted to get in. */
function note({ audit }: ServiceContext, { route, user }: Watched, request: Request, status: number): void {
  if (audit === undefined) return;
  const kind = kindOf(route);
  if (kind === null || (user === undefined && kind !== "sign in")) return;
  const address = arrivalOf(MADE_FOR.get(request) ?? request)?.address ?? "";
  audit.note({ user: user ?? "", kind, origin: originOf(request), address, status });
}
