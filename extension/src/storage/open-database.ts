/** A database of the browser, opened when it is first needed and again after another window has closed it. */

/** The result of one request. */
export function settled<Result>(request: Pick<IDBRequest<Result>, "result" | "error"> & EventTarget): Promise<Result> {
  return new Promise((resolve, reject) => {
    request.addEventListener("success", () => resolve(request.result));
    request.addEventListener("error", () => reject(request.error ?? new Error("The browser's storage failed.")));
  });
}

/** Brings a database of any earlier version, 0 for none, to this one with everything that is in it. */
export type Upgrade = (request: IDBOpenDBRequest, from: number) => void;

/** Gives the open database. What it returns rejects when the browser cannot open it, and tries anew the next time. */
export function databaseOpener(name: string, version: number, upgrade: Upgrade): () => Promise<IDBDatabase> {
  let opened: Promise<IDBDatabase> | undefined;
  const forget = () => (opened = undefined);
  const connect = async () => {
    const request = indexedDB.open(name, version);
    request.addEventListener("upgradeneeded", ({ oldVersion }) => upgrade(request, oldVersion));
    const database = await settled(request);
    database.addEventListener("versionchange", () => {
      // Another window of a newer version waits for this; it opens again when it is needed.
      database.close();
      forget();
    });
    database.addEventListener("close", forget);
    return database;
  };
  return () =>
    (opened ??= connect().catch((error: unknown) => {
      forget();
      throw error;
    }));
}
