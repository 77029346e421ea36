/** That an update brought something new, until somebody has closed the note about it. */
import { browser } from "wxt/browser";
import { slot } from "../storage/slots.ts";

/** The version the notes in `news-notes.tsx` are of: no other one's update is told of. */
export const NOTES_OF = "0.2";

/** The version whose news the person knows, such as "0.1": the one they installed, or whose note was closed last. */
export const KNOWN = slot<string>("local", "known-version");

/** Remembers what is known where nothing is yet: the version before an update, "0.1.3" say; without one, this one. */
export async function noteInstalled(before: string = ownVersion()): Promise<void> {
  if ((await KNOWN.read()) === undefined) await KNOWN.write(featuresOf(before));
}

/** Whether this version has news that nobody has closed. */
export async function hasNews(): Promise<boolean> {
  const known = await KNOWN.read();
  const isNewer = known !== undefined && NOTES_OF.localeCompare(known, "en", { numeric: true }) > 0;
  return isNewer && featuresOf(ownVersion()) === NOTES_OF;
}

/** Lets no window tell of this version's news again. */
export async function closeNews(): Promise<void> {
  await KNOWN.write(NOTES_OF);
}

const ownVersion = (): string => browser.runtime.getManifest().version;

/** The numbers of a version that change when it can do more. */
const featuresOf = (version: string): string => version.split(".", 2).join(".");
