import { GoodAnswer, GoodAnswerPage, parseMoment } from "@threadlore/client/models";
import type { Caller, ServiceContext } from "../context.ts";
import { documentName } from "../gaps/wire.ts";
import { invalid } from "../http/problem.ts";
import { type Route, route } from "../http/route.ts";
import { documentsNamed } from "../store/document-text.ts";
import type { Steps } from "../store/steps.ts";
import { visiblePairs } from "../store/visibility.ts";
import { forgetGoodAnswer, forgetGoodAnswersOfCaller, listGoodAnswers, noteGoodAnswer } from "./good-answers.ts";

const MAX_PAGE = 200;
const USUAL_PAGE = 50;

/**
 * Good answers: whoever speaks for others, as the bot of a chat does, tells of shared questions whose answers people marked as
 * good, and administrators make tests of them. There are none where no gaps are kept: both are words that people asked.
 */
export function goodAnswerRoutes({ store, now, gaps }: ServiceContext): readonly Route[] {
  if (gaps === undefined) return [];
  return [
    route("POST /good-answers", "editor", "Note a shared question whose answer was marked as good", {
      body: { GoodAnswer },
      handle: async ({ caller }, told) => {
        await store.write(() => noted(caller, told, now()));
        return null;
      },
    }),
    route("DELETE /good-answers/{+ref}", "editor", "Take back a good answer that this caller noted", {
      handle: async ({ caller, param }) => {
        await store.makeRoom(() => forgetGoodAnswer(caller.user, param("ref")));
        return null;
      },
    }),
    route("DELETE /good-answers", "editor", "Take back every good answer that this caller noted", {
      handle: async ({ caller }) => {
        while (await store.makeRoom(() => forgetGoodAnswersOfCaller(caller.user)));
        return null;
      },
    }),
    route("GET /good-answers", "admin", "Shared questions whose answers were marked as good, and what these cited", {
      query: ["most", "after"],
      reply: { GoodAnswerPage },
      handle: async ({ caller, query, queryNumber }) => {
        const most = Math.max(1, queryNumber("most", { usual: USUAL_PAGE, most: MAX_PAGE }));
        return store.read(pageOf(caller, placeIn(query("after")), most));
      },
    }),
  ];
}

function* noted({ user, ...caller }: Caller, told: GoodAnswer, now: number): Steps<void> {
  const visible = yield* visiblePairs({ user, ...caller });
  const documents = [];
  for (const name of new Set(told.document_ids)) {
    const [document, ...others] = yield* documentsNamed(name, visible);
    // A name that several share says of none that it was cited.
    if (document !== undefined && others.length === 0) documents.push(document);
  }
  const { ref, asker } = told;
  const askedAt = told.asked_at == null ? now : Math.min(parseMoment(told.asked_at) ?? now, now);
  yield* noteGoodAnswer({ user, ref, asker, question: told.question.toWellFormed(), documents, askedAt });
}

function* pageOf(caller: Caller, after: number, most: number): Steps<GoodAnswerPage> {
  const visible = yield* visiblePairs(caller);
  const found = yield* listGoodAnswers(after, most + 1);
  const page = found.slice(0, most);
  const good_answers: GoodAnswerPage["good_answers"] = [];
  for (const { question, asked_at: at, documents } of page) {
    const document_ids: string[] = [];
    for (const number of documents) {
      const name = yield* documentName(number, visible);
      if (name !== null) document_ids.push(name);
    }
    // What it rests on is not the caller's to see, and so neither is what was asked.
    if (document_ids.length > 0) good_answers.push({ question, document_ids, asked_at: new Date(at).toISOString() });
  }
  const last = page.at(-1);
  return { good_answers, next: found.length > most && last !== undefined ? String(last.id) : null };
}

function placeIn(text: string | undefined): number {
  if (text === undefined) return 0;
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw invalid(["query", "after"], "Give the `next` of the page before");
}
