/** That an update brought something new, until somebody has closed the note about it. */
import { browser } from "wxt/browser";
import { slot } from "../storage/slots.ts";

/** The version the notes in `whats-new.tsx` are of: no other one's update is told of. */
export const NOTES_OF = "0.2";

/** The version whose news the person knows, such as "0.1.3": the one they installed, or whose note was closed last. */
export const KNOWN = slot<string>("local", "known-version");

/** Remembers what is known after an update of a version that remembered nothing: that version. */
export async function noteUpdate(before: string): Promise<void> {
  if ((await KNOWN.read()) === undefined) await KNOWN.write(before);
}

/** Whether this version has news that nobody has closed. To whoever has just installed it, nothing is new. */
export async function hasNews(): Promise<boolean> {
  const { version } = browser.runtime.getManifest();
  const known = await KNOWN.read();
  if (known === undefined) await KNOWN.write(version);
  const isNewer = NOTES_OF.localeCompare(known ?? version, "en", { numeric: true }) > 0;
  return isNewer && version.startsWith(`${NOTES_OF}.`);
}

/** Lets no window tell of this version's news again. */
export async function closeNews(): Promise<void> {
  await KNOWN.write(NOTES_OF);
}
