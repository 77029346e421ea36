/** What can happen to a question's message while it is being answered. */
export type QuestionChange = "edited" | "deleted";

/** The turns this process is at, by the key of their task. */
export interface Turns {
  /** Hears of changes until the returned function is called. */
  watch(key: string, onChange: (change: QuestionChange) => void): () => void;
  /** The question's message was changed. Another process's turns do not hear of it: their answer is to what was asked. */
  changed(key: string, change: QuestionChange): void;
}

/** Makes {@link Turns}, empty. */
export function createTurns(): Turns {
  const watching = new Map<string, (change: QuestionChange) => void>();
  return {
    watch(key, onChange) {
      watching.set(key, onChange);
      return () => {
        if (watching.get(key) === onChange) watching.delete(key);
      };
    },
    changed(key, change) {
      watching.get(key)?.(change);
    },
  };
}
