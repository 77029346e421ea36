import { strikes } from "../faults.ts";
import { coded, broken, detail, type DoubleReply, json } from "./replies.ts";
import { unreadable } from "../python-repr.ts";
import type { Route, Streaming } from "./routing.ts";
import type { Call, World } from "../world/world.ts";
import { offsetTime } from "../world/search-document.ts";

/** A request as it arrived below the service's address. */
export interface Incoming extends Omit<Call, "param" | "key" | "account"> {
  method: string;
  path: string;
}

const unknownRoute = detail(404, "404: Not Found");

/** Finds the route of a request, and goes through what stands before it. */
export async function handle(
  world: World,
  routes: readonly Route[],
  incoming: Incoming,
): Promise<DoubleReply | Streaming> {
  const { method, headers } = incoming;
  const path = decoded(incoming.path);
  const { accounts, faults, settings } = world;
  if (path === undefined || isMissing(world, incoming.path)) return unknownRoute;
  const here = routes.filter((one) => one.path.test(path));
  const found = here.find((one) => one.method === method);
  if (found === undefined) {
    if (here.length > 0) return detail(405, "Method Not Allowed");
    // The redirect knows the host, and nothing of the prefix the proxy took away.
    const location = `http://${headers.host ?? "127.0.0.1"}${incoming.path.slice(0, -1)}`;
    const shorter = /^(.+)\/$/s.exec(path)?.[1];
    if (shorter !== undefined && routes.some((one) => one.path.test(shorter)))
      return { status: 307, headers: { location }, body: "" };
    return unknownRoute;
  }
  const { access } = found;
  if (access.search === true && faults.ingestion === "missing")
    return detail(501, "This feature requires a vector database (DISABLE_VECTOR_DB is set).");
  const { key, credential } = accounts.credentialOf(headers);
  if (faults.database === "down" && access.open !== true && key !== undefined) return broken(databaseGone);
  const account = credential?.account ?? (settings.allowAnonymous ? accounts.anonymous : undefined);
  if (access.open !== true) {
    if (account === undefined)
      return detail(403, access.unauthorized === true ? "Unauthorized" : "Access denied. User is not authenticated.");
    const refusal = forbidden(access, account.permissions, credential?.scopes, account === accounts.anonymous);
    if (refusal !== undefined) return refusal;
    if (access.limited === true && strikes(faults.rateLimit)) return budgetUsedUp(world);
  }
  const param = found.path.exec(path)?.[1] ?? "";
  const result = await found.handle({ ...incoming, param, key, account: account ?? accounts.anonymous });
  return Array.isArray(result) ? unreadable(result, found) : result;
}

function forbidden(
  { permission, scopes = [] }: Route["access"],
  permissions: readonly string[],
  limits: readonly string[] | undefined,
  anonymous: boolean,
): DoubleReply | undefined {
  const code = "INSUFFICIENT_PERMISSIONS";
  const limited = limits !== undefined && !scopes.some((scope) => limits.includes(scope));
  const permitted = permission === undefined || permissions.includes(permission) || permissions.includes("admin");
  if (!permitted || (limited && permission !== undefined) || (anonymous && permission !== undefined))
    return coded(403, code, "You do not have the required permissions for this action.");
  return limited ? coded(403, code, "This token's scopes do not permit this endpoint.") : undefined;
}

const databaseGone =
  '(psycopg2.OperationalError) connection to server at "relational_db", port 5432 failed: Connection refused\n' +
  "\tIs the server running on that host and accepting TCP/IP connections?\n\n" +
  "(Background on this error at: https://sqlalche.me/e/20/e3q8)";

function budgetUsedUp({ faults }: World): DoubleReply {
  const { scope = "global", resetAt, retryAfter } = faults.rateLimit ?? {};
  const owner = { global: "your organization", user: "your account", user_group: "your group" }[scope];
  if (resetAt === undefined) {
    const headers: Record<string, string> = retryAfter === undefined ? {} : { "retry-after": String(retryAfter) };
    return json({ detail: `Token budget exceeded for ${scope}. Try again later.` }, 429, headers);
  }
  const reset = new Date(resetAt);
  const seconds = retryAfter ?? Math.max(1, Math.ceil((reset.getTime() - Date.now()) / 1000));
  const text = `You've reached the usage budget for ${owner}.`;
  const told = { scope, reset_at: offsetTime(reset), retry_after_seconds: seconds };
  return json({ ...told, error_code: "RATE_LIMITED", detail: text }, 429, { "retry-after": String(seconds) });
}

function isMissing({ faults }: World, path: string): boolean {
  return faults.missing.some((one) =>
    typeof one === "string" ? path === one || path.startsWith(`${one}/`) : one.test(path),
  );
}

/** A path as routes see it: decoded once, so that an id with a slash is another path. */
function decoded(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}
