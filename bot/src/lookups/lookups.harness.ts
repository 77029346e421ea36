import { afterThisTest } from "@threadlore/testkit";
import { KEYS, startTown, type Town, type TownOptions } from "../testing/running-bot.ts";

export const LONG = { timeout: 90_000 };
export const SEARCH = { callbackId: "search", filtersCallbackId: "search_filters" };
export const LEAVE = "https://handbook.example/leave";

/** A workspace whose manifest has the search and previews of links; ended after the test. */
export async function town(options: TownOptions = {}): Promise<Town> {
  const place = await startTown({
    ...options,
    workspace: { app: { search: SEARCH, unfurlDomains: ["handbook.example"], ...options.workspace?.app } },
  });
  afterThisTest(() => place.close());
  return place;
}

/** How many conversations the keys have, together. */
export async function sessionsOf({ knowledge }: Town): Promise<number> {
  const counts = await Promise.all(
    Object.values(KEYS).map(async (key) => {
      const headers = { authorization: `Bearer ${key}` };
      const reply = await knowledge.fetch(
        new Request("http://127.0.0.1:8412/chat/get-user-chat-sessions", { headers }),
      );
      return ((await reply.json()) as { sessions: unknown[] }).sessions.length;
    }),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

/** A server with a search, as deployed ones have it; `passages` by the key that asks. */
export function withSearch(place: Town, passages: (key: string, asked: Record<string, unknown>) => object[]): void {
  place.knowledge.fault = async (request) => {
    if (!request.url.endsWith("/search")) return undefined;
    const key = (request.headers.get("authorization") ?? "").replace("Bearer ", "");
    return Response.json({ results: passages(key, (await request.json()) as Record<string, unknown>) });
  };
}

/** A passage as such a server finds it. */
export const passage = (name: string, content = `All about ${name}.`) => ({
  title: name,
  content,
  link: `https://handbook.example/${name}`,
  source_type: "web",
  updated_at: "2026-03-02T10:00:00Z",
});
