import { lstat, realpath, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { UsageError } from "../../exit-codes.ts";
import { proxiedFor } from "../../server/going-out.ts";
import { oneLine, type Terminal } from "../../terminal/output.ts";
import type { CollectionChoice, Collections } from "../collections.ts";
import { type FoundFile, type Refusal, walkFiles, type WalkOptions } from "../file-walk.ts";
import { type Candidate, sentHash } from "../ingestion.ts";
import { exportHint } from "../exports/export-hint.ts";
import type { SiteOptions } from "../site/site.ts";
import type { FolderScope } from "../sync/vanished-files.ts";
import { together, type Vanishing } from "../sync/vanishing.ts";
import type { Gathered, Sources } from "./gathered.ts";

/** Whether a path on the command line is a web address. */
export const isAddress = (path: string): boolean => /^[a-z][a-z0-9+.-]*:\/\//i.test(path);

/** Finds what is to be sent. Throws UsageError before anything is sent where it is not clear what that is. */
export async function gather(terminal: Terminal, sources: Sources): Promise<Gathered> {
  if (sources.export !== undefined) {
    const { gatherExport } = await import("../exports/gather-export.ts");
    return await gatherExport(terminal, { ...sources, export: sources.export });
  }
  // Readers of PDF and HTML are loaded only for this command.
  const { fileCandidate, stdinCandidate, urlCandidate } = await import("../candidates.ts");
  const { chooseCollections, parseCollection } = await import("../collections.ts");
  const { paths, linkBase, journal, shelf } = sources;
  const files = paths.filter((path) => path !== "-" && !isAddress(path));
  const said: string[] = [];
  const choice: CollectionChoice = {
    journal,
    shelf,
    name: sources.collection === undefined ? undefined : parseCollection(sources.collection),
    takeOver: sources.takeOver,
    isPassing: isPassing(terminal.env),
    say: (line) => void said.push(oneLine(line)),
  };
  const places = files.map((path) => resolve(terminal.folder, path));
  for (const [index, place] of places.entries()) {
    const hint = await exportHint(place, files[index] ?? place);
    if (hint !== undefined) said.push(oneLine(hint));
  }
  const folders = (await Promise.all(places.map(folderAt))).flat();
  if (sources.sync && folders.length === 0 && sources.site === undefined) {
    throw new UsageError(
      "Nothing was sent: --sync compares a folder, a site or an export with what was sent from it, and nothing you named is a folder that is there.",
    );
  }
  const collections = await chooseCollections(choice, places);
  let leftOut = 0;
  const walk = (more: Partial<WalkOptions> = {}) =>
    walkFiles(files, {
      from: terminal.folder,
      followSymlinks: sources.followSymlinks,
      selection: sources.selection,
      topOf: collections.rootOf,
      ...more,
    });
  await decideFormer(choice, collections, walk(), linkBase);
  const typed = paths.includes("-") ? [stdinCandidate(await terminal.readStdinBytes(), sources.title)] : [];
  const addresses = paths.filter(isAddress);
  const { allowPrivate, site } = sources;
  const isProxied = proxiedFor(terminal);
  const sitePages = site && (await listSite({ ...site, allowPrivate, isProxied, signal: terminal.interrupted }));
  said.push(...(sitePages?.said ?? []));
  const others = typed.length + addresses.length + (sitePages?.candidates.length ?? 0);
  const seen = new Map<string, string>();
  const candidates = async function* (): AsyncGenerator<Candidate | Refusal> {
    for await (const found of walk({ onLeftOut: () => (leftOut += 1) })) {
      if ("reason" in found) {
        yield found;
        continue;
      }
      const identity = await collections.identify(found);
      const place = join(found.folder, found.name);
      const other = seen.get(identity.id);
      if (other !== undefined && other !== place) {
        yield { name: found.name, reason: `${SAME_NAME}, as ${other}. Rename one of them.` };
        continue;
      }
      seen.set(identity.id, place);
      yield fileCandidate(found, { linkBase, identify: async () => identity });
    }
    yield* typed;
    for (const address of addresses) yield urlCandidate(address, terminal.interrupted, { allowPrivate, isProxied });
    yield* sitePages?.candidates ?? [];
  };
  return {
    candidates: candidates(),
    collections: collections.all,
    said,
    compare: async (scope) => {
      const { involved } = collections;
      const lost = folders.length === 0 ? [] : [await lostFiles({ ...scope, collections: involved, folders, seen })];
      return together([...lost, ...(sitePages === undefined ? [] : [await sitePages.compare(scope)])]);
    },
    leftOut: () => leftOut + (sitePages?.leftOut ?? 0),
    count: (signal) => countFiles(walk({ trustsListing: true }), others, signal),
    close: async () => {},
  };
}

async function lostFiles(scope: Omit<FolderScope, "presences">): Promise<Vanishing> {
  const { vanishedFiles } = await import("../sync/vanished-files.ts");
  const { Presences } = await import("../sync/presence.ts");
  return await vanishedFiles({ ...scope, presences: new Presences() });
}

async function listSite(options: SiteOptions) {
  const { openSite } = await import("../site/site.ts");
  return await openSite(options);
}

const SAME_NAME = "its name differs from another one only in how its letters are put together (Unicode)";

async function folderAt(path: string): Promise<string[]> {
  try {
    const real = await realpath(path);
    return (await stat(real)).isDirectory() ? [real] : [];
  } catch {
    return [];
  }
}

/** Files whose size is looked at one by one; of those behind them one in so many stands for all. */
const MEASURED = { all: 1_000, oneIn: 16 };

/** Ends early, with what was counted, when the signal ends it. */
async function countFiles(files: AsyncIterable<FoundFile | Refusal>, others: number, signal: AbortSignal) {
  const total = { count: others, bytes: 0 };
  for await (const found of files) {
    if (signal.aborted) break;
    total.count += 1;
    const standsFor = total.count <= MEASURED.all ? 1 : MEASURED.oneIn;
    if (total.count % standsFor !== 0 || "reason" in found) continue;
    const { size } = await lstat(found.path).catch(() => ({ size: 0 }));
    total.bytes += size * standsFor;
  }
  return total;
}

/** On a machine of a pipeline or of a cluster. A container alone may be somebody's desk. */
function isPassing({ CI, KUBERNETES_SERVICE_HOST }: Terminal["env"]): boolean {
  return [CI, KUBERNETES_SERVICE_HOST].some((set) => set !== undefined && !/^(?:|0|no|false)$/i.test(set));
}

async function decideFormer(
  choice: CollectionChoice,
  collections: Collections,
  files: AsyncIterable<FoundFile | Refusal>,
  linkBase: string | undefined,
): Promise<void> {
  if (!choice.journal.hasUnnamed(choice.shelf)) return;
  const { fileCandidate } = await import("../candidates.ts");
  const { decideFormerIds } = await import("./former-ids.ts");
  await decideFormerIds(choice, collections, files, async (file) => {
    const read = await fileCandidate(file, { linkBase })
      .read()
      .catch(() => undefined);
    return read && sentHash(read.document);
  });
}
