/** A text being written into an element. */
export interface Live {
  /** Takes a piece; what shows every piece at once does it here. */
  take(piece: string): void;
  /** Shows what has come. */
  show(): void;
  end(): void;
  remove(): void;
  /** Resolves when the page has had a turn; for who does a part of its work there. */
  turn?(): Promise<void>;
}

/** What `peers/writers.ts` puts into the page: the libraries, each in its own words. */
export interface PeerWriters {
  sanitize(html: string): string;
  streamingMarkdown(place: HTMLElement): Live;
  /** Renders the whole text each time. */
  streamdown(place: HTMLElement): { render(text: string): void; remove(): void };
  /** Parses alone, and shows nothing. */
  incremark(): { append(text: string): unknown; finalize(): unknown };
}
