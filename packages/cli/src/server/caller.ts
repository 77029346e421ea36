import { AuthError, ClientError } from "@threadlore/client";
import { accountOf, createDeployment, type Deployment, type Me } from "@threadlore/client/deployment";
import type { Settings } from "./config.ts";
import { connection } from "./connection.ts";
import type { Terminal } from "../terminal/output.ts";

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
export async function meOf(
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
