import { UsageError } from "../../exit-codes.ts";
import type { Terminal } from "../../terminal/output.ts";
import type { Gathered, Sources } from "../gathering/gathered.ts";
import { Selecting } from "../gathering/selection.ts";
import type { Comparing, ExportKind, ExportReader } from "./export-kinds.ts";
import { type ExportFile, TooLargeError } from "./files/export-files.ts";
import { closeAll, type OpenedExport, openExports } from "./files/open-export.ts";
import { vanishedParts } from "./vanished-parts.ts";

const READERS: Readonly<Record<ExportKind, () => Promise<ExportReader>>> = {
  slack: async () => (await import("./slack/slack-export.ts")).readSlackExport,
  confluence: async () => (await import("./confluence/confluence-export.ts")).readConfluenceExport,
  notion: async () => (await import("./notion/notion-export.ts")).readNotionExport,
};

/** Archives that lie in an export and are a part of it. */
const NESTED: Partial<Record<ExportKind, RegExp>> = {
  notion: /^[^/]*(?:ExportBlock|Export-|Part-\d+)[^/]*\.zip$/i,
};

/** An export and how it is taken. */
export interface ExportSources extends Omit<Sources, "export"> {
  readonly export: NonNullable<Sources["export"]>;
}

/** Everything of an export that is to be sent. Throws UsageError where it is not what it is said to be. */
export async function gatherExport(terminal: Terminal, sources: ExportSources): Promise<Gathered> {
  const { kind, includePrivate, ownApp } = sources.export;
  const selecting = new Selecting({ rules: sources.selection.rules, ignoreFiles: [] });
  if (kind === "confluence") (await import("./confluence/confluence-export.ts")).refuseOtherFormats(sources.paths);
  const opened = await openExports(terminal.folder, sources.paths, NESTED[kind]);
  try {
    const read = await READERS[kind]();
    const [seen, unread] = [new Set<string>(), new Set(opened.flatMap((one) => one.refused.map(({ name }) => name)))];
    const files = sources.sync ? opened.map((one) => watched(one, unread)) : opened;
    const reading = await read(files, {
      takes: (name) => selecting.takes({ place: name, name }, false, []),
      journal: sources.journal,
      shelf: sources.shelf,
      instance: sources.instance,
      linkBase: sources.linkBase === undefined ? undefined : webAddress(sources.linkBase),
      collection: sources.collection === undefined ? undefined : collectionName(sources.collection),
      includePrivate,
      ownApp,
      seen: sources.sync ? seen : { add: () => {} },
      signal: terminal.interrupted,
    });
    const { comparing } = reading;
    if (sources.sync) refuseOthers(comparing, sources);
    const refused = opened.flatMap((one) => one.refused);
    return {
      candidates: (async function* () {
        yield* refused;
        yield* reading.candidates();
      })(),
      collections: opened.map(({ root }) => ({ name: reading.collection, root })),
      said: reading.said,
      compare: async (scope) => vanishedParts({ ...comparing, seen, unread }, scope),
      leftOut: reading.leftOut,
      count: async (signal) => {
        const { count, bytes } = await reading.count(signal);
        return { count: count + refused.length, bytes };
      },
      close: () => closeAll(opened),
    };
  } catch (error) {
    await closeAll(opened);
    throw error;
  }
}

/** Before anything is sent: what another export brought would stand beside what was sent before, and pass for a part of it. */
function refuseOthers(
  { unclear, collections, mayHold }: Comparing,
  { journal, shelf, allowEmpty }: ExportSources,
): void {
  if (unclear !== undefined) throw new UsageError(`Nothing was sent: ${unclear}`);
  const sent = collections.flatMap((collection) => [...journal.documentsOf(shelf, collection)]);
  if (allowEmpty || sent.length === 0 || sent.some(([id]) => mayHold(id))) return;
  throw new UsageError(
    `Nothing was sent or deleted: nothing of the ${sent.length} documents that were sent before is in this export. One of another place, or of other pages, looks like that. If they are to be deleted, add --allow-empty.`,
  );
}

/** The same export, and note is taken of what of it cannot be read: it may be damaged, and nobody knows what else is. */
function watched(one: OpenedExport, unread: Set<string>): OpenedExport {
  const files = one.files.map((file): ExportFile => {
    const read = (most: number) =>
      file.read(most).catch((error: unknown) => {
        if (!(error instanceof TooLargeError)) unread.add(file.path);
        throw error;
      });
    return { ...file, read };
  });
  return { ...one, files };
}

function webAddress(address: string): string {
  const url = URL.parse(address);
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== "" || url.hash !== "") {
    throw new UsageError(`--link-base takes the web address of the workspace or wiki, not "${address}".`);
  }
  return url.href.replace(/\/+$/, "");
}

/** It stands in ids, which hold letters, digits and `_.-` only. */
function collectionName(name: string): string {
  if (/^[\w.-]{1,60}$/.test(name)) return name;
  throw new UsageError(
    `With --export the name of --collection stands in the ids of the documents: letters, digits and _.- only, at most 60, not "${name}".`,
  );
}
