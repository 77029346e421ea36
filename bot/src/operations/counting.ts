import { type WebClient, WebClientEvent } from "@slack/web-api";
import type { Metrics } from "./metrics.ts";
import type { Pacer } from "../slack/transport/pacing.ts";

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

/** The pacer, counting the streams that are open. */
export function countStreams(pacer: Pacer, metrics: Pick<Metrics, "streamOpened" | "streamClosed">): Pacer {
  return {
    ...pacer,
    open(team, channel, flush) {
      const turns = pacer.open(team, channel, flush);
      let open = true;
      metrics.streamOpened();
      return {
        ...turns,
        close() {
          if (open) metrics.streamClosed();
          open = false;
          turns.close();
        },
      };
    },
  };
}
