import { type Context, Hono } from "hono";
import { matchedRoutes, routePath } from "hono/route";
import type * as z from "zod/mini";
import { ingestionAdmission } from "./admission.ts";
import { bodyError, bytesOfBody, checkSizes, guardBody, jsonOfBody } from "./body.ts";
import { checkHost, checkOrigin, corsHeaders, preflight } from "./checks.ts";
import { callersOf } from "./connections.ts";
import type { Caller, Role, ServiceContext } from "../context.ts";
import { authenticate, KeyThrottle } from "./keys.ts";
import { invalid, Problem, refusal } from "./problem.ts";
import { DAMAGED, isDamage, isLocked, isOutOfSpace } from "../store/sqlite/database-error.ts";

/** What the checks below leave for a route: `c.get("caller")`. */
export type ServiceEnvironment = { Variables: { caller: Caller } };
export type ServiceApp = Hono<ServiceEnvironment>;

/** Adds one area's routes to the app. */
export type Routes = (app: ServiceApp, context: ServiceContext) => void;

/** Where files are sent, as multipart forms and up to `uploadLimit`. Everything else takes JSON. */
const UPLOADS = new Set(["/user/file/upload", "/user/projects/file/upload"]);

/**
 * The service's request pipeline, in the order it runs: who may talk to this address (Host, Origin), whether the path
 * knows the method, what the body may be (type, encoding, size), who is calling, then the route. Everything thrown
 * becomes one JSON body.
 * @param open areas that need no key
 */
export function createApp(context: ServiceContext, open: readonly Routes[], areas: readonly Routes[]): ServiceApp {
  const app: ServiceApp = new Hono();
  const throttle = new KeyThrottle(context.now);
  const ingestions = ingestionAdmission(context.closing);
  app.onError((error) => responseOf(problemOf(error, context)));
  app.notFound(() => Response.json({ detail: "404: Not Found" }, { status: 404 }));
  app.use(async (c, next) => {
    const start = performance.now();
    await next();
    const ms = Math.round(performance.now() - start);
    context.log.info("request", { method: c.req.method, route: routePath(c, -1), status: c.res.status, ms });
  });
  app.use(async (c, next) => {
    checkHost(c.req.raw, context);
    const verdict = checkOrigin(c.req.raw, context);
    if (c.req.method === "OPTIONS") return preflight(verdict);
    await next();
    for (const [name, value] of Object.entries(corsHeaders(verdict))) c.res.headers.append(name, value);
    c.res.headers.set("X-Content-Type-Options", "nosniff");
    return undefined;
  });
  app.use(async (c, next) => {
    checkMethod(app, c);
    await next();
  });
  app.use(async (c, next) => {
    const { bodyLimit, uploadLimit } = context.settings;
    if (UPLOADS.has(c.req.path)) guardBody(c.req.raw, "multipart/form-data", uploadLimit);
    else guardBody(c.req.raw, "application/json", bodyLimit);
    await next();
  });
  for (const addRoutes of open) addRoutes(app, context);
  app.use(async (c, next) => {
    const caller = authenticate(context, c.req.header("authorization"), throttle);
    c.set("caller", caller);
    if (caller.role !== "anonymous") callersOf.set(c.req.raw, turnOf(caller));
    await next();
  });
  app.post("/service-api/ingestion", async (c, next) => {
    const leave = await ingestions.enter(turnOf(c.get("caller")), c.req.raw.signal);
    await next().finally(leave);
  });
  for (const addRoutes of areas) addRoutes(app, context);
  return app;
}

/** Refuses a method that a known path does not have, in the words of deployed servers (docs/wire.md, section 0). */
function checkMethod(app: ServiceApp, c: Context): void {
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
function problemOf(error: unknown, { log }: ServiceContext): Problem {
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
  log.warn("internal error", { cause: error });
  return refusal(
    500,
    "INTERNAL_ERROR",
    "The service failed; its log says where. Nothing is known to be wrong with the request.",
  );
}

const RANK = { anonymous: 0, ordinary: 1, editor: 2, admin: 3 } as const;

/** Who takes turns with whom: each user with all others; callers without a key are one. */
export function turnOf({ role, user }: Caller): string {
  return role === "anonymous" ? "" : `+${user}`;
}

/** What is said where something cannot be kept for want of room. */
export function noRoom(): Problem {
  return refusal(
    507,
    "INSUFFICIENT_STORAGE",
    "The service's disk is full: nothing was stored. What it knows can still be asked. Make room, then try again.",
  );
}

/** Refuses a caller below `role`. */
export function requireRole(caller: Caller, role: Role): void {
  if (RANK[caller.role] >= RANK[role]) return;
  throw refusal(403, "INSUFFICIENT_PERMISSIONS", `This needs a key of the role ${role}; yours is ${caller.role}.`);
}

/** Bytes. */
const LARGE_BODY = 500_000;

/** The request's JSON body as the model says it must be, or a 422 that tells each place where it is not. */
export async function parseBody<Schema extends z.ZodMiniType>(
  { questions }: ServiceContext,
  request: Request,
  schema: Schema,
): Promise<z.output<Schema>> {
  const bytes = await bytesOfBody(request);
  const value = jsonOfBody(bytes);
  // Each step over a large body takes its time, and so does what follows; others get their turn between them.
  const pause = async () => (bytes.byteLength > LARGE_BODY ? questions.quiet() : undefined);
  await pause();
  checkSizes(value);
  await pause();
  const result = schema.safeParse(value);
  await pause();
  if (result.success) return result.data;
  throw invalid(result.error.issues.slice(0, 20).map((issue) => bodyError(value, issue)));
}
