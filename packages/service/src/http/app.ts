import { type Context, Hono } from "hono";
import { matchedRoutes, routePath } from "hono/route";
import { authorize, keyThrottle } from "./authorize.ts";
import { arrivalOf } from "./arrival.ts";
import { guardBody, parseBody, parseForm } from "./body.ts";
import { checkHost, checkOrigin, corsHeaders, preflight } from "./checks.ts";
import { isPageOf, problemPage } from "../sign-in/page.ts";
import type { Caller, ServiceContext } from "../context.ts";
import { noRoom, Problem, refusal } from "./problem.ts";
import { callOf, type Route } from "./route.ts";
import { tellAnswered, watch } from "./watched.ts";
import { DAMAGED, isDamage, isLocked, isOutOfSpace, isUnreachable } from "../store/sqlite/database-error.ts";

/**
 * The service's request pipeline, in the order it runs: who may talk to this address (Host, Origin), whether the path
 * knows the method, what the body may be (type, encoding, size), who is calling and whether they may call this route,
 * then the route. Everything thrown becomes one JSON body.
 */
export function createApp(context: ServiceContext, routes: readonly Route[]): Hono {
  const app = new Hono();
  const throttle = keyThrottle(context.now);
  app.onError((error, c) => {
    const problem = problemOf(error, context);
    return isPageOf(c.req.raw) ? problemPage(c.req.raw, problem) : responseOf(problem);
  });
  app.use(async (c, next) => {
    const start = performance.now();
    await next();
    tellAnswered(context, c.req.raw, c.res.status);
    const arrival = arrivalOf(c.req.raw);
    if (arrival !== undefined) {
      // Whoever listens tells of it, once its last byte is gone.
      arrival.route = routePath(c, -1);
      return;
    }
    const ms = Math.round(performance.now() - start);
    context.log.info("request", { method: c.req.method, route: routePath(c, -1), status: c.res.status, ms });
  });
  app.use(async (c, next) => {
    checkHost(c.req.raw, context);
    const reader = await checkOrigin(c.req.raw, context);
    if (c.req.method === "OPTIONS") return preflight(reader);
    await next();
    for (const [name, value] of Object.entries(corsHeaders(reader))) c.res.headers.append(name, value);
    c.res.headers.set("X-Content-Type-Options", "nosniff");
    return undefined;
  });
  app.use(async (c, next) => {
    checkMethod(app, c);
    await next();
  });
  for (const route of routes) {
    app.on(route.method, route.pattern, (c) =>
      watch(context, route, c.req.raw, async () => {
        const caller = await letIn(c, route);
        return route.answer(callOf(caller, c.req), (model) =>
          route.isForm === true ? parseForm(c.req.raw, model) : parseBody(context, c.req.raw, model),
        );
      }),
    );
  }
  app.notFound(async (c) => {
    await letIn(c, { role: "caller" });
    return Response.json({ detail: "404: Not Found" }, { status: 404 });
  });
  return app;

  async function letIn(
    c: Context,
    route: Pick<Route, "role" | "rawBody" | "isForm" | "metadata" | "isForLapsed">,
  ): Promise<Caller> {
    const { bodyLimit, uploadLimit } = context.settings;
    if (route.isForm === true) guardBody(c.req.raw, "application/x-www-form-urlencoded", FORM_LIMIT);
    else if (route.rawBody === "files") guardBody(c.req.raw, "multipart/form-data", uploadLimit);
    else guardBody(c.req.raw, "application/json", bodyLimit);
    return authorize(context, route, c.req.raw, throttle);
  }
}

/** Bytes of a form without files. */
const FORM_LIMIT = 20_000;

/** Refuses a method that a known path does not have, in the words of deployed servers (docs/wire.md, section 0). */
function checkMethod(app: Hono, c: Context): void {
  if (matchedRoutes(c).some(isRoute)) return;
  const allowed = ["DELETE", "GET", "PATCH", "POST", "PUT"].filter((method) => {
    const [handlers] = app.router.match(method, c.req.path);
    return handlers.some(([[, route]]) => isRoute(route));
  });
  if (allowed.length === 0) return;
  const allow = allowed.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method])).join(", ");
  throw new Problem(405, { detail: "Method Not Allowed" }, { Allow: allow });
}

/** Not one of the checks, which are for every method. */
function isRoute({ method }: { readonly method: string }): boolean {
  return method !== "ALL";
}

function responseOf({ status, body, headers }: Problem): Response {
  return Response.json(body, { status, headers });
}

/** Whatever was thrown, as what the caller is told. */
function problemOf(error: unknown, { log }: Pick<ServiceContext, "log">): Problem {
  if (error instanceof Problem) return error;
  // A body that ends with an error (413) may arrive wrapped by whoever read it.
  if (error instanceof Error && error.cause instanceof Problem) return error.cause;
  if (isOutOfSpace(error)) {
    log.warn("out of space", { cause: error });
    return noRoom();
  }
  if (isDamage(error)) {
    log.warn("the database is damaged", { cause: error });
    return refusal(500, "DATABASE_DAMAGED", DAMAGED);
  }
  if (isLocked(error)) {
    return refusal(503, "DATABASE_LOCKED", "Another program holds the service's database. Try again.", {
      "Retry-After": "1",
    });
  }
  if (isUnreachable(error)) {
    log.warn("the database cannot be reached", { cause: error });
    return refusal(503, "DATABASE_UNREACHABLE", "The service cannot reach its database. Try again in a moment.", {
      "Retry-After": "2",
    });
  }
  log.warn("internal error", { cause: error });
  return refusal(
    500,
    "INTERNAL_ERROR",
    "The service failed; its log says where. Nothing is known to be wrong with the request.",
  );
}
