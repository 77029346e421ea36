import type { RunResult, WaitingQuestion } from "@threadlore/inbox";
import type { BotContext } from "../context.ts";
import type { NotedGap } from "./book/book-question.ts";
import { type GapWork, partitionOf } from "./note-question.ts";
import { closingOf, keepClosing } from "./telling/closings.ts";
import { tellWaiting } from "./tell-askers.ts";

/** Gaps the server is asked after in one call. */
const PAGE = 200;

/** Asks the server what became of all gaps people here wait in: with one call for many. */
export async function lookAtAll(
  context: BotContext,
  { id, from }: { readonly id: string; readonly from: number },
): Promise<RunResult> {
  const { store, gaps, now } = context;
  if (now() < from) return { later: from };
  for (let page = await store.gapsToLookAt(PAGE); page.length > 0;) {
    const standings = await gaps.standings(page.map(({ ref }) => ref));
    for (const waiting of page) {
      const standing = standings?.get(waiting.ref);
      await (standing === undefined ? tellAgain(context, waiting, id) : followGap(context, waiting, standing));
    }
    page = await store.gapsToLookAt(PAGE, page.at(-1)?.ref);
  }
  return "done";
}

/** Has a question told again that the server does not know. */
async function tellAgain({ inbox }: BotContext, { ref, place }: WaitingQuestion, once: string): Promise<void> {
  const body: GapWork = { do: "look", ref };
  // In the order of what else is done about its message, which may be deleted meanwhile.
  await inbox.accept({
    key: `gap:${place}:look-${ref}-${once}`,
    kind: "gap",
    partitionKey: partitionOf(place),
    body,
  });
}

/**
 * The gap a question is in may be part of another one by now, and somebody may have closed it without the bot, as an administrator
 * does. What is so for one of its questions is so for all.
 */
export async function followGap(context: BotContext, waiting: WaitingQuestion, standing: NotedGap): Promise<void> {
  const { store } = context;
  const { gap, state } = standing;
  const refs = (await store.waitingIn(waiting.gap)).map(({ ref }) => ref);
  if (gap !== waiting.gap) await store.moveWaiting(waiting.gap, gap);
  if (state !== "closed") return;
  await knowClosing(context, standing);
  await tellWaiting(context, gap, { only: [waiting.ref, ...refs] });
}

/** Of a gap that was closed without the bot it is not known here where the answer stands, nor whose it is. */
export async function knowClosing(context: BotContext, { gap, documentId = "" }: NotedGap): Promise<void> {
  if ((await closingOf(context, gap)) !== undefined) return;
  await keepClosing(context, gap, { documentId, title: "", permalink: "", owner: "" });
}
