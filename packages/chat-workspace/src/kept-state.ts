import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { deserialize, serialize } from "node:v8";
import type { KeptState, State } from "./state.ts";

/** Written at most this often, milliseconds. */
const WRITE_EVERY_MS = 500;

/** What a file keeps; undefined when there is none. Throws an Error that names the file when it cannot be read. */
export function readKept(file: string): KeptState | undefined {
  try {
    return deserialize(readFileSync(file)) as KeptState;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw new Error(`The chat workspace's file ${file} cannot be read. Delete it to begin a new workspace.`, {
      cause: error,
    });
  }
}

/** Writes the state down after its changes, whole each time and never half. The returned function writes and ends that. */
export function followState(state: State, file: string): () => void {
  let timer: NodeJS.Timeout | undefined;
  const write = (): void => {
    clearTimeout(timer);
    timer = undefined;
    const draft = `${file}.draft`;
    writeFileSync(draft, serialize(state.kept), { mode: 0o600 });
    renameSync(draft, file);
  };
  const unfollow = state.onChange(() => (timer ??= setTimeout(write, WRITE_EVERY_MS)));
  write();
  return () => {
    unfollow();
    write();
  };
}
