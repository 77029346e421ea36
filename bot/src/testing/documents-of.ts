import { Database } from "@threadlore/service";
import type { Town } from "./running-bot.ts";

/** Everything the service has of every document, as it stands in its rows: one text, in which anything can be looked for. */
export function documentsOf({ knowledge }: Pick<Town, "knowledge">): string {
  const db = new Database(knowledge.database);
  try {
    const rows = db.all("SELECT * FROM documents ORDER BY id");
    return rows.map((row) => Object.values(row).join("\n")).join("\n");
  } finally {
    db.close();
  }
}
