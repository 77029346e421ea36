import { flushCompileCache } from "node:module";
import { serve } from "./serve.ts";

// Run by kill.harness.ts in a process of its own: serves one database until it is killed.
const [database, apiKey] = process.argv.slice(2);
if (database === undefined || apiKey === undefined) throw new Error("usage: kill-child DATABASE KEY");
// Whoever would kill it may be ended first, as by a time limit; nobody would ever end it then.
process.stdin.on("end", () => process.exit()).resume();
const { url } = await serve({ database, apiKey, port: 0 });
// Node would do so when it ends, which a killed process does not come to; the next one starts in half the time.
flushCompileCache();
process.stdout.write(`${url}\n`);
