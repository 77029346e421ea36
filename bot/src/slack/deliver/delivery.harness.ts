import { startWorkspace, type Message, type Workspace, type WorkspaceOptions } from "@threadlore/chat-workspace";

import { createClients } from "../transport/clients.ts";
import { Delivery, resumeDelivery } from "./delivery.ts";
import type { DeliveryDeps, Ending, Progress } from "./delivery-seam.ts";
import { type Clock, machineClock } from "../transport/clock.ts";
import { Pacer } from "../transport/pacing.ts";
import { type PaceLimits } from "../transport/stream-budget.ts";
import type { Piece, TaskCard } from "../render/pieces.ts";
import type { Destination } from "../transport/calls.ts";

/** A clock that stands still until it is moved. */
export interface HeldClock extends Clock {
  /** Moves on, and runs what became due, in order; a turn of the event loop is left to each. */
  move(ms: number): Promise<void>;
  /** How many timers wait. */
  readonly timers: number;
}

export function heldClock(start = 1_790_000_000_000): HeldClock {
  let now = start;
  const timers = new Set<{ at: number; run: () => void }>();
  return {
    now: () => now,
    after(ms, run) {
      const timer = { at: now + ms, run };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    async move(ms) {
      const end = now + ms;
      for (;;) {
        const [next] = [...timers].filter(({ at }) => at <= end).toSorted((one, other) => one.at - other.at);
        if (next === undefined) break;
        timers.delete(next);
        now = Math.max(now, next.at);
        next.run();
        await new Promise((resolve) => setImmediate(resolve));
      }
      now = end;
      await new Promise((resolve) => setImmediate(resolve));
    },
    get timers() {
      return timers.size;
    },
  };
}

/** A workspace with a question in it, and what a delivery of its answer needs. */
export interface Scene {
  readonly workspace: Workspace;
  readonly place: Destination;
  readonly deps: DeliveryDeps;
  /** Everything the journal was given, in order. */
  readonly journal: Progress[];
  readonly notes: string[];
  /** Scopes where streaming was switched off. */
  readonly off: Map<string, string>;
  /** Another question in another channel: its place, and deps with a task of its own. */
  another(): Promise<{ place: Destination; deps: DeliveryDeps }>;
  open(): Delivery;
  /** As a new process would: nothing is known but what the journal holds. */
  resume(): Promise<Delivery>;
  /** What the bot has in the thread, oldest first. */
  answers(): readonly Message[];
  /** How often a method was called. */
  count(method: string): number;
  /** What Slack would not have taken. */
  refusals(): readonly string[];
}

export interface SceneOptions {
  readonly workspace?: WorkspaceOptions;
  readonly clock?: Clock;
  readonly pace?: Partial<PaceLimits>;
  readonly deps?: Partial<DeliveryDeps>;
  readonly timeoutMs?: number;
  readonly private?: boolean;
}

let tasks = 0;

export async function openScene(options: SceneOptions = {}): Promise<Scene> {
  const workspace = await startWorkspace(options.workspace);
  const clock = options.clock ?? machineClock;
  const clients = createClients({
    botToken: workspace.credentials.botToken,
    slackApiUrl: workspace.slackApiUrl,
    timeoutMs: options.timeoutMs ?? 2000,
  });
  const pacer = new Pacer({
    clock,
    limits: {
      minFlushMs: 15,
      appendsPerMinute: 60_000,
      appendBurst: 100,
      startsPerMinute: 1000,
      postSpacingMs: 5,
      ...options.pace,
    },
  });
  const person = workspace.addUser({ name: "ada" });
  const journal: Progress[] = [];
  const notes: string[] = [];
  const off = new Map<string, string>();

  async function ask(): Promise<{ place: Destination; deps: DeliveryDeps }> {
    const channel = workspace.addChannel({ name: `harbour-${(tasks += 1)}`, members: [person.user.id], withApp: true });
    const ts = await person.say(channel.id, "When does the ferry leave?");
    const place: Destination = {
      team: workspace.team.id,
      channel: channel.id,
      threadTs: ts,
      questionTs: ts,
      recipientUserId: person.user.id,
      ...(options.private === true ? { private: true } : {}),
    };
    const deps: DeliveryDeps = {
      clients,
      pacer,
      clock,
      self: { userId: workspace.app.botUserId, botId: workspace.app.botId },
      taskId: `TASK${tasks}`,
      async save(progress) {
        journal.push(structuredClone(progress));
      },
      streamingOff: {
        has: async (scope) => off.has(scope),
        set: async (scope, reason) => void off.set(scope, reason),
      },
      note: (words) => notes.push(words),
      settleMs: 30,
      patienceMs: 20_000,
      ...options.deps,
    };
    return { place, deps };
  }

  const { place, deps } = await ask();
  return {
    workspace,
    place,
    deps,
    journal,
    notes,
    off,
    another: ask,
    open: () => new Delivery(place, deps),
    resume: () => resumeDelivery(place, journal.at(-1) ?? { stage: "starting", messages: [] }, deps),
    answers: () =>
      workspace.messages(place.channel, place.threadTs).filter((message) => message.user === workspace.app.botUserId),
    count: (method) => workspace.calls.filter((call) => call.method === method).length,
    refusals: () => workspace.calls.flatMap((call) => call.refusals.map((words) => `${call.method}: ${words}`)),
  };
}

/** Paragraphs as pieces, each with a word in it that is nowhere else. */
export function paragraphs(count: number, words = 12): Piece[] {
  return Array.from({ length: count }, (_, index) => ({
    kind: "text",
    text: `${`Paragraph${index}x`} ${"berth tide ferry ".repeat(Math.ceil(words / 3)).trim()}.\n\n`,
    after: "block",
  }));
}

/** What the bot shows in the thread, as a reader sees it. */
export function shownText(scene: Scene): string {
  return scene
    .answers()
    .map(({ shown }) => shown)
    .join("\n");
}

/** The numbers 0 to count - 1. */
export const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

/** Shows the pieces one by one, each once the one before it can be seen. */
export async function grow(
  scene: Scene,
  delivery: Delivery,
  pieces: readonly Piece[],
  to = pieces.length,
): Promise<void> {
  for (let count = 1; count <= to; count += 1) {
    delivery.show({ cards: [], pieces: pieces.slice(0, count) });
    await scene.workspace.until(() => paragraphNumbers(shownText(scene)).includes(count - 1));
  }
}

/** The numbers of the paragraphs in a text, in order. */
export function paragraphNumbers(text: string): number[] {
  return [...text.matchAll(/Paragraph(\d+)x/g)].map(([, number]) => Number(number));
}

export function card(id: string, status: TaskCard["status"] = "in_progress", title = `Step ${id}`): TaskCard {
  return { id, title, status };
}

/** An ending whose messages are its pieces, a few per message. */
export function ending(pieces: readonly Piece[], more: Partial<Ending> = {}): Ending {
  const texts: string[] = [];
  for (const piece of pieces) {
    const text = piece.kind === "code" ? `\`\`\`\n${piece.code}\n\`\`\`\n\n` : piece.text;
    const last = texts.at(-1);
    if (last === undefined || last.length + text.length > 8000) texts.push(text);
    else texts.splice(-1, 1, last + text);
  }
  const closing = [{ type: "context", elements: [{ type: "mrkdwn", text: "Sources: none" }] }];
  return {
    cards: [],
    pieces,
    closing,
    text: "An answer.",
    messages: () =>
      texts.map((text, index) => ({
        text: "An answer.",
        blocks: [{ type: "markdown", text }, ...(index === texts.length - 1 ? closing : [])],
      })),
    plain: () => texts.flatMap((text) => text.split(/(?<=\n\n)/)).map((text) => ({ text })),
    ...more,
  };
}
