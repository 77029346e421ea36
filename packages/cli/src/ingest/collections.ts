import { createHash } from "node:crypto";
import { lstat, readFile, realpath } from "node:fs/promises";
import { hostname } from "node:os";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { fileId } from "@threadlore/documents";
import { UsageError } from "../exit-codes.ts";
import { codeOf } from "../unreadable.ts";
import { type FoundFile, isInside } from "./file-walk.ts";
import type { Collection, Journal, JournalEntry, Shelf } from "./journal.ts";

/** How collections are chosen. */
export interface CollectionChoice {
  readonly journal: Journal;
  readonly shelf: Shelf;
  /** `--collection`: the name said for what is sent now. */
  readonly name?: string | undefined;
  /** `--take-over`: what the journal holds for another place, or for none, is what lies here. */
  readonly takeOver?: boolean;
  /** Takes a line for the person. */
  readonly say: (line: string) => void;
  /** Default: this machine's name. Tells equal paths of two machines apart. */
  readonly machine?: string;
  /** Whether that machine is there for a run only, with its name and its journal. Default: it stays. */
  readonly isPassing?: boolean;
}

/** The collections one run sends from. */
export type Collections = Awaited<ReturnType<typeof chooseCollections>>;

/** What a file is sent as, and what the journal notes of that. */
export interface FileIdentity {
  readonly id: string;
  /** Its path in its collection. */
  readonly path: string;
  readonly noted: Pick<JournalEntry, "collection" | "path" | "file">;
}

/**
 * Finds or makes the collection of every folder that is pointed at, and keeps it in the journal. A folder inside a known
 * collection belongs to that; otherwise its repository is one, named after its remote; otherwise the folder itself.
 * Throws UsageError where a name belongs to another folder that is still there.
 * @param paths what was pointed at; what is not there is passed over, the walk says so
 */
export async function chooseCollections(choice: CollectionChoice, paths: readonly string[]) {
  const folders = (await Promise.all(paths.map(folderOf))).flat();
  const { journal, shelf } = choice;
  const bases = new Map<string, Collection>();
  for (const folder of folders) {
    // Of one folder named twice, the second time finds what the first registered.
    const collection =
      choice.name === undefined
        ? await usualCollection(choice, folder)
        : await namedCollection(choice, choice.name, folder, commonFolder(folders));
    bases.set(folder, collection);
  }
  const known = journal.collections(shelf.server);
  // A folder inside that is a collection of its own stays one, whichever was sent first.
  const inside = new Map(
    folders.map((folder) => [folder, known.filter(({ root }) => root !== folder && isInside(folder, root))]),
  );
  /** The collection a file belongs to. */
  const collectionOf = (file: FoundFile): Collection => {
    const found = deepest(inside.get(file.folder) ?? [], absolute(file)) ?? bases.get(file.folder);
    if (found === undefined) throw new Error("its folder came while the command was starting. Run it again");
    return found;
  };
  const all = eachOnce([...bases.values()]);
  return {
    /** Those of the folders pointed at. */
    all,
    /** The folders pointed at, and those of the files pointed at: links resolved. */
    folders,
    /** The outermost folder of what a folder that was pointed at belongs to. */
    rootOf: (folder: string): string => bases.get(folder)?.root ?? folder,
    /** Those and what lies inside of them as a collection of its own. */
    involved: eachOnce([...all, ...[...inside.values()].flat()]),
    of: collectionOf,
    /** What a file is sent as. */
    identify: async (file: FoundFile): Promise<FileIdentity> => {
      const { name, root } = collectionOf(file);
      const path = relative(root, absolute(file)).split(sep).join("/");
      const kept = journal.keptId(shelf, name, path) ?? (await formerId(choice, name, file));
      if (kept !== undefined) return { id: kept, path, noted: { collection: name, path, file: path } };
      return { id: await fileId(path, name), path, noted: { collection: name, file: path } };
    },
  };
}

/** No two collections of a server have one name; the journal makes a new object of one each time it is asked. */
function eachOnce(collections: readonly Collection[]): Collection[] {
  return [...new Map(collections.map((collection) => [collection.name, collection])).values()];
}

const absolute = ({ folder, name }: FoundFile): string => join(folder, name);

/** The id an earlier version gave a file, where this collection goes on with those and no other one holds it. */
async function formerId({ journal, shelf }: CollectionChoice, name: string, file: FoundFile) {
  if (journal.goesOn(shelf, name) !== true) return undefined;
  const id = await fileId(file.name);
  const newest = journal.newest(shelf, id);
  return newest !== undefined && newest.collection === undefined ? id : undefined;
}

async function folderOf(path: string): Promise<string[]> {
  try {
    const real = await realpath(path);
    return [(await lstat(real)).isDirectory() ? real : await realpath(dirname(path))];
  } catch {
    return [];
  }
}

/** The folder all of these are in. */
function commonFolder([first = "/", ...rest]: readonly string[]): string {
  let common = first;
  while (rest.some((folder) => !isInside(common, folder))) common = dirname(common);
  return common;
}

/** The collection whose root is nearest above a path; of equal roots the one named last. */
function deepest(collections: readonly Collection[], path: string): Collection | undefined {
  return collections
    .filter(({ root }) => isInside(root, path))
    .reduce<Collection | undefined>(
      (best, one) => (best === undefined || one.root.length > best.root.length ? one : best),
      undefined,
    );
}

async function usualCollection(choice: CollectionChoice, folder: string): Promise<Collection> {
  const known = deepest(choice.journal.collections(choice.shelf.server), folder);
  if (known !== undefined) return await stillThere(choice, known);
  const { folder: root, remote } = (await repositoryAbove(folder)) ?? { folder, remote: undefined };
  if (remote !== undefined) return await register(choice, { name: remote, root, remote });
  const name = ownName(root, choice.machine ?? hostname());
  if (choice.isPassing === true) {
    choice.say(
      `${root} is no clone of a repository, so what it is sent as (collection ${name}) is made from its path and this machine's name. Name it with --collection NAME where the next run is on another machine: else its documents are added again.`,
    );
  }
  return await register(choice, { name, root });
}

/** The collection, unless another repository lies in its place now: its files would replace what the former one sent. */
async function stillThere(choice: CollectionChoice, known: Collection): Promise<Collection> {
  const now = known.remote === undefined ? undefined : await repositoryAbove(known.root);
  if (now?.remote === undefined || now.folder !== known.root || now.remote === known.remote) return known;
  if (choice.takeOver !== true) throw otherRepository(known, now.remote);
  const goesOn = { ...known, remote: now.remote };
  choice.journal.addCollection(choice.shelf.server, goesOn);
  return goesOn;
}

function otherRepository({ name, root, remote = name }: Collection, now: string): UsageError {
  return new UsageError(
    `Nothing was sent: ${root} was the repository ${remote} and is ${now} now. Its files would replace the documents of collection ${name}.`,
    "Give this repository a name of its own with --collection NAME. Where it is the same one, renamed, add --take-over.",
  );
}

async function namedCollection(
  choice: CollectionChoice,
  name: string,
  folder: string,
  usualRoot: string,
): Promise<Collection> {
  const collections = choice.journal.collections(choice.shelf.server);
  const known = collections.find((one) => one.name === name);
  if (known !== undefined && isInside(known.root, folder)) return known;
  const other = deepest(collections, usualRoot);
  if (known === undefined && other?.root === usualRoot) {
    choice.say(
      `What was sent from ${usualRoot} as collection ${other.name} stays there beside it, and is kept up no more.`,
    );
  }
  return await register(choice, { name, root: usualRoot });
}

async function register(choice: CollectionChoice, collection: Collection): Promise<Collection> {
  const { journal, shelf } = choice;
  const known = journal.collections(shelf.server).find(({ name }) => name === collection.name);
  if (known !== undefined) {
    if ((await isThere(known.root)) && choice.takeOver !== true) throw heldElsewhere(known, collection);
    choice.say(`Collection ${collection.name} lies in ${collection.root} from now on; before, in ${known.root}.`);
  }
  journal.addCollection(shelf.server, collection);
  return collection;
}

async function isThere(folder: string): Promise<boolean> {
  return await lstat(folder).then(
    () => true,
    (error: unknown) => codeOf(error) !== "ENOENT",
  );
}

function heldElsewhere(known: Collection, wanted: Collection): UsageError {
  return new UsageError(
    `Nothing was sent: the ids of collection ${known.name} belong to ${known.root}, and files of ${wanted.root} would replace its documents.`,
    "Give this folder a name of its own with --collection NAME. Where it is the same collection in another place, add --take-over.",
  );
}

/** A name that no other folder has: the folder's own, and what tells its path and this machine from all others. */
function ownName(root: string, machine: string): string {
  const mark = createHash("sha256")
    .update(JSON.stringify([machine, root]))
    .digest("hex")
    .slice(0, 10);
  return `${basename(root) || "root"}-${mark}`;
}

/** Throws UsageError for what cannot be a collection's name. */
export function parseCollection(text: string): string {
  const name = text.trim();
  if (/^(?:export|site):/.test(name)) {
    throw new UsageError(
      `"${name}" begins as the names do that sites and exports have. Call the collection otherwise.`,
    );
  }
  if (/^[^\p{C}]{1,100}$/u.test(name)) return name;
  throw new UsageError("A collection's name has 1 to 100 characters, and no control characters.");
}

// ── Repositories ────────────────────────────────────────────────────────────────────────────────────────────────

interface Repository {
  readonly folder: string;
  /** Its remote without protocol and credentials, such as `git.example.com/team/handbook`; the same for every clone. */
  readonly remote: string | undefined;
}

async function repositoryAbove(folder: string): Promise<Repository | undefined> {
  for (let at = folder; ; at = dirname(at)) {
    const place = await gitFolder(join(at, ".git"));
    if (place !== undefined) {
      const config = await readFile(join(place, "config"), "utf8").catch(() => "");
      return { folder: at, remote: remoteIn(config) };
    }
    if (dirname(at) === at) return undefined;
  }
}

/** Where a repository's settings lie: in `.git`, or where the file `.git` of a second working tree or a submodule points. */
async function gitFolder(path: string): Promise<string | undefined> {
  const kind = await lstat(path).catch(() => undefined);
  if (kind?.isDirectory() === true) return path;
  if (kind?.isFile() !== true) return undefined;
  const pointed = /^gitdir: (.+)$/m.exec(await readFile(path, "utf8").catch(() => ""))?.[1];
  if (pointed === undefined) return undefined;
  const own = resolve(dirname(path), pointed.trim());
  const shared = await readFile(join(own, "commondir"), "utf8").catch(() => ".");
  return resolve(own, shared.trim());
}

/** The remote `origin`, else the first. Read from the file: to run git in a stranger's folder can run what lies there. */
function remoteIn(config: string): string | undefined {
  const remotes = [...config.matchAll(/^\s*\[remote "([^"\n]*)"\]\s*$([^[]*)/gm)].map(([, name, body = ""]) => ({
    name,
    url: /^\s*url\s*=\s*(.+?)\s*$/m.exec(body)?.[1],
  }));
  const remote = remotes.find(({ name }) => name === "origin") ?? remotes[0];
  return remote?.url === undefined ? undefined : remoteName(remote.url);
}

/** `git@host:team/x.git`, `https://user:key@host/team/x` and `ssh://git@host:22/team/x.git` are one repository. */
function remoteName(url: string): string | undefined {
  const short = /^(?:[^@/\s]+@)?([\w.-]+):(?!\/\/)(.+)$/.exec(url);
  const parsed = URL.parse(url);
  const host = parsed?.hostname || short?.[1];
  const path = parsed?.hostname ? parsed.pathname : short?.[2];
  // A path on this machine names a repository only here.
  if (host === undefined || path === undefined || parsed?.protocol === "file:") return undefined;
  const name = `${host.toLowerCase()}/${path.replace(/^\/+|\/+$|\.git\/*$/g, "")}`;
  return /^[^\p{C}\s]{3,100}$/u.test(name) ? name : undefined;
}
