import { serve } from "@threadlore/service/serve";

// Run by connections.ts in a process of its own: serves a database as behind a proxy on this machine, and tells what it takes.
const [database = "", apiKey = "", host = ""] = process.argv.slice(2);
const network = { trustedProxies: ["127.0.0.1", "::1"], hosts: [host] };
const { url } = await serve({ database, apiKey, port: 0, network });
process.on("message", () => process.send?.({ megabytes: process.memoryUsage.rss() / 1e6 }));
process.send?.({ url });
