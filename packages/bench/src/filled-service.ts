import { createClient } from "@threadlore/client";
import type { createService } from "@threadlore/service";

/** A key of whoever fills a service. */
export const API_KEY = ["tl", "BENCH".padEnd(32, "0")].join("_");

/** Requests on their way at one time: filling is not what is measured, and the service lets 96 of one caller wait. */
const AT_ONCE = 64;

/** Has a service store and index passages, each a document of its own. */
export async function fill(
  service: ReturnType<typeof createService>,
  passages: readonly { readonly id: string; readonly title: string; readonly text: string }[],
  { baseUrl = "http://127.0.0.1:8411", apiKey = API_KEY }: { readonly baseUrl?: string; readonly apiKey?: string } = {},
): Promise<void> {
  const client = createClient({ baseUrl, apiKey, fetch: service.fetch });
  const rest = passages.values();
  const send = async (): Promise<void> => {
    for (const { id, title, text } of rest) {
      await client.ingest({ document: { id, semantic_identifier: title, sections: [{ text }], source: "file" } });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, send));
  await service.drain();
}
