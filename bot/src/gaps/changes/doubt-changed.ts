import type { KeptAnswer } from "@threadlore/client/models";
import type { RunResult, Task } from "@threadlore/inbox";
import type { BotContext } from "../../context.ts";
import { isNotOffered, isRefused } from "../../knowledge-server/not-offered.ts";
import { tell } from "../../tell.ts";
import { isAway } from "../book/gap-book.ts";
import { maybeChanged } from "./maybe-changed.ts";
import { changeRef } from "./offers.ts";
import { noteDoubts } from "../still-true/look-still-true.ts";
import { idNamed } from "../still-true/server-names.ts";
import type { StillStep } from "../still-true/still-tasks.ts";
import { askedWords } from "./whom-asked.ts";

/**
 * Somebody says that a message they had kept, or an administrator that some document, changes a kept answer: the server knows
 * it first, then whoever owns that is asked. Administrators are told what becomes of it; whoever pinned was told by their press.
 */
export async function doubtChanged(
  context: BotContext,
  task: Pick<Task, "attempts">,
  step: StillStep<"doubted">,
): Promise<RunResult> {
  const { servers, log } = context;
  const { channel, kept, by } = step;
  const isTold = "newer" in step;
  const say = (words: string) => (isTold ? tell(context, channel, by, words) : Promise.resolve());
  const newer = await newerDocument(context, step);
  // What is kept no more changes nothing.
  if (newer === undefined) return "gone";
  try {
    if (isTold && !(await isAsRead(context, step.ref))) {
      await say(NOT_THERE);
      return "gone";
    }
    const answer = await servers.ingest.kept.doubt(kept, newer);
    const isKeptHere = await noteDoubts(context, answer);
    if (isTold) await say(await becomesOfIt(context, { answer, newer, by, isKeptHere }));
    return "done";
  } catch (error) {
    if (isRefused(error)) {
      log.warn("the server does not take that a document changes an answer", { channel, document: kept, error });
      await say(isNotOffered(error) ? NOT_TAKEN : NOT_THERE);
      return "gone";
    }
    // It waits as long as it takes, and says so once.
    if (isAway(error) && task.attempts <= 1) await say(LATER);
    throw error;
  }
}

/**
 * Whether both still say what was read before the press: the button stands for weeks. Once that was so it is gone on with, however
 * often: the server lists no more what it was told.
 */
async function isAsRead(context: BotContext, ref: string): Promise<boolean> {
  const { store } = context;
  const begun = `changes-pressed:${ref}`;
  if ((await store.recall(begun)) !== undefined) return true;
  const listed = await maybeChanged(context, { most: MAX_LISTED });
  if (!listed.some((one) => changeRef(one.by.document_id, one) === ref)) return false;
  await store.remember(begun, "");
  return true;
}

/** As many as a server lists. */
const MAX_LISTED = 200;

async function newerDocument({ store }: BotContext, step: StillStep<"doubted">): Promise<string | undefined> {
  if ("newer" in step) return step.newer;
  const pin = await store.findPin(step.channel, step.ts);
  return pin === undefined || pin.state === "tombstone" ? undefined : (pin.serverId ?? pin.documentId);
}

interface Outcome {
  readonly answer: KeptAnswer;
  readonly newer: string;
  readonly by: string;
  readonly isKeptHere: boolean;
}

async function becomesOfIt(context: BotContext, { answer, newer, by, isKeptHere }: Outcome): Promise<string> {
  const isDoubted = answer.doubts.some(
    ({ document_id: id }) => typeof id === "string" && idNamed(id) === idNamed(newer),
  );
  if (!isDoubted) return HOLDS;
  return isKeptHere ? askedWords(context, by, answer.owner_ref) : KEPT_ELSEWHERE;
}

const HOLDS = "Its owner has said meanwhile that it still holds, so nobody is asked again.";
const KEPT_ELSEWHERE =
  "The knowledge server has noted it. The answer was not kept by me, so I can ask nobody: tell its owner yourself, please.";
const NOT_THERE =
  "One of the two is not there any more, says something else by now, or is not for the same readers, or its owner has dealt with it: nobody is asked.";
const NOT_TAKEN = "The knowledge server does not let me say so. Ask whoever gave the answer yourself, please.";
const LATER = "The knowledge server cannot be asked right now. The owner is asked as soon as it can be.";
