import { flushCompileCache } from "node:module";
import { serve } from "../serve.ts";

// Run by herd.harness.ts in a process of its own: an instance over a database that others work on, too, until it is killed.
const [database, databaseUrl, apiKey] = process.argv.slice(2);
if (database === undefined || apiKey === undefined) throw new Error("usage: instance-child COPY URL KEY");
// Whoever would kill it may be ended first, as by a time limit; nobody would ever end it then.
process.stdin.on("end", () => process.exit()).resume();
const { url } = await serve({ database, databaseUrl, apiKey, port: 0 });
// Node would do so when it ends, which a killed process does not come to; the next one starts in half the time.
flushCompileCache();
process.stdout.write(`${url}\n`);
