import { monitorEventLoopDelay } from "node:perf_hooks";
import { serve } from "@threadlore/service/serve";

// Run by crowd.ts in a process of its own: serves a database, and tells how long its event loop was kept.
const [database = "", apiKey = "", databaseUrl] = process.argv.slice(2);
const { url } = await serve({ database, databaseUrl, apiKey, port: 0 });
const RESOLUTION_MS = 5;
const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
delay.enable();
process.on("message", (message) => {
  if (message === "begin") delay.reset();
  else {
    const loopMs = Math.max(0, delay.percentile(99) / 1e6 - RESOLUTION_MS);
    process.send?.({ loopMs, megabytes: process.memoryUsage.rss() / 1e6 });
  }
});
process.send?.({ url });
