import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { type Bar, missedOf } from "../bars.ts";
import { columnsOf, type Group, type Outcome, type Row } from "../report.ts";
import { type RealPages, realPages } from "../scale/pages.ts";
import { filled } from "../scale/scale.ts";
import { withFolder } from "../with-folder.ts";
import { type Held, holdConnections } from "./connections.ts";

/** What a service takes by what it holds. */
export const DISK = "what is on the disk, by passages of prose, five to a document";
/** How much memory a service takes, by what holds it. */
export const MEMORY = "memory and connections";

const REFUSED = "questions refused";
const LOST = "connections lost";
const DISK_COLUMNS = columnsOf({
  "text MB": 1,
  "database MB": 1,
  "index MB": 1,
  "times the text": 2,
  "documents a GB": 0,
});
const MEMORY_COLUMNS = columnsOf({
  "MB started": 0,
  "MB connected": 0,
  "MB asked": 0,
  "questions answered": 0,
  [REFUSED]: 0,
  [LOST]: 0,
});

/** How much is measured: the published figures, or enough to see that the bench works. */
export interface CapacitySize {
  /** Where texts and questions come from. Default: what people wrote, see `realPages`. */
  readonly pagesOf?: (count: number) => Promise<Pick<RealPages, "pages" | "questions">>;
  readonly collections: readonly number[];
  readonly connections: number;
  readonly askers: number;
  readonly lastsMs: number;
}

/** What documents take on the disk, and what connections and askers take in memory; nobody may be refused. */
export function benchCapacity({ collections, pagesOf = realPages, ...crowd }: CapacitySize): Promise<Outcome> {
  return withFolder(async (folder) => {
    const disk: Row[] = [];
    const memory: Row[] = [];
    for (const passages of collections) {
      const database = join(folder, `${passages}.db`);
      const { pages, questions } = await pagesOf(passages);
      await filled(database, pages);
      const name = `${passages.toLocaleString("en")} passages`;
      disk.push({ name, ours: true, figures: onDisk(database, pages) });
      memory.push({ name, ours: true, figures: figuresOf(await holdConnections(database, questions, crowd)) });
    }
    const groups: Group[] = [
      { name: DISK, columns: DISK_COLUMNS, rows: disk },
      { name: `${MEMORY}: ${crowd.connections} open, ${crowd.askers} asking`, columns: MEMORY_COLUMNS, rows: memory },
    ];
    const bars: Bar[] = memory.flatMap(({ name: row }) =>
      [REFUSED, LOST].map((column) => ({ group: MEMORY, row, column, most: 0 })),
    );
    return { groups, missed: missedOf(groups, bars) };
  });
}

/** Of a service that has ended: its log is in the database. */
function onDisk(database: string, pages: readonly { readonly text: string }[]): Row["figures"] {
  const size = (path: string): number => (existsSync(path) ? statSync(path).size : 0) / 1e6;
  const text = pages.reduce((sum, page) => sum + Buffer.byteLength(page.text), 0) / 1e6;
  const [kept, index] = [size(database) + size(`${database}-wal`), size(`${database}.search.sqlite`)];
  return {
    "text MB": text,
    "database MB": kept,
    "index MB": index,
    "times the text": (kept + index) / text,
    "documents a GB": pages.length / 5 / ((kept + index) / 1_000),
  };
}

function figuresOf({ taken, answered, refused, lost }: Held): Row["figures"] {
  return {
    "MB started": taken.started,
    "MB connected": taken.connected,
    "MB asked": taken.asked,
    "questions answered": answered,
    [REFUSED]: refused,
    [LOST]: lost,
  };
}
