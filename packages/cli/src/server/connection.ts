import { AuthError, ClientError, DEFAULT_PROFILE } from "@threadlore/client";
import { accountOf, createDeployment, type Deployment, type Me } from "@threadlore/client/deployment";
import type { Settings } from "./config.ts";
import type { Terminal } from "../terminal/output.ts";

/** What every kind of client is created with. */
export function connection(terminal: Terminal, settings: Settings) {
  return {
    baseUrl: settings.url,
    apiKey: settings.apiKey,
    allowPlainHttp: terminal.env["THREADLORE_ALLOW_HTTP"] === "1",
    ...(terminal.tracing && { fetch: terminal.tracing.wrap(fetch) }),
    profile: { ...DEFAULT_PROFILE, ingestionPath: settings.ingestionPath ?? DEFAULT_PROFILE.ingestionPath },
  };
}

/** Longest wait for a server to say who calls, milliseconds. What follows meets the same silence and says so. */
const ASKED_MS = 10_000;

/**
 * Who the server takes the caller for; undefined where it does not say, or not in time. It is one short call on a
 * connection that what follows uses too. Throws AuthError where a key is set and the server takes the caller for nobody:
 * servers open to everyone answer a revoked key like that, from public documents. Throws the signal's reason when
 * aborted.
 */
export async function askCaller(terminal: Terminal, settings: Settings, timeoutMs = ASKED_MS): Promise<Me | undefined> {
  // Nobody waits for second tries: the calls that follow make them.
  const deployment = createDeployment({ ...connection(terminal, settings), retries: { retries: 0 } });
  const me = await meOf(deployment, terminal.interrupted, timeoutMs);
  if (me !== undefined && settings.apiKey !== undefined && accountOf(me).anonymous) {
    throw new AuthError(
      `${new URL(settings.url).host} does not know this key and takes you for a caller without one, who sees public ` +
        "documents only. Nothing was sent.",
    );
  }
  return me;
}

/** What the server says of the caller; undefined where it does not, or not in time. */
async function meOf(
  deployment: Pick<Deployment, "whoami">,
  signal: AbortSignal,
  timeoutMs = ASKED_MS,
): Promise<Me | undefined> {
  try {
    return await deployment.whoami({ signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]) });
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ClientError) return undefined;
    throw error;
  }
}

/**
 * Which data a server has: another text is another database, or an older state of the same one. Undefined where it does
 * not tell, as deployed servers do not. Throws the signal's reason when aborted.
 */
export async function askInstance(
  deployment: Pick<Deployment, "whoami">,
  signal: AbortSignal,
): Promise<string | undefined> {
  return instanceOf(await meOf(deployment, signal));
}

/** The same, from what the server said of the caller. */
export function instanceOf(me: Pick<Me, "instance"> | undefined): string | undefined {
  return me?.instance == null ? undefined : `${me.instance.id}:${me.instance.epoch}`;
}

/**
 * What to say when a server has other data than the journal knows, so that all is sent again; undefined when it has not.
 * @param known every instance the journal holds for this server; "" stands for entries that do not say
 */
export function otherData(known: ReadonlySet<string>, instance: string | undefined): string | undefined {
  if (instance === undefined || known.size === 0 || known.has(instance)) return undefined;
  const ids = new Set([...known].map((one) => one.split(":")[0]));
  const [id] = instance.split(":");
  if (ids.has(id)) return "The server was restored from a backup since: everything is sent again.";
  if (known.size === 1 && known.has("")) {
    return "An earlier version sent documents here and did not note to which data: everything is sent once more.";
  }
  return "The server has other data than what was sent here before: everything is sent again.";
}
