import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterThisTest } from "@threadlore/testkit";
import type { OpenService } from "../service.harness.ts";

/** An assistant that speaks to a service's `/mcp` with this key; it leaves when the test is over. */
export async function assistantOf({ url, fetch }: Pick<OpenService, "url" | "fetch">, key: string): Promise<Client> {
  const client = new Client({ name: "tests", version: "1.0.0" }, { versionNegotiation: { mode: "auto" } });
  const requestInit = { headers: { authorization: `Bearer ${key}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL("/mcp", url), { fetch, requestInit }));
  afterThisTest(() => client.close());
  return client;
}

/** What a tool gave, as far as it is text. */
export function textOf(result: unknown): string {
  const { content } = result as { readonly content: readonly { readonly text?: string }[] };
  return content.flatMap(({ text = [] }) => text).join("\n");
}
