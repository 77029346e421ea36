/** Changes of the message of one question that is being answered. */
export class QuestionChanges {
  /** What happened since {@link begin}: a deletion counts at any time, an edit until the first words are shown. */
  happened: "edited" | "deleted" | undefined;
  /** Words of the answer are shown. */
  isShown = false;
  #controller = new AbortController();

  /** From now on; the signal is aborted by a change that counts. */
  begin(): AbortSignal {
    this.happened = undefined;
    this.#controller = new AbortController();
    return this.#controller.signal;
  }

  tell(change: "edited" | "deleted"): void {
    if (change === "edited" && this.isShown) return;
    this.happened = change;
    this.#controller.abort();
  }
}

/** The questions this process is at, by the key of their task: who edits or deletes one tells it here. */
export class Turns {
  readonly #changes = new Map<string, QuestionChanges>();

  /** Does something with the changes of a question; they are heard of until it is done. */
  async during<Result>(key: string, work: (changes: QuestionChanges) => Promise<Result>): Promise<Result> {
    const changes = new QuestionChanges();
    this.#changes.set(key, changes);
    try {
      return await work(changes);
    } finally {
      if (this.#changes.get(key) === changes) this.#changes.delete(key);
    }
  }

  /** The question's message was changed. Another process's turns do not hear of it: their answer is to what was asked. */
  changed(key: string, change: "edited" | "deleted"): void {
    this.#changes.get(key)?.tell(change);
  }
}
