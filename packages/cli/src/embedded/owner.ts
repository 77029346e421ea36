import { existsSync } from "node:fs";
import {
  addConnector,
  addCredential,
  addDocumentSet,
  addKey,
  addPair,
  ConnectorError,
  countDocuments,
  createPairing,
  Database,
  listConnectors,
  listCredentials,
  listDocumentSets,
  listHeldDocuments,
  listKeys,
  listPairs,
  mintKey,
  type NewKey,
  revokeKey,
} from "@threadlore/service";
import { noDatabase, ownedFiles } from "./embedded.ts";
import { UsageError } from "../exit-codes.ts";
import type { Terminal } from "../terminal/output.ts";

/** What the owner of an embedded service may do to its database, while the service runs or not. */
export function ownerOf(db: Database) {
  return {
    addKey: (settings: NewKey): { id: number; key: string } => {
      const key = mintKey();
      addKey(db, key, settings, Date.now());
      return { id: listKeys(db).at(-1)?.id ?? 0, key };
    },
    listKeys: () => listKeys(db),
    revokeKey: (id: number): void => {
      if (!revokeKey(db, id, Date.now())) throw new UsageError(`There is no valid key ${id}. \`key list\` shows them.`);
    },
    createPairing: () => createPairing(db, Date.now()),
    addConnector: (connector: Parameters<typeof addConnector>[1]) => addConnector(db, connector),
    addCredential: (credential: Parameters<typeof addCredential>[1]) => addCredential(db, credential),
    addPair: (pair: Parameters<typeof addPair>[1]) => addPair(db, pair),
    addDocumentSet: (set: Parameters<typeof addDocumentSet>[1]) => addDocumentSet(db, set),
    listConnectors: () => listConnectors(db),
    listCredentials: () => listCredentials(db),
    listPairs: () => listPairs(db),
    listDocumentSets: () => listDocumentSets(db),
    countDocuments: () => countDocuments(db),
    listHeldDocuments: () => listHeldDocuments(db),
  };
}

/** What the owner of an embedded service may do to its database. */
export type Owner = ReturnType<typeof ownerOf>;

/** Does `work` on the embedded service's database. Throws UsageError when there is none, or it cannot be done. */
export async function workOnData<Result>(
  terminal: Terminal,
  data: string | undefined,
  work: (owner: Owner) => Result,
): Promise<Result> {
  const { database } = await ownedFiles(terminal, data);
  if (!existsSync(database)) throw new UsageError(noDatabase(database));
  const db = new Database(database);
  try {
    return work(ownerOf(db));
  } catch (error) {
    throw error instanceof ConnectorError ? new UsageError(error.message) : error;
  } finally {
    db.close();
  }
}
