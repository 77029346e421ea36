import { dataFiles, runningIn } from "../embedded/embedded.ts";
import { startServing } from "../embedded/serving.ts";

/** What the first start is told. */
export interface FirstStart {
  /** Data folder; it exists. */
  readonly folder: string;
  /** Where everything is kept instead of in the folder. */
  readonly databaseUrl: string | undefined;
}

/** What it answers: the key it made, if it made one; that a service runs there; or what went wrong. */
export type FirstStarted =
  | { readonly key: string | null }
  | { readonly running: true }
  | { readonly problem: string; readonly kind: string };

// A process of its own, since root starts it as the service's account: whatever lies in that account's folder, nothing is
// read or written there with more rights than it has itself.
process.once("message", (told: FirstStart) => {
  void firstStart(told)
    .catch((error: unknown): FirstStarted => {
      if (!(error instanceof Error)) return { problem: String(error), kind: "Error" };
      return { problem: error.message, kind: error.name };
    })
    .then((said) => process.send?.(said, () => process.disconnect()));
});

/** Starts it for a moment, on a port nobody asks for: that makes the database and, where there was none, the owner's key. */
async function firstStart({ folder, databaseUrl }: FirstStart): Promise<FirstStarted> {
  if ((await runningIn(dataFiles(folder))) !== undefined) return { running: true };
  const { firstStart: isFirst, apiKey, close } = await startServing({ folder, databaseUrl, port: 0 });
  await close();
  return { key: isFirst ? (apiKey ?? null) : null };
}
