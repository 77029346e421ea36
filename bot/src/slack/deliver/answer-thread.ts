import { type Destination, type SlackCall, SlackCalls } from "../transport/calls.ts";
import { delay, machineClock } from "../transport/clock.ts";
import type { OwnMessage } from "../transport/reconcile.ts";
import { PlaceGone, Unreachable } from "../transport/refusals.ts";
import type { DeliveryDeps } from "./delivery-seam.ts";

/** How long the platform is waited for, milliseconds. */
const PATIENCE_MS = 120_000;

/** The thread of an answer, to look at and to put right; for whoever neither shows nor ends the answer. */
export class AnswerThread {
  readonly #calls: SlackCalls;
  readonly #until = machineClock.now() + PATIENCE_MS;

  constructor(
    place: Destination,
    { clients, pacer, self, hold }: Pick<DeliveryDeps, "clients" | "pacer" | "self"> & { hold: () => Promise<void> },
  ) {
    const leaving = new AbortController().signal;
    this.#calls = new SlackCalls(place, { clients, pacer, self, run: "", guard: hold, leaving, touched: () => {} });
  }

  /**
   * The bot's messages since the question; none where they cannot be read.
   * @throws {PlaceGone} {WorkspaceRevoked} {Unreachable}
   */
  async own(): Promise<readonly OwnMessage[]> {
    for (let tries = 0; ; tries += 1) {
      const reply = await this.#calls.perform({ do: "read" }, this.#until);
      if (reply.type === "read") return reply.messages ?? [];
      if (reply.type === "done") return [];
      if (reply.refusal.kind === "gone") throw new PlaceGone(reply.refusal.code);
      if (reply.refusal.kind !== "lost") return [];
      if (machineClock.now() >= this.#until) throw new Unreachable("conversations.replies");
      await delay(machineClock, Math.min(8000, 250 * 2 ** tries));
    }
  }

  /** Makes a call that does not matter when it is refused. Throws what the guard throws. */
  async attempt(call: SlackCall): Promise<void> {
    await this.#calls.perform(call, this.#until);
  }
}
