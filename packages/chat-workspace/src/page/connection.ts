import type { Act } from "../page-server/acts.ts";
import type { SearchOutcome } from "../lookups/looks.ts";
import type { View } from "../page-server/view.ts";
import { type Place, wordsOf } from "./view.ts";

/** Asks for everything there is to see at a place. */
export async function fetchView(place: Place): Promise<View> {
  const response = await fetch(`/page/view?${wordsOf(place)}`);
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as View;
}

/** Searches for somebody. Throws an Error with the reason, in the server's words. */
export async function search(as: string, query: string): Promise<SearchOutcome> {
  const response = await fetch(`/page/search?${new URLSearchParams({ as, query }).toString()}`);
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as SearchOutcome;
}

/** Does something; throws an Error with the reason, in the server's words, when it cannot be done. */
export async function act(as: string, what: Act): Promise<void> {
  const response = await fetch("/page/act", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ as, ...what }),
  });
  if (!response.ok) throw new Error(await response.text());
}

/** Calls back at every change and every reconnection; `lost` while there is no connection. The result ends it. */
export function followChanges(changed: () => void, lost: () => void): () => void {
  const source = new EventSource("/page/changes");
  source.addEventListener("open", changed);
  source.addEventListener("message", changed);
  source.addEventListener("error", lost);
  return () => source.close();
}

/** A file as it travels to the server. */
export async function fileToSend(file: File): Promise<{ name: string; mimetype: string; base64: string }> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let binary = "";
  for (const byte of bytes) binary += String.fromCodePoint(byte);
  return { name: file.name, mimetype: file.type || "application/octet-stream", base64: btoa(binary) };
}
