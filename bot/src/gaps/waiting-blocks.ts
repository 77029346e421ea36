import type { KnownBlock } from "@slack/types";
import type { BotContext, Register } from "../context.ts";
import { onPress } from "../ask/presses.ts";
import { section } from "../ask/block-kit.ts";
import { button } from "../slack/render/answer-actions.ts";
import { forgetAsker } from "./forget-questions.ts";
import { askerOf } from "./note-question.ts";

const FORGET = "gaps_forget";

/** What of somebody waits for an answer, for their Home: how much it is, and a way to have it forgotten. */
export async function waitingBlocks({ store, self }: BotContext, user: string): Promise<KnownBlock[]> {
  const waiting = (await store.waitingOf(askerOf({ team: self.teamId, user }))).filter(
    (one) => one.toldAt === undefined,
  );
  if (waiting.length === 0) return [];
  const count = waiting.length === 1 ? "One question of yours waits" : `${waiting.length} questions of yours wait`;
  const words = `${count} for an answer; you are told, where you asked, once somebody writes it down. ${FORGOTTEN}`;
  return [section(words), { type: "actions", elements: [button("Forget them", FORGET, "all")] }];
}

const FORGOTTEN = "Forgetting them takes them from the knowledge server, too, with good answers to questions of yours.";

/** Pressed on somebody's own Home. `again` publishes that anew. */
export function registerForget(again: (context: BotContext, user: string) => Promise<void>): Register {
  return (app, context) => {
    onPress(app, FORGET, ({ user }) =>
      context.later("forget questions", async () => {
        await forgetAsker(context, user);
        await again(context, user);
      }),
    );
  };
}
