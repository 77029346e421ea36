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
  #waiting = new Set<() => void>();

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

  /** Resolves when something has changed: a line, the end, a wish to stop. */
  changed(): { happened: Promise<void>; forget: () => void } {
    let wake = () => {};
    const happened = new Promise<void>((resolve) => {
      wake = () => {
        this.#waiting.delete(wake);
        resolve();
      };
      this.#waiting.add(wake);
    });
    return { happened, forget: () => this.#waiting.delete(wake) };
  }

  /** Waits for this inside the run. Throws when the run is stopped or dies meanwhile. */
  async wait(something: Promise<unknown>): Promise<void> {
    const settled = Symbol("settled");
    const settling = something.then(
      () => settled,
      () => settled,
    );
    for (;;) {
      this.check();
      const change = this.changed();
      const first = await Promise.race([settling, change.happened]);
      change.forget();
      if (first === settled) break;
    }
    this.check();
  }

  /** Throws when the run is over already, or is to stop. */
  check(): void {
    if (this.stopped || this.state !== "running") throw new RunEnded();
  }

  #wake(): void {
    for (const wake of this.#waiting) wake();
  }
}

/** A pause that can be forgotten. */
export function pause(ms: number): { over: Promise<void>; forget: () => void } {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  return { over, forget: () => clearTimeout(timer) };
}
