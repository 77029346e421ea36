import type { ReaderPoolOptions } from "./pool-options.ts";
import { ReadingError } from "./reading-error.ts";

/** How much may wait at one time. */
type RoomLimits = Required<Pick<ReaderPoolOptions, "placesPerPerson" | "bytesPerPerson" | "bytes">>;

interface Share {
  places: number;
  bytes: number;
}

/** What is held in memory until it is read: each person has a share of it, and no share takes all. */
export class Room {
  readonly #limits: RoomLimits;
  readonly #shares = new Map<string, Share>();
  #bytes = 0;

  constructor(limits: RoomLimits) {
    this.#limits = limits;
  }

  /** Takes a place, and answers how to give it back. Throws ReadingError `crowded` and `full`. */
  take(person: string, bytes: number): () => void {
    const share = this.#shares.get(person) ?? { places: 0, bytes: 0 };
    const { placesPerPerson, bytesPerPerson, bytes: most } = this.#limits;
    const isFirst = share.places === 0;
    if (share.places >= placesPerPerson || (!isFirst && share.bytes + bytes > bytesPerPerson)) {
      throw new ReadingError("crowded");
    }
    if (this.#bytes > 0 && this.#bytes + bytes > most) throw new ReadingError("full");
    share.places++;
    share.bytes += bytes;
    this.#bytes += bytes;
    this.#shares.set(person, share);
    let given = false;
    return () => {
      if (given) return;
      given = true;
      share.places--;
      share.bytes -= bytes;
      this.#bytes -= bytes;
      if (share.places === 0) this.#shares.delete(person);
    };
  }
}
