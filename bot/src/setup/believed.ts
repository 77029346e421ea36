import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync, type Stats } from "node:fs";
import { dirname, resolve } from "node:path";
import { VARIABLES } from "../settings/variables.ts";
import { type Places, secretsFolder, settingsFile } from "./places.ts";

/** What an earlier setup kept, as far as it is believed. */
interface Believed {
  readonly settings: Readonly<Record<string, string>>;
  /** Names of files that are not read, since the account that could have named them may not be able to read them itself. */
  readonly refused: readonly string[];
}

/**
 * What of an earlier setup's settings is believed. Root reads files that the account could name, and gives the account what
 * is in them; so of files in the account's reach it reads the account's own alone, and others only where the settings are
 * root's. Whoever is not root reads nothing that is not theirs anyway.
 * @param asker who asks, by the system's number
 */
export function believed(said: Readonly<Record<string, string>>, places: Places, asker = process.getuid?.()): Believed {
  if (asker !== 0) return { settings: said, refused: [] };
  const areRoots = lookAt(settingsFile(places))?.uid === 0;
  const folder = secretsFolder(places);
  const settings: Record<string, string> = {};
  const refused: string[] = [];
  for (const [name, value] of Object.entries(said)) {
    const holds = name.replace(/_FILE$/, "");
    if (holds === name || !Object.hasOwn(VARIABLES, holds)) settings[name] = value;
    else if (dirname(resolve(value)) === folder) {
      const text = ownText(value, lookAt(folder)?.uid);
      if (text === undefined) refused.push(value);
      else settings[holds] = text;
    } else if (areRoots) settings[name] = value;
    else refused.push(value);
  }
  return { settings, refused };
}

/** What is in a plain file of this account's; undefined: there is none. No link is followed, nor a second name believed. */
function ownText(path: string, uid: number | undefined): string | undefined {
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch {
    return undefined;
  }
  try {
    const found = fstatSync(file);
    return found.isFile() && found.uid === uid ? readFileSync(file, "utf8") : undefined;
  } finally {
    closeSync(file);
  }
}

function lookAt(path: string): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false });
}
