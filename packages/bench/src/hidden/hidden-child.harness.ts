import { serve } from "@threadlore/service/serve";

// Run by hidden.ts in a process of its own: serves a database, and tells where.
const [database = "", evenMs = "", databaseUrl] = process.argv.slice(2);
const settings = evenMs === "" ? {} : { evenMs: Number(evenMs) };
const { url } = await serve({ database, databaseUrl, settings, port: 0, logLevel: "silent" });
process.send?.({ url });
