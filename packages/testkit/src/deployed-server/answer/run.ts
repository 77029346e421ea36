import { wireJson } from "../../fixtures/wire-json.ts";

/** Thrown inside a run that was stopped or died while it waited. */
export class RunEnded extends Error {}

/**
 * An answer that is being written, and what was written of it. It belongs to the server, not to the connection that
 * asked: whoever reads it begins with its first line.
 */
export class Run {
  readonly lines: string[] = [];
  state: "running" | "ended" | "died" = "running";
  endedAt: number | undefined;
  /** Somebody asked to stop it. */
  stopped = false;
  #change = Promise.withResolvers<void>();

  /** Adds a line for everybody who reads. */
  write(value: unknown): void {
    this.writeText(`${typeof value === "string" ? value : wireJson(value)}\n`);
  }

  /** The same without a newline of its own. */
  writeText(text: string): void {
    if (this.state !== "running") return;
    this.lines.push(text);
    this.#wake();
  }

  end(how: "ended" | "died"): void {
    if (this.state !== "running") return;
    this.state = how;
    this.endedAt = performance.now();
    this.#wake();
  }

  stop(): void {
    if (this.state !== "running") return;
    this.stopped = true;
    this.#wake();
  }

  /** Resolves when something changes: a line, the end, a wish to stop. */
  get changed(): Promise<void> {
    return this.#change.promise;
  }

  /** Waits for this inside the run, whatever becomes of it. Throws when the run is stopped or dies meanwhile. */
  async wait(something: Promise<unknown>): Promise<void> {
    const settled = Promise.allSettled([something]);
    do this.check();
    while ((await Promise.race([settled, this.changed])) === undefined);
    this.check();
  }

  /** Throws when the run is over already, or is to stop. */
  check(): void {
    if (this.stopped || this.state !== "running") throw new RunEnded();
  }

  #wake(): void {
    this.#change.resolve();
    this.#change = Promise.withResolvers();
  }
}
