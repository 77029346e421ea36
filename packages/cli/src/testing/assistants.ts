import { fileURLToPath } from "node:url";
import { Client, StreamableHTTPClientTransport, type Transport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterThisTest } from "@threadlore/testkit";
import { newHome } from "./spawn-cli.ts";

const MAIN = fileURLToPath(new URL("../main.ts", import.meta.url));

/** A server as settings of an editor name it. */
export interface Reached {
  readonly url: string;
  readonly apiKey: string;
  /** Further settings by environment. */
  readonly env?: Readonly<Record<string, string>>;
}

/** The command an editor starts, with what it is given. */
export function editorCommand({ url, apiKey, env }: Reached) {
  return {
    command: process.execPath,
    args: [MAIN, "mcp"],
    env: { ...newHome().env, THREADLORE_URL: url, THREADLORE_API_KEY: apiKey, ...env },
  };
}

/** An assistant with the tools, and the process that serves it. */
export interface OverStdio {
  readonly client: Client;
  /** Of `threadlore mcp`. */
  readonly pid: number;
}

/** An assistant that has started `threadlore mcp`; both end with the test. */
export async function overStdio(server: Reached): Promise<OverStdio> {
  const transport = new StdioClientTransport({ ...editorCommand(server), stderr: "ignore" });
  const client = await connected(transport);
  return { client, pid: transport.pid ?? 0 };
}

/** An assistant that speaks to `/mcp`. */
export function overHttp({ url, apiKey }: Reached): Promise<Client> {
  const headers = { authorization: `Bearer ${apiKey}` };
  return connected(new StreamableHTTPClientTransport(new URL("/mcp", url), { requestInit: { headers } }));
}

async function connected(transport: Transport): Promise<Client> {
  const client = new Client({ name: "tests", version: "1.0.0" }, { versionNegotiation: { mode: "auto" } });
  afterThisTest(() => client.close());
  await client.connect(transport);
  return client;
}
