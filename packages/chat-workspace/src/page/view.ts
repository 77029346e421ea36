/** What the viewer looks at; part of the page's address, so that reloading keeps it. */
export interface Place {
  readonly as?: string;
  readonly channel?: string;
  readonly thread?: string;
  /** The app's Home in place of a channel. */
  readonly home?: boolean;
  /** What is searched for, in place of a channel. */
  readonly search?: string;
}

/** What an address says one looks at. */
export function placeOf(words: URLSearchParams): Place {
  const said = (name: string): string | undefined => words.get(name) ?? undefined;
  return {
    as: said("as"),
    channel: said("channel"),
    thread: said("thread"),
    search: said("search"),
    home: words.has("home") || undefined,
  };
}

/** A place as an address has it. */
export function wordsOf(place: Place): string {
  const words = new URLSearchParams();
  for (const [name, value] of Object.entries(place)) if (value !== undefined) words.set(name, String(value));
  return words.toString();
}
