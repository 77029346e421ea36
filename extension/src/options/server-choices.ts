/** What the service offers to choose from: personas, document sets, pairs; and whose key it is asked with. */
import {
  type Account,
  accountOf,
  createDeployment,
  type Deployment,
  type DocumentSet,
  type ListedPair,
  type Persona,
} from "@threadlore/client/deployment";
import { createAddress } from "../settings/address.ts";
import { type Connection, readConnection } from "../settings/settings.ts";

/** A choice the service offers; undefined: it does not tell, or this key may not know. */
export interface ServerChoices {
  readonly personas: readonly Persona[] | undefined;
  readonly documentSets: readonly DocumentSet[] | undefined;
  readonly pairs: readonly ListedPair[] | undefined;
  /** Of the key that asks. */
  readonly account: Account | undefined;
}

/** Nothing is known. */
export const NO_CHOICES: ServerChoices = {
  personas: undefined,
  documentSets: undefined,
  pairs: undefined,
  account: undefined,
};

/** Asks the service that is set for everything it offers, each with the key that will use it. Never throws. */
export async function readChoices(): Promise<ServerChoices> {
  const connection = await readConnection();
  if (connection === undefined) return NO_CHOICES;
  const { askKey, ingestKey } = connection;
  try {
    return await createAddress(connection).use(async (baseUrl) => {
      const asking = deploymentAt(baseUrl, askKey, connection);
      const keeping = deploymentAt(baseUrl, ingestKey, connection);
      const who = asking.whoami();
      const [personas, documentSets, pairs, me] = await Promise.all([
        asking.personas().catch(() => undefined),
        asking.documentSets().catch(() => undefined),
        keeping.pairs().catch(() => undefined),
        who.catch(() => undefined),
      ]);
      // Nothing was told: it is not known then that the service is there at all.
      if ((personas ?? documentSets ?? pairs) === undefined) await who;
      const account = me === undefined ? undefined : accountOf(me);
      return { personas: personas?.filter(({ is_listed }) => is_listed !== false), documentSets, pairs, account };
    });
  } catch {
    // A key or an address that can be none, or no service; trying the connection says so in words.
    return NO_CHOICES;
  }
}

/** Switches the service's memory off for the key that asks. False: the service did not. */
export async function switchMemoryOff(): Promise<boolean> {
  const connection = await readConnection();
  if (connection === undefined) return false;
  try {
    return await createAddress(connection).use(async (baseUrl) => {
      const asking = deploymentAt(baseUrl, connection.askKey, connection);
      await asking.setMemory(false);
      return accountOf(await asking.whoami()).memory !== "on";
    });
  } catch {
    return false;
  }
}

function deploymentAt(baseUrl: string, apiKey: string, { ingestionPath }: Connection): Deployment {
  const timeouts = { firstByteMs: 15_000 };
  return createDeployment({ baseUrl, apiKey, profile: { ingestionPath }, retries: { retries: 0 }, timeouts });
}

/** Whether everybody who can ask sees what is in a pair; null: the service does not say. */
export function isPublicPair({ access_type: access }: ListedPair): boolean | null {
  return access == null ? null : access === "public";
}
