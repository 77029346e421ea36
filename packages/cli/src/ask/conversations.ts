import { join } from "node:path";
import { serverName } from "../server/config.ts";
import { readIfPresent, stateFolder, writePrivateFile } from "../folders.ts";
import type { Terminal } from "../terminal/output.ts";

/** The last conversation with a server: what `--continue` goes on with. */
export interface LastConversation {
  readonly sessionId: string;
  /** The answer the next question follows; absent: the newest message of the session. */
  readonly messageId?: number;
}

/** The last conversation with this server; undefined when there was none. */
export async function lastConversation(terminal: Terminal, url: string): Promise<LastConversation | undefined> {
  return (await readAll(terminal)).get(serverName(url));
}

/** Remembers the conversation as the last one with this server; undefined: it has none to go on with. */
export async function rememberConversation(
  terminal: Terminal,
  url: string,
  last: LastConversation | undefined,
): Promise<void> {
  const all = await readAll(terminal);
  if (last === undefined) all.delete(serverName(url));
  else all.set(serverName(url), last);
  await writePrivateFile(conversationsPath(terminal), `${JSON.stringify(Object.fromEntries(all), undefined, 2)}\n`);
}

function conversationsPath(terminal: Terminal): string {
  return join(stateFolder(terminal), "conversations.json");
}

/** A damaged file is as good as none: only the thread of the last talk is lost. */
async function readAll(terminal: Terminal): Promise<Map<string, LastConversation>> {
  const text = (await readIfPresent(conversationsPath(terminal))) ?? "{}";
  try {
    const kept = Object.entries(JSON.parse(text) as Record<string, LastConversation>);
    return new Map(kept.filter(([, last]) => typeof last.sessionId === "string"));
  } catch {
    return new Map();
  }
}
