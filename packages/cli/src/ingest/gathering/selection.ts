import { readFile, stat } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import ignore from "ignore";
import { UsageError } from "../../exit-codes.ts";
import { isMissing, unreadable } from "../../unreadable.ts";

/** `--include` or `--exclude`, as it was typed. */
export interface SelectionRule {
  readonly kind: "include" | "exclude";
  /** A pattern as in a .gitignore, seen from the folder that was pointed at. */
  readonly glob: string;
}

/** What of the folders is taken. */
export interface Selection {
  /** In the order they were typed: the last one that matches decides. Empty: everything is taken. */
  readonly rules: readonly SelectionRule[];
  /** Names of the files that say what of their folder is left out; of two in one folder the later one decides. */
  readonly ignoreFiles: readonly string[];
}

/** The file that says what of its folder is left out, in the words of a .gitignore. */
export const IGNORE_FILE = ".threadloreignore";

/** Patterns are not read from files that are longer, bytes. */
const MAX_IGNORE_BYTES = 1_000_000;

/** Paths after which patterns are made anew: the library keeps what it found out of every path it was asked about. */
const MAX_KEPT = 5_000;

/** What patterns say of a path. `taken`: one that begins with `!` is the last to match it. */
type Verdict = "left" | "taken" | "unsaid";

/** Patterns in the words of a .gitignore, with paths from one folder on. Capital and small letters are different. */
class Patterns {
  readonly #lines: readonly string[];
  #made: ReturnType<typeof ignore> | undefined;
  #asked = 0;

  constructor(lines: readonly string[]) {
    this.#lines = lines;
  }

  /** @param path with `/` between parts, and behind a folder */
  of(path: string): Verdict {
    if (this.#asked++ % MAX_KEPT === 0) this.#made = undefined;
    this.#made ??= ignore({ ignorecase: false }).add(this.#lines);
    const { ignored, unignored } = this.#made.test(path);
    return ignored ? "left" : unignored ? "taken" : "unsaid";
  }
}

/** One ignore file of the folders an entry stands in. */
interface IgnoreFile {
  /** Absolute path of its folder. */
  readonly folder: string;
  readonly patterns: Patterns;
}

/** Ignore files that hold for a folder, the outermost first. */
export type IgnoreFiles = readonly IgnoreFile[];

/** An ignore file that is there and cannot be read. What it leaves out is not known, so nothing of its folder is taken. */
export class UnreadableIgnoreFileError extends Error {
  override readonly name = "UnreadableIgnoreFileError";
}

/** Decides what is taken, of one walk. */
export class Selecting {
  readonly #names: readonly string[];
  readonly #rules: Patterns | undefined;
  /** The first word was what to take: everything else is not. */
  readonly #takesOnly: boolean;

  constructor({ rules, ignoreFiles }: Selection) {
    this.#names = ignoreFiles;
    this.#takesOnly = rules[0]?.kind === "include";
    this.#rules = rules.length === 0 ? undefined : new Patterns(rules.map(lineOf));
  }

  /** Those that hold in a folder: what holds above it, and its own. Throws UnreadableIgnoreFileError. */
  async inFolder(folder: string, above: IgnoreFiles): Promise<IgnoreFiles> {
    const own: IgnoreFile[] = [];
    for (const name of this.#names) {
      const lines = await linesOf(join(folder, name), name);
      if (lines !== undefined) own.push({ folder, patterns: new Patterns(lines) });
    }
    return own.length === 0 ? above : [...above, ...own];
  }

  /**
   * Those of the folders from `top` down to a folder in it; undefined where one on the way is left out itself. Throws
   * UnreadableIgnoreFileError.
   */
  async above(folder: string, top: string): Promise<IgnoreFiles | undefined> {
    let found = await this.inFolder(top, []);
    let at = top;
    for (const part of relative(top, folder).split(sep)) {
      if (part === "") continue;
      at = join(at, part);
      if (isLeftBy(found, at, true)) return undefined;
      found = await this.inFolder(at, found);
    }
    return found;
  }

  /**
   * Whether an entry is taken. What an ignore file leaves out no option brings back; among ignore files the innermost
   * that says something of an entry decides, among options the last.
   * @param entry absolute path, and the name below the folder that was pointed at, both as a person sees them
   */
  takes({ place, name }: { place: string; name: string }, isFolder: boolean, files: IgnoreFiles): boolean {
    if (isLeftBy(files, place, isFolder)) return false;
    if (this.#rules === undefined) return true;
    const said = this.#rules.of(isFolder ? `${name}/` : name);
    if (said !== "unsaid" || !this.#takesOnly) return said !== "left";
    // Below a folder of another name there may be what is to be taken.
    return isFolder || this.#isBelowTaken(name);
  }

  #isBelowTaken(name: string): boolean {
    const parts = name.split("/").slice(0, -1);
    return parts.some((_part, index) => this.#rules?.of(`${parts.slice(0, index + 1).join("/")}/`) === "taken");
  }
}

/** Whether ignore files leave an entry out: the innermost that says something of it decides. */
function isLeftBy(files: IgnoreFiles, place: string, isFolder: boolean): boolean {
  for (const { folder, patterns } of files.toReversed()) {
    const path = relative(folder, place).split(sep).join("/");
    const said = patterns.of(isFolder ? `${path}/` : path);
    if (said !== "unsaid") return said === "left";
  }
  return false;
}

function lineOf({ kind, glob }: SelectionRule): string {
  // What begins with `./` is meant to begin at the folder, for which a .gitignore has the slash alone.
  const pattern = glob.replace(/^\.\//, "/").replace(/^#/, "\\#");
  return kind === "include" ? `!${pattern}` : pattern;
}

/** Throws UsageError for what is no pattern. */
export function parseGlob(glob: string): string {
  if (glob.trim() === "" || /[\r\n]/.test(glob)) throw new UsageError("A pattern of --include or --exclude is empty.");
  if (glob.startsWith("!")) {
    throw new UsageError(`"${glob}" begins with "!": say what is to be taken with --include, without it.`);
  }
  return glob;
}

/** Its lines; undefined where there is none. */
async function linesOf(path: string, name: string): Promise<string[] | undefined> {
  try {
    if ((await stat(path)).size > MAX_IGNORE_BYTES) {
      throw new UnreadableIgnoreFileError(`its ${name} is larger than ${MAX_IGNORE_BYTES / 1_000_000} MB`);
    }
    return (await readFile(path, "utf8")).replace(/^\uFEFF/, "").split(/\r?\n/);
  } catch (error) {
    if (error instanceof UnreadableIgnoreFileError) throw error;
    if (isMissing(error)) return undefined;
    throw new UnreadableIgnoreFileError(`its ${name} says what to leave out, and ${unreadable(error)}`);
  }
}
