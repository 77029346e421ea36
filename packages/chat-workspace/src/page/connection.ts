import type { Act } from "../page-server/acts.ts";
import type { Place, View } from "./view.ts";

/** Why an act did not come off, in the server's words. */
class ActError extends Error {
  override readonly name = "ActError";
}

/** What the page's address says it looks at. */
export function placeOf(hash: string): Place {
  const words = new URLSearchParams(hash.replace(/^#/, ""));
  const [as, channel, thread] = [words.get("as"), words.get("channel"), words.get("thread")];
  return {
    ...(as !== null && { as }),
    ...(channel !== null && { channel }),
    ...(thread !== null && { thread }),
    ...(words.has("home") && { home: true }),
  };
}

/** The address's end for a place. */
export function hashOf(place: Place): string {
  const words = new URLSearchParams();
  for (const [name, value] of Object.entries(place)) if (value !== undefined) words.set(name, String(value));
  return `#${words.toString()}`;
}

/** Asks for everything there is to see at a place. */
export async function fetchView(place: Place): Promise<View> {
  const response = await fetch(`/page/view?${hashOf(place).slice(1)}`);
  if (!response.ok) throw new ActError(await response.text());
  return (await response.json()) as View;
}

/** Does something; throws ActError with the reason when it cannot be done. */
export async function act(as: string, what: Act): Promise<void> {
  const response = await fetch("/page/act", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ as, ...what }),
  });
  if (!response.ok) throw new ActError(await response.text());
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
