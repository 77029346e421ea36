import { UsageError } from "../../exit-codes.ts";
import type { Terminal } from "../../terminal/output.ts";
import type { Gathered, Sources } from "../gathering/gathering.ts";
import { Selecting } from "../gathering/selection.ts";
import type { ExportKind, ExportReader } from "./export-kinds.ts";
import { closeAll, openExports } from "./files/open-export.ts";

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
    const reading = await read(opened, {
      takes: (name) => selecting.takes({ place: name, name }, false, []),
      journal: sources.journal,
      shelf: sources.shelf,
      instance: sources.instance,
      linkBase: sources.linkBase === undefined ? undefined : webAddress(sources.linkBase),
      collection: sources.collection === undefined ? undefined : collectionName(sources.collection),
      includePrivate,
      ownApp,
      signal: terminal.interrupted,
    });
    const refused = opened.flatMap((one) => one.refused);
    return {
      candidates: (async function* () {
        yield* refused;
        yield* reading.candidates();
      })(),
      collections: opened.map(({ root }) => ({ name: reading.collection, root })),
      involved: [],
      folders: [],
      seen: new Map(),
      said: reading.said,
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
