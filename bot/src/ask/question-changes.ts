/** Changes of the message of one question that is being answered. */
export class QuestionChanges {
  /** Words of the answer are shown. */
  isShown = false;
  #controller = new AbortController();

  /** From now on; the signal is aborted by a change that counts. */
  begin(): AbortSignal {
    this.#controller = new AbortController();
    return this.#controller.signal;
  }

  /** Whether one came since {@link begin} that counts: a deletion at any time, an edit until the first words are shown. */
  get happened(): boolean {
    return this.#controller.signal.aborted;
  }

  hear(change: "edited" | "deleted"): void {
    if (change === "deleted" || !this.isShown) this.#controller.abort();
  }
}

/**
 * The questions this process is at, by the key of their task: who edits or deletes one is heard here. Another process's
 * turns do not hear of it: their answer is to what was asked.
 */
export type Turns = Map<string, QuestionChanges>;
