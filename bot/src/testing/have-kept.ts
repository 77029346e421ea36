import { setTimeout as pause } from "node:timers/promises";
import type { Message, Person, Workspace } from "@threadlore/chat-workspace";
import { buttonOf } from "./buttons.ts";

/** A thread. */
interface Thread {
  readonly channel: string;
  readonly ts: string;
}

/** Who wants a person below an answer, who replies, and what. */
interface People {
  readonly asker: Person;
  readonly helper: Person;
  readonly reply: string;
}

/**
 * The way from an answer to a kept one: its asker wants a person, the helper replies and has it kept, and the asker is told. Each
 * does so as soon as the bot lets them, and presses again where nothing came of it.
 */
export async function haveKept(workspace: Workspace, { asker, helper, reply }: People, thread: Thread): Promise<void> {
  const { channel, ts } = thread;
  const messages = (): readonly Message[] => workspace.messages(channel, ts);
  const answer = await found(workspace, () => messages().find((one) => buttonOf(one, "answer_human") !== undefined));
  const isCalled = (): boolean => messages().some(({ text }) => text.includes("needs a person"));
  await pressUntil(isCalled, () =>
    asker.press({ channel, ts: answer.ts }, "answer_human", buttonOf(answer, "answer_human")),
  );
  await helper.say(channel, reply, { threadTs: ts });
  const call = await found(workspace, () => messages().find((one) => buttonOf(one, "help_keep_0") !== undefined));
  const isKept = (): boolean => messages().some(({ shown }) => /Answered by|being kept/.test(shown));
  await pressUntil(isKept, () => helper.press({ channel, ts: call.ts }, "help_keep_0", buttonOf(call, "help_keep_0")));
  await found(workspace, () => messages().find(({ text }) => text.includes("answered this")));
}

const found = <Thing>(workspace: Workspace, look: () => Thing | undefined): Promise<NonNullable<Thing>> =>
  workspace.until(look, 180_000) as Promise<NonNullable<Thing>>;

/** Presses, and presses again where nothing came of it: as people do while the app is away. */
async function pressUntil(isDone: () => boolean, press: () => Promise<void>): Promise<void> {
  while (!isDone()) {
    await press().catch(() => undefined);
    for (let waits = 0; waits < 30 && !isDone(); waits += 1) await pause(100);
  }
}
