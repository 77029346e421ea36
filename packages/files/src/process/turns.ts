/** What waits, by person. Whoever has waited longest since their last turn is next, however much others have waiting. */
export class Turns<Waiting> {
  /** In the order of turns. */
  readonly #waiting = new Map<string, Waiting[]>();

  /** Puts something at the end of a person's own line. */
  add(person: string, waiting: Waiting): void {
    const line = this.#waiting.get(person);
    if (line === undefined) this.#waiting.set(person, [waiting]);
    else line.push(waiting);
  }

  /** Takes what is next among the people for whom `may` is true. */
  next(may: (person: string) => boolean): Waiting | undefined {
    for (const [person, line] of this.#waiting) {
      if (!may(person)) continue;
      const first = line.shift();
      // Behind everybody who waits now.
      this.#waiting.delete(person);
      if (line.length > 0) this.#waiting.set(person, line);
      return first;
    }
    return undefined;
  }

  /** Takes one out that nobody waits for any more. */
  remove(person: string, waiting: Waiting): void {
    const line = this.#waiting.get(person)?.filter((one) => one !== waiting) ?? [];
    if (line.length === 0) this.#waiting.delete(person);
    else this.#waiting.set(person, line);
  }

  /** Takes everything out. */
  clear(): Waiting[] {
    const all = [...this.#waiting.values()].flat();
    this.#waiting.clear();
    return all;
  }
}
