import { existsSync } from "node:fs";
import type { Database, NewKey } from "@threadlore/service";
import { UsageError } from "../exit-codes.ts";
import type { Terminal } from "../terminal/output.ts";
import { noDatabase, ownedFiles } from "./embedded.ts";

type Service = typeof import("@threadlore/service");

/** What the owner of an embedded service may do to its database, while the service runs or not. */
export type Owner = ReturnType<typeof ownerOf>;

function ownerOf(service: Service, db: Database) {
  return {
    addKey: (settings: NewKey): { id: number; key: string } => {
      const key = service.mintKey();
      service.addKey(db, key, settings, Date.now());
      return { id: service.listKeys(db).at(-1)?.id ?? 0, key };
    },
    listKeys: () => service.listKeys(db),
    revokeKey: (id: number): void => {
      const isRevoked = service.revokeKey(db, id, Date.now());
      if (!isRevoked) throw new UsageError(`There is no valid key ${id}. \`key list\` shows them.`);
    },
    createPairing: () => service.createPairing(db, Date.now()),
    addConnector: (connector: Parameters<Service["addConnector"]>[1]) => service.addConnector(db, connector),
    addCredential: (credential: Parameters<Service["addCredential"]>[1]) => service.addCredential(db, credential),
    addPair: (pair: Parameters<Service["addPair"]>[1]) => service.addPair(db, pair),
    addDocumentSet: (set: Parameters<Service["addDocumentSet"]>[1]) => service.addDocumentSet(db, set),
    listConnectors: () => service.listConnectors(db),
    listCredentials: () => service.listCredentials(db),
    listPairs: () => service.listPairs(db),
    listDocumentSets: () => service.listDocumentSets(db),
    countDocuments: () => service.countDocuments(db),
    listHeldDocuments: () => service.listHeldDocuments(db),
  };
}

/**
 * Does `work` on the embedded service's database. The service's code is loaded only now: most commands talk to a
 * server and never need it. Throws UsageError when there is no database, or the work cannot be done.
 */
export async function withOwner<Result>(
  terminal: Terminal,
  data: string | undefined,
  work: (owner: Owner) => Result,
): Promise<Result> {
  const { database } = await ownedFiles(terminal, data);
  if (!existsSync(database)) throw new UsageError(noDatabase(database));
  const service = await import("@threadlore/service");
  const db = new service.Database(database);
  try {
    return work(ownerOf(service, db));
  } catch (error) {
    throw error instanceof service.ConnectorError ? new UsageError(error.message) : error;
  } finally {
    db.close();
  }
}
