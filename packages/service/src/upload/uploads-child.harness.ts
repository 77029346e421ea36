import { addKey } from "../http/keys.ts";
import { OWNER_KEY } from "../service.harness.ts";
import { serve } from "../serve.ts";
import { Database } from "../store/sqlite/database.ts";

// Run by hostile-uploads.harness.ts in a process of its own, so that its memory can be counted.
const [database = "", settings = "{}"] = process.argv.slice(2);
const db = new Database(database);
db.transact(addKey("tl_TESTother", { name: "other", role: "ordinary" }, 0));
db.close();
const { url } = await serve({ database, apiKey: OWNER_KEY, port: 0, settings: JSON.parse(settings) });
process.stdout.write(`${url}\n`);
