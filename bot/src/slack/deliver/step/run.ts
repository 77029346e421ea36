import { methodOf, type SlackCall, type SlackReply } from "../../transport/calls.ts";
import { isOlder, type OwnMessage } from "../../transport/reconcile.ts";
import { PlaceGone, Unreachable } from "../../transport/refusals.ts";
import type { Progress } from "../delivery-seam.ts";
import { isLive, progressOf, streamedOf } from "./streamed.ts";
import type { Answered, Awaited, DeliveryState, Effect } from "./state.ts";

/**
 * Something a delivery does in one or more calls: yields what it waits for, and is resumed with what came of it. A script
 * reads nothing but the state and what it hears, so that, resumed with the same, it always comes to the same: `step` runs
 * it anew from its beginning each time.
 */
export type Script<Value = void> = Generator<Awaited, Value, Answered>;

/** A script under way: the state as it has changed it, and what it has to say to the outside. */
export class Run {
  state: DeliveryState;
  /** What is to be done outside since it was resumed last. */
  effects: Effect[] = [];
  /** With what was heard last the span of patience was over. */
  isLate = false;

  constructor(state: DeliveryState) {
    this.state = state;
  }

  change(changed: Partial<DeliveryState>): void {
    this.state = { ...this.state, ...changed };
  }

  /** Adds to the decision trace. */
  note(words: string): void {
    this.effects.push({ do: "note", words });
  }

  /** What is shown, is shown at the end from now on. */
  quiet(why: string): void {
    const { tag, how } = this.state;
    const isStreamed = streamedOf(this.state).length > 0;
    this.change({ tag: isLive(this.state) ? "quiet" : tag, how: isStreamed ? how : "post" });
    this.note(`No streaming: ${why}.`);
  }

  *save(stage: Progress["stage"]): Script {
    yield { do: "save", progress: progressOf(this.state, stage) };
  }

  /** Makes a call until the platform answers, also that its place is no more. @throws {Unreachable} it does not. */
  *insist(call: SlackCall): Script<SlackReply> {
    for (let tries = 0; ; tries += 1) {
      const reply = yield call;
      if (reply.type !== "refused" || reply.refusal.kind !== "lost") return reply;
      yield* this.backOff(call, tries);
    }
  }

  *backOff(call: SlackCall, tries: number): Script {
    if (this.isLate) throw new Unreachable(methodOf(call));
    yield { do: "backOff", tries };
  }

  /** Makes a call the delivery cannot do without. @throws {PlaceGone} */
  *call(call: SlackCall): Script<SlackReply> {
    return orGone(yield call);
  }

  /** The bot's messages since the question, or the one with this ts; undefined where they cannot be read. */
  *read(ts?: string): Script<readonly OwnMessage[] | undefined> {
    const reply = orGone(yield* this.insist({ do: "read", ts }));
    if (reply.type === "done") return reply.messages;
    this.note(`The thread cannot be read (${reply.refusal.code}), so it is not known what arrived.`);
    return undefined;
  }

  /** A certain part of this answer, or a message of ours nobody knows of: a stream whose start was never answered. */
  *find(part?: number): Script<OwnMessage | undefined> {
    const { plan, shown } = this.state;
    return (yield* this.read())?.find(({ ts, mark, foreign }) => {
      if (part !== undefined) return mark?.task === plan.task && mark.part === part;
      return mark === undefined && !foreign && isOlder(shown.at(-1)?.ts ?? plan.questionTs, ts);
    });
  }

  /** As `find`, until it may be taken that the message never came to be. */
  *seek(part?: number): Script<OwnMessage | undefined> {
    const found = yield* this.find(part);
    if (found !== undefined) return found;
    // The second look is for what was still on its way inside the platform.
    yield { do: "settle" };
    return yield* this.find(part);
  }
}

/** @throws {PlaceGone} the platform says that the place or the message is no more. */
export function orGone(reply: SlackReply): SlackReply {
  if (reply.type === "refused" && reply.refusal.kind === "gone") throw new PlaceGone(reply.refusal.code);
  return reply;
}
