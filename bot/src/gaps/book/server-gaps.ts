import type { Gaps } from "@threadlore/client/gaps";
import { MAX_GAP_QUESTION, type MaybeGap as MaybeAtServer } from "@threadlore/client/models";
import type { Store } from "@threadlore/inbox";
import type { BookQuestion, ListedGap, MaybeGap, NotedGap, NotedQuestion } from "./book-question.ts";

const LEAD = "s";

/** Whether it is a gap of the server. */
export const isOfServer = (gap: string): boolean => gap.startsWith(LEAD);

const numberOf = (gap: string): number => Number(gap.slice(LEAD.length));
const idOf = (number: number): string => `${LEAD}${number}`;

const maybeOf = ({ gap_id: number, state, question }: MaybeAtServer): MaybeGap => {
  return { gap: idOf(number), words: question, isClosed: state === "closed" };
};

/** Gaps of the server, by its own numbers; who is to be told stands in the bot's store. */
export function createServerGaps(gaps: () => Gaps, store: Store) {
  return {
    async note({ words, reason, ...question }: BookQuestion): Promise<NotedQuestion> {
      const { ref, asker, isShared, askedAt } = question;
      const noted = await gaps().note({
        ref,
        question: words.slice(0, MAX_GAP_QUESTION).toWellFormed(),
        asker,
        is_shared: isShared,
        reason,
        asked_at: new Date(askedAt).toISOString(),
      });
      const gap = idOf(noted.gap_id);
      await store.saveWaiting({ ...question, gap, ...(isShared && { words }) });
      const { state, document_id: documentId, maybe = [] } = noted;
      return { gap, state, documentId: documentId ?? undefined, maybe: maybe.map(maybeOf) };
    },
    async same(ref: string, gap: string): Promise<NotedGap> {
      const { gap_id: number, state, document_id: documentId } = await gaps().same(ref, numberOf(gap));
      const waiting = await store.findWaiting(ref);
      if (waiting !== undefined) {
        const { telling: _telling, toldAt: _toldAt, ...question } = waiting;
        await store.saveWaiting({ ...question, gap: idOf(number) });
      }
      return { gap: idOf(number), state, documentId: documentId ?? undefined };
    },
    async standings(refs: readonly string[]): Promise<ReadonlyMap<string, NotedGap>> {
      const { questions } = await gaps().standings(refs);
      return new Map(
        questions.map(({ ref, gap_id: number, state, document_id: documentId }) => {
          return [ref, { gap: idOf(number), state, documentId: documentId ?? undefined }];
        }),
      );
    },
    forget: (ref: string) => gaps().forget(ref),
    forgetAsker: (asker: string) => gaps().forgetAsker(asker),
    async close(gap: string, documentId: string): Promise<string> {
      return idOf((await gaps().close(numberOf(gap), documentId)).gap_id);
    },
    dismiss: (gap: string) => gaps().dismiss(numberOf(gap)),
    reopen: (gap: string) => gaps().reopen(numberOf(gap)),
    async list(most: number): Promise<readonly ListedGap[]> {
      const page = await gaps().list({ state: "open", most });
      return page.gaps.map(({ gap_id: number, people, questions, question }) => {
        return { gap: idOf(number), people, questions, words: question ?? undefined };
      });
    },
  };
}
