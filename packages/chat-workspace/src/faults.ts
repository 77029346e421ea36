/** What befalls one call. */
export type Fault =
  | { readonly kind: "rateLimit"; readonly retryAfterS: number }
  | { readonly kind: "fail"; readonly status: number }
  | { readonly kind: "refuse"; readonly error: string; readonly fields: Readonly<Record<string, unknown>> }
  | { readonly kind: "dropResponse" }
  | { readonly kind: "delay"; readonly ms: number; readonly before: boolean };

interface Planned {
  readonly method: string;
  readonly fault: Fault;
  left: number;
}

/** Faults of calls that are not spent, in the order they were planned. */
export class FaultBook {
  #planned: Planned[] = [];

  /** Plans a fault for the next calls of a method, `*`: of any. */
  plan(method: string, fault: Fault, times = 1): void {
    this.#planned.push({ method, fault, left: times });
  }

  /** The fault of a call, spent with that. */
  take(method: string): Fault | undefined {
    const found = this.#planned.find((one) => one.method === method || one.method === "*");
    if (found === undefined) return undefined;
    found.left -= 1;
    if (found.left <= 0) this.#planned = this.#planned.filter((one) => one !== found);
    return found.fault;
  }

  /** Takes all back. */
  clear(): void {
    this.#planned = [];
  }
}
