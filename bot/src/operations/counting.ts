import { type WebClient, WebClientEvent } from "@slack/web-api";
import type { Metrics } from "./metrics.ts";

/** Counts every pause Slack asks these clients for, by method. */
export function countRateLimits(clients: readonly WebClient[], metrics: Pick<Metrics, "rateLimited">): void {
  for (const client of clients) {
    client.on(WebClientEvent.RATE_LIMITED, (_, { url }: { url: string }) => {
      // The last segment is the method; an address that is none would be a label without end.
      const method = /\/(\w{1,30}(?:\.\w{1,30}){1,3})$/.exec(url)?.[1];
      metrics.rateLimited(method ?? "other");
    });
  }
}
