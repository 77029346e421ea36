import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

interface OlderStore {
  readonly keyPath?: string;
  readonly index?: string;
  readonly multiEntry?: boolean;
  readonly records: readonly (readonly [IDBValidKey | null, unknown])[];
}

/** What an older version of the extension left on the disk. */
interface OlderDisk {
  readonly local: Record<string, unknown>;
  readonly databases: readonly {
    readonly name: string;
    readonly version: number;
    readonly stores: Record<string, OlderStore>;
  }[];
}

/** What version 0.1.0 left of a person who asked, kept a page and has another one waiting, with the service it is for. */
export function diskOf010(service: string): OlderDisk {
  const text = readFileSync(join(import.meta.dirname, "fixtures/disk-0.1.0.json"), "utf8");
  return JSON.parse(text.replaceAll("SERVICE", service)) as OlderDisk;
}

/** Gives the extension that version in its folder: the browser takes the next start for an update, or a first installation. */
export function setVersion(folder: string, version: string): void {
  const manifest = join(folder, "manifest.json");
  writeFileSync(manifest, readFileSync(manifest, "utf8").replace(/"version":"[^"]+"/, `"version":"${version}"`));
}

/** A worker or a page of the extension, in whichever browser. */
interface Owner {
  evaluate(work: (text: string) => Promise<void>, text: string): Promise<void>;
}

/** Puts all of it into a browser in place of what is there, as that version would have: with its stores, of its version. */
export async function putDisk(owner: Owner, disk: OlderDisk): Promise<void> {
  await owner.evaluate(async (text) => {
    const { local, databases } = JSON.parse(text) as OlderDisk;
    const { chrome } = globalThis as unknown as {
      chrome: { storage: { local: { set(values: object): Promise<void> } } };
    };
    await chrome.storage.local.set(local);
    for (const { name, version, stores } of databases) {
      await new Promise<void>((resolve, reject) => {
        // Both are waiting in the database's queue at once, so that the extension, which runs, does not come between them
        // and make one of today's version.
        const deleting = indexedDB.deleteDatabase(name);
        deleting.addEventListener("error", () => reject(deleting.error));
        const opening = indexedDB.open(name, version);
        opening.addEventListener("error", () => reject(opening.error));
        opening.addEventListener("upgradeneeded", () => {
          for (const [store, { keyPath, index, multiEntry }] of Object.entries(stores)) {
            const made = opening.result.createObjectStore(store, keyPath === undefined ? {} : { keyPath });
            if (index !== undefined) made.createIndex(index, index, { multiEntry: multiEntry === true });
          }
        });
        opening.addEventListener("success", () => {
          const writing = opening.result.transaction(Object.keys(stores), "readwrite");
          for (const [store, { records }] of Object.entries(stores)) {
            for (const [key, value] of records) writing.objectStore(store).put(value, key ?? undefined);
          }
          writing.addEventListener("complete", () => {
            opening.result.close();
            resolve();
          });
          writing.addEventListener("abort", () => reject(writing.error));
        });
      });
    }
  }, JSON.stringify(disk));
}
