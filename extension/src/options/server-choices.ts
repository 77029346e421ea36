/** What the service offers to choose from: personas, document sets, pairs; and whose key it is asked with. */
import { visibleText } from "@threadlore/ask";
import { AuthError } from "@threadlore/client";
import {
  type Account,
  accountOf,
  type DocumentSet,
  type ListedPair,
  type Me,
  type Persona,
} from "@threadlore/client/deployment";
import { createResources, type Resources } from "@threadlore/client/resources";
import { Address } from "../settings/address.ts";
import { readConnection } from "../settings/settings.ts";

/** A choice the service offers; undefined: it does not tell, or this key may not know. */
export interface ServerChoices {
  readonly personas?: readonly Persona[];
  readonly documentSets?: readonly DocumentSet[];
  readonly pairs?: readonly ListedPair[];
  /** Of the key that asks. */
  readonly account?: Account;
  /** Who signed in, as the service calls them; undefined where the key is nobody's who did. */
  readonly person?: string;
}

/** Nothing is known. */
export const NO_CHOICES: ServerChoices = {};

/** What comes of asking a service: an answer, that it knows the key no more, or nothing that counts. */
export type Heard = "answer" | "refusal" | "silence";

/**
 * Asks the service that is set for everything it offers, each with the key that will use it. Never throws.
 * @param instead called where no answer came
 */
export async function readChoices(instead?: (heard: Heard) => void): Promise<ServerChoices> {
  const choices = await atService(async (asking, keeping) => {
    const who = asking.whoami();
    const [personas, documentSets, pairs, me] = await Promise.all([
      asking.personas().catch(() => undefined),
      asking.documentSets().catch(() => undefined),
      keeping.pairs().catch(() => undefined),
      who.catch(() => undefined),
    ]);
    // Nothing was told: it is not known then that the service is there at all.
    if ((personas ?? documentSets ?? pairs) === undefined) await who;
    const listed = personas?.filter(({ is_listed }) => is_listed !== false);
    const person = me && personOf(me);
    return { personas: listed, documentSets, pairs, account: me && accountOf(me), ...(person && { person }) };
  }, instead);
  return choices ?? NO_CHOICES;
}

/** Only the keys of people have numbers that their owner is told. */
function personOf({ key_id: key, name, email, id }: Me): string | undefined {
  if (typeof key !== "number") return undefined;
  const [known = id, ...more] = [name, email].filter((text) => typeof text === "string").map(visibleText);
  return more.length === 0 || more[0] === known ? known : `${known} (${more[0]})`;
}

/** Switches the service's memory off for the key that asks. False: the service did not. */
export async function switchMemoryOff(): Promise<boolean> {
  const isOff = await atService(async (asking) => {
    await asking.setMemory(false);
    return accountOf(await asking.whoami()).memory !== "on";
  });
  return isOff === true;
}

/**
 * Does something at the service that is set, with the key that asks and the one that keeps pages. Undefined where there
 * is a key or an address that can be none, or no service: trying the connection says so in words.
 */
async function atService<Done>(
  work: (asking: Resources, keeping: Resources) => Promise<Done>,
  instead?: (heard: Heard) => void,
): Promise<Done | undefined> {
  const connection = await readConnection();
  if (connection === undefined) return undefined;
  const { askKey, ingestKey, ingestionPath } = connection;
  const options = { profile: { ingestionPath }, retries: { retries: 0 }, timeouts: { firstByteMs: 15_000 } };
  try {
    return await new Address(connection).use((baseUrl) => {
      const at = (apiKey: string) => createResources({ ...options, baseUrl, apiKey });
      return work(at(askKey), at(ingestKey));
    });
  } catch (error) {
    instead?.(error instanceof AuthError ? "refusal" : "silence");
    return undefined;
  }
}

/** Whether everybody who can ask sees what is in a pair; null: the service does not say. */
export function isPublicPair({ access_type: access }: ListedPair): boolean | null {
  return access == null ? null : access === "public";
}
