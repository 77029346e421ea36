import type { Deployment, Me } from "@threadlore/client/deployment";
import { meOf } from "./caller.ts";

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
