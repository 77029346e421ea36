/** Values in the browser's storage: in `local` until they are removed, in `session` as long as the browser runs. */
import { browser } from "wxt/browser";

/** What has changed in an area of the browser's storage, by key. */
type Changes = Readonly<Record<string, { readonly newValue?: unknown }>>;

/** Calls `changed` whenever anything in the browser's storage has changed, for as long as the caller lives. */
export function watchStorage(changed: (changes: Changes, area: string) => void): void {
  browser.storage.onChanged.addListener(changed);
}

interface Place {
  readonly area: "local" | "session";
  /** What its keys begin with. */
  readonly key: string;
}

/** Calls `listener` whenever something has changed in a slot, or on a shelf. */
export function watchPlace({ area, key }: Place, listener: () => void): void {
  watchStorage((changes, where) => {
    if (where === area && Object.keys(changes).some((changed) => changed.startsWith(key))) listener();
  });
}

/** The place of one value. */
export function slot<Value>(area: Place["area"], key: string) {
  return {
    area,
    key,
    /** Undefined: there is none. */
    read: async () => (await browser.storage[area].get(key))[key] as Value | undefined,
    write: (value: Value) => browser.storage[area].set({ [key]: value }),
    clear: () => browser.storage[area].remove(key),
  };
}

/** The place of many values in the browser's memory, whose keys begin with the same word. */
export function shelf<Held>(key: string) {
  return {
    area: "session" as const,
    key,
    async readAll(): Promise<Held[]> {
      const all = Object.entries(await browser.storage.session.get(null));
      return all.filter(([name]) => name.startsWith(key)).map(([, held]) => held as Held);
    },
    put: (id: string, held: Held) => browser.storage.session.set({ [key + id]: held }),
    remove: (...ids: readonly string[]) => browser.storage.session.remove(ids.map((id) => key + id)),
  };
}
