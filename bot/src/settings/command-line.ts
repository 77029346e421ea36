import type { World } from "./environment.ts";

/** What a command runs in. */
export interface CommandIo extends World {
  /** What was asked for: the only thing on stdout. */
  out(text: string): void;
  /** Everything else. */
  err(text: string): void;
  /** One line from the person at the terminal; with `hidden`, nothing typed is shown. Absent: nobody is there. */
  readonly ask?: (question: string, options?: { readonly hidden?: boolean }) => Promise<string>;
  /** Aborted by Ctrl-C and SIGTERM. */
  readonly interrupted: AbortSignal;
}

/** What each exit code says. The README lists them. */
export const EXIT_CODES = {
  ok: 0,
  /** A mistake of this program. */
  unexpected: 1,
  /** Arguments, settings or the rules file need attention. */
  usage: 2,
  /** `doctor` found something to fix. */
  checkFailed: 11,
} as const;

/** Arguments that cannot be used. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** Errors that say in their own words what to do, by name: loading the classes would load the database every time. */
const EXPECTED: ReadonlySet<string> = new Set([
  "ConfigError",
  "RulesError",
  "ManifestError",
  "UsageError",
  "InstallError",
  "StoreError",
  "WorkspaceRevoked",
]);

/** Whether an error says in its own words what to do. */
export function isExpected(error: unknown): error is Error {
  return error instanceof Error && EXPECTED.has(error.name);
}

/** Says a failure on stderr, and gives its exit code. A stack only for what nobody expected. */
export function reportFailure(surroundings: CommandIo, error: unknown): number {
  if (isExpected(error)) {
    surroundings.err(`${error.message}\n`);
    return EXIT_CODES.usage;
  }
  surroundings.err(`threadlore-bot failed for a reason it did not expect. Please report this:\n`);
  surroundings.err(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  return EXIT_CODES.unexpected;
}
