import { takeBudget } from "../rules/budgets.ts";
import { decide, type Decision } from "../rules/rules.ts";
import { situationOf, threadFacts } from "../rules/situation.ts";
import { dateMarkup } from "../slack/render/sources.ts";
import type { Surroundings } from "./surroundings.ts";
import { askedMark, isDirect } from "./question.ts";
import type { Turn } from "./turn.ts";

/**
 * What the rules say of a question, from what is looked up now; told in its trace. `again`: right before its answer is
 * shown for good; the trace is left to the caller.
 */
export async function decisionFor(turn: Turn, surroundings: Surroundings, again = false): Promise<Decision> {
  const { context, question } = turn;
  // A message's own event told whether its channel is shared; everything else comes without a word of that.
  const fresh = again || !question.isMessage || question.again !== undefined || question.shares !== undefined;
  const own =
    question.again !== undefined || (await context.store.conversations.get(askedMark(question))) !== undefined;
  const thread = question.inThread
    ? threadFacts(surroundings.thread.before, question, { self: context.self.userId, own })
    : undefined;
  const { text = question.text, files = question.files } = surroundings.message ?? {};
  const situation = await situationOf(context, { ...question, text, files: [...files] }, { thread, fresh });
  const decision = decide(context.rules(), situation);
  if (!again) for (const words of decision.trace) await turn.note(words);
  return decision;
}

/** Why an answer may not stand there: a channel can be shared with another company meanwhile (docs/threats.md, T15). */
export async function whyUnwelcome(turn: Turn, surroundings: Surroundings): Promise<string | undefined> {
  if (isDirect(turn.question)) return undefined;
  const still = await decisionFor(turn, surroundings, true);
  if (still.kind === "answer") return undefined;
  for (const words of still.trace) await turn.note(words);
  return still.kind === "refuse" ? still.words : "I may no longer answer here.";
}

/** Words for why it must wait, where a budget is used up. Each question is counted once, however often it is begun. */
export async function whyOverBudget(turn: Turn): Promise<string | undefined> {
  const { context, question, progress } = turn;
  if (progress.counted === true) return undefined;
  const { store, config, now } = context;
  const allowance = await takeBudget(
    { store, limits: config.limits, now: now() },
    { ...question, direct: isDirect(question), byProgram: question.botId !== undefined },
  );
  if (allowance.allowed) {
    await turn.save({ counted: true });
    return undefined;
  }
  const whose = {
    user: "You have asked as many questions as one person may for now",
    channel: "This channel has asked as many questions as it may for now",
    workspace: "This workspace has asked as many questions as it may for now",
    threadLoop: "I have answered an app here as often as I may for now",
    channelLoop: "I have answered apps in this channel as often as I may for now",
  }[allowance.which];
  await turn.note(`The budget \`${allowance.which}\` is used up.`);
  return `${whose}. Ask again after ${dateMarkup(new Date(allowance.resetAt).toISOString()) ?? "a while"}.`;
}

/** Characters of a question; more is material, and goes better as a file. */
const MAX_CHARACTERS = 16_000;
const TOO_LONG =
  "That is longer than a question can be (16,000 characters). Attach the long part as a text file, and ask about it in a sentence.";

/** Words for why a question cannot be asked as it is. */
export async function whyTooLong(turn: Turn, { message }: Surroundings): Promise<string | undefined> {
  if ((message?.text.length ?? 0) <= MAX_CHARACTERS) return undefined;
  await turn.note("The question is too long.");
  return TOO_LONG;
}
