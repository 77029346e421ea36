import { seededRandom } from "@threadlore/testkit";
import { addKey } from "./http/keys.ts";
import { createLog } from "./log.ts";
import { endThreads } from "./search/hosting/index-host.ts";
import { startIndexer } from "./search/indexer.ts";
import { OWNER_KEY } from "./service.harness.ts";
import { Database } from "./store/sqlite/database.ts";
import { upsertDocument } from "./store/documents.ts";

/**
 * Makes a database of ten thousand passages, or five for each document; part 1 of valve 7 is named v7p1 there alone.
 */
export async function fillDatabase(path: string, documents = 2_000): Promise<void> {
  const db = new Database(path);
  db.transact(addKey(OWNER_KEY, { name: "owner", role: "admin" }, 0));
  const random = seededRandom(3);
  const word = () => `w${Math.floor(4_000 * random() ** 2)}`;
  db.transaction(() => {
    for (let index = 0; index < documents; index++) {
      const sections = Array.from({ length: 5 }, (_, part) => ({
        text: `The valve v${index}p${part} opens at ${part + 2} bar. ${Array.from({ length: 90 }, word).join(" ")}.`,
      }));
      const document = {
        id: `d${index}`,
        semantic_identifier: `Valve ${index}`,
        sections,
        source: "web",
        metadata: {},
      };
      db.transact(upsertDocument(document, 1, 0));
    }
  });
  await startIndexer({ db, log: createLog("silent") }).drain();
  db.sqlite.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  await endThreads(db);
  db.close();
}
