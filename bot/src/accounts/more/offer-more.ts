import { findPassages, type FoundPiece } from "@threadlore/ask";
import { AuthError, UnsupportedError } from "@threadlore/client";
import { taskKey } from "@threadlore/inbox";
import type { Attempt } from "../../ask/asking.ts";
import { onPress, pressedOn } from "../../ask/presses.ts";
import { acceptQuestion, isDirect, type QuestionBody } from "../../ask/question.ts";
import type { Turn } from "../../ask/turn.ts";
import type { Register } from "../../context.ts";
import { postEphemeral } from "../../post-message.ts";
import { button } from "../../slack/render/answer-actions.ts";
import { verbatim } from "../../slack/render/text-blocks.ts";
import { tellSeldom } from "../../tell.ts";
import { accountOf } from "../choose-key.ts";
import { isOwn } from "../question-key.ts";
import { isSame, type PublicKnowledge, publicKnowledge } from "./public-knowledge.ts";

/** `action_id` of the button. */
const MORE_ACTION = "answer_more_own";

/** So many of the best passages are looked at: what comes far behind answers nothing. */
const MAX_PIECES = 5;
/** How long an offer may take to find out, milliseconds; nobody waits for it. */
const PATIENCE_MS = 20_000;
const OFFERED_FOR_MS = 3_600_000;

/**
 * Below an answer for everybody: whoever asked is offered more, where their own account finds something that the place's key
 * does not see. Two searches, a third for each document that only the account found; no run of a model before somebody presses.
 * A server without a search of its own cannot tell, so nothing is offered.
 */
export async function offerMore(turn: Turn, attempt: Attempt, thread: string): Promise<void> {
  const { context, question, task } = turn;
  const { settings, server, material, key } = attempt;
  const isForAll = !isDirect(question) && !question.private && !isOwn(key);
  const isPerson = question.botId === undefined && question.user !== "";
  if (!isForAll || !isPerson || settings.own_account === "off") return;
  const { accounts, store, now, log } = context;
  const account = await accountOf(turn);
  if (account?.isGood !== true) return;
  const signal = AbortSignal.timeout(PATIENCE_MS);
  try {
    await accounts.admit(account.key, question.user);
    const own = await accounts.server(account.key, question.user);
    const { document_sets: documentSets, sources, persona } = settings;
    const wish = { query: material.message, documentSets, sources, persona, isLiteral: true };
    const known = publicKnowledge(server, settings, signal);
    const [theirs, all] = await Promise.all([
      findPassages(own, wish, { signal, isAsked: false }),
      known.search(material.message),
    ]);
    const more = theirs.pieces.slice(0, MAX_PIECES).filter((piece) => !all.some((one) => isSame(one, piece)));
    if (!(await isAnyUnseen(more, known))) return;
  } catch (error) {
    if (error instanceof AuthError) await accounts.refused(account.key);
    if (!(error instanceof UnsupportedError)) log.info("no more offered", { task: task.id, error });
    return;
  }
  // By one instance, whatever became of the others' turns.
  if (!(await store.claimTurn(`more:${task.id}`, { now: now(), periodMs: OFFERED_FOR_MS }))) return;
  await postEphemeral(context, {
    channel: question.channel,
    user: question.user,
    thread_ts: thread,
    text: OFFER,
    blocks: [verbatim(OFFER), { type: "actions", elements: [button(SHOW, MORE_ACTION, task.id)] }],
  });
}

const OFFER = ":lock: Your own account finds more about this than everybody here may see.";
const SHOW = "More from what only you can see";

async function isAnyUnseen(pieces: readonly FoundPiece[], known: PublicKnowledge): Promise<boolean> {
  for (const piece of pieces) if (!(await known.sees(piece, piece.text))) return true;
  return false;
}

/**
 * The offer is taken: asked once more with the asker's own account, and shown to them alone, below the answer. A press is
 * looked up and never believed.
 */
export const registerMore: Register = (app, context) => {
  onPress(app, MORE_ACTION, async (press) => {
    const found = await pressedOn(context, press, { what: "what this", whyNot: () => Promise.resolve(ONLY_ASKER) });
    if (found === undefined) return;
    const { task, question, progress } = found;
    // What it adds to is an answer for everybody.
    if (question.private || progress.private === true || isDirect(question)) return;
    const more: QuestionBody = {
      ...question,
      threadTs: progress.began ?? question.threadTs,
      inThread: true,
      aboutThread: true,
      private: true,
      more: task.id,
      begins: undefined,
      again: undefined,
      finishes: undefined,
      shares: undefined,
      actionToken: undefined,
      responseUrl: undefined,
    };
    if (await acceptQuestion(context, more, taskKey("question", question, `more-${task.id}`))) return;
    const told = { channel: press.channel, user: press.user, threadTs: more.threadTs };
    await tellSeldom(context, told, "I looked for this already.");
  });
};

const ONLY_ASKER = "This was offered to whoever asked. Ask the question yourself, and you are offered your own.";
