import { execFileSync } from "node:child_process";
import {
  chmodSync,
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  mkdirSync,
  openSync,
  realpathSync,
  renameSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";

/** Something of an installation that cannot be made; the message says what to do. */
export class InstallError extends Error {
  override readonly name = "InstallError";
}

/** Who owns what a program keeps, by the numbers of the system. */
export interface Owner {
  readonly uid: number;
  readonly gid: number;
}

/**
 * The account a program runs as. Root makes it where it is missing: one that nobody can log in to. Undefined where that is
 * whoever asks. Throws InstallError.
 */
export function ownerOf(account: string, home: string): Owner | undefined {
  if (process.getuid?.() !== 0) return undefined;
  try {
    return idsOf(account) ?? (makeAccount(account, home), idsOf(account));
  } catch (error) {
    throw new InstallError(
      `The account ${account} cannot be made (${wordsOf(error)}). Make it, or name another with --account.`,
    );
  }
}

function idsOf(account: string): Owner | undefined {
  const id = (what: string): number | undefined => {
    try {
      return Number(execFileSync("id", [what, account], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }));
    } catch {
      return undefined;
    }
  };
  const [uid, gid] = [id("-u"), id("-g")];
  return uid === undefined || gid === undefined ? undefined : { uid, gid };
}

function makeAccount(account: string, home: string): void {
  const shell = ["--shell", "/usr/sbin/nologin"];
  execFileSync("useradd", ["--system", "--user-group", "--home-dir", home, "--no-create-home", ...shell, account], {
    stdio: ["ignore", "ignore", "pipe"],
  });
}

/** Makes a folder as the system makes them, where there is none. Throws InstallError. */
export function makeFolder(folder: string): void {
  tried(folder, () => mkdirSync(folder, { recursive: true }));
}

/**
 * Makes a folder that only its owner may look into; those above it are as the system makes them. What is in it already stays
 * whose it is. Throws InstallError, also where it is to be given to somebody and is a link.
 */
export function privateFolder(folder: string, owner?: Owner): void {
  tried(folder, () => {
    mkdirSync(dirname(folder), { recursive: true });
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (owner === undefined) return chmodSync(folder, 0o700);
    // Never what a link leads to, which may be put there between two looks.
    const opened = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
    try {
      fchmodSync(opened, 0o700);
      fchownSync(opened, owner.uid, owner.gid);
    } finally {
      closeSync(opened);
    }
  });
}

/** Writes a file that only its owner may read, whole or not at all. Throws InstallError. */
export function privateFile(path: string, text: string, owner?: Owner): void {
  writeWhole(path, text, 0o600, owner);
}

/**
 * Writes a file that whoever asks owns, and that the reader's group may read: what root decides and an account obeys. Without
 * a reader only its owner may. Whole or not at all. Throws InstallError.
 */
export function lentFile(path: string, text: string, reader?: Owner): void {
  const gid = reader?.gid;
  writeWhole(path, text, gid === undefined ? 0o600 : 0o640, gid === undefined ? undefined : { uid: 0, gid });
}

function writeWhole(path: string, text: string, mode: number, owner: Owner | undefined): void {
  tried(path, () => {
    const draft = `${path}.${process.pid}.draft`;
    // Not through a link that somebody put there before: the folder may be another account's.
    const file = openSync(draft, "wx", 0o600);
    try {
      writeFileSync(file, text, { flush: true });
      if (owner !== undefined) fchownSync(file, owner.uid, owner.gid);
      fchmodSync(file, mode);
    } finally {
      closeSync(file);
    }
    renameSync(draft, path);
  });
}

/** Writes a file everybody may read, as units are. Throws InstallError. */
export function publicFile(path: string, text: string): void {
  tried(path, () => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text, { mode: 0o644, flush: true });
  });
}

/** A path of this Node that the next version will have too, where the system has one. */
export function lastingNode(): string {
  const own = process.execPath;
  return (
    ["/usr/bin/node", "/usr/local/bin/node"].find((path) => {
      try {
        return realpathSync(path) === realpathSync(own);
      } catch {
        return false;
      }
    }) ?? own
  );
}

function tried(path: string, make: () => unknown): void {
  try {
    make();
  } catch (error) {
    if (error instanceof InstallError) throw error;
    throw new InstallError(
      `${path} cannot be written (${wordsOf(error)}). Run it with sudo, or name folders of your own; --help lists them.`,
    );
  }
}

/** The machine's word for a failure. */
function wordsOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "unknown";
}
