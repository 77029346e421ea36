import {
  Gap,
  GapClosing,
  GapDetail,
  GapPage,
  GapQuestion,
  GapReferences,
  GapState,
  type MaybeGap,
  NotedQuestion,
  parseMoment,
  QuestionStandings,
  SameQuestion,
} from "@threadlore/client/models";
import { MAX_OFFERED } from "@threadlore/gaps";
import type { Caller, ServiceContext } from "../context.ts";
import { forgetGoodAnswersOfAsker } from "../good-answers/good-answers.ts";
import { invalid, refusal } from "../http/problem.ts";
import { type Route, route } from "../http/route.ts";
import { oneOf } from "../routes/documents.ts";
import { documentsNamed } from "../store/document-text.ts";
import type { Steps } from "../store/steps.ts";
import { visiblePairs } from "../store/visibility.ts";
import {
  closeGap,
  findGap,
  forgetAsker,
  forgetQuestion,
  listGaps,
  setGapState,
  sharedQuestionsOf,
  standingsOf,
  type StoredGap,
} from "./book.ts";
import type { Gaps } from "./gaps.ts";
import { joinGap, type Noted } from "./noting.ts";
import { TellingPace } from "./pace.ts";
import type { RawQuestion } from "./questions.ts";
import { gapOnWire, type ToldDocument, namedDocument, placeIn, placeText, wordsOnWire } from "./wire.ts";

const MAX_PAGE = 200;
const USUAL_PAGE = 50;

/**
 * Gaps: whoever speaks for others, as the bot of a chat does, tells questions that ended without an answer, and which document
 * answers them then; administrators see which there are. The words of a private question are in no reply.
 */
export function gapRoutes(context: ServiceContext): readonly Route[] {
  const { store, gaps } = context;
  // Where none are kept there are no such paths: whoever asks keeps its own, as with every other server that has none.
  if (gaps === undefined) return [];
  return [
    ...tellingRoutes(context, gaps),
    route("GET /gaps", "admin", "Questions nobody could answer, alike ones together, by how many people asked", {
      query: ["state", "most", "after"],
      reply: { GapPage },
      handle: async (call) => {
        const most = Math.max(1, call.queryNumber("most", { usual: USUAL_PAGE, most: MAX_PAGE }));
        const state = stateIn(call.query("state"));
        return store.read(pageOf(call.caller, state, most, placeIn(call.query("after"))));
      },
    }),
    route("GET /gaps/{id}", "admin", "A gap with the words of those of its questions that others may read", {
      reply: { GapDetail },
      handle: async (call) => {
        const [gap, questions] = await store.read(detailOf(call.caller, call.paramNumber("id", "gap_id")));
        return { ...gap, shared_questions: wordsOnWire(questions) };
      },
    }),
    route("POST /gaps/{id}/close", "editor", "Say which document answers a gap", {
      body: { GapClosing },
      reply: { Gap },
      handle: async (call, { document_id: name }) =>
        store.write(() => closed(context, call.caller, call.paramNumber("id", "gap_id"), name)),
    }),
    route("POST /gaps/{id}/reopen", "editor", "Open a gap again", {
      reply: { Gap },
      handle: async (call) => store.write(() => set(call.caller, call.paramNumber("id", "gap_id"), "open")),
    }),
    route("POST /gaps/{id}/dismiss", "admin", "Say that a gap is no question for this knowledge", {
      reply: { Gap },
      handle: async (call) => store.write(() => set(call.caller, call.paramNumber("id", "gap_id"), "dismissed")),
    }),
  ];
}

function tellingRoutes({ store, now }: ServiceContext, gaps: Gaps): readonly Route[] {
  const pace = new TellingPace(now);
  return [
    route("POST /gaps/questions", "editor", "Note somebody's question that ended without an answer", {
      body: { GapQuestion },
      reply: { NotedQuestion },
      before: ({ caller }) => pace.spend(caller.user),
      handle: async ({ caller }, told) => {
        const noted = await gaps.note(rawOf(caller, told, now()));
        return store.read(notedWithMaybe(caller, noted));
      },
    }),
    route("POST /gaps/{id}/same", "editor", "Say that a question this caller noted asks the same as a gap", {
      body: { SameQuestion },
      reply: { NotedQuestion },
      before: ({ caller }) => pace.spend(caller.user),
      handle: async (call, { ref }) => {
        const id = call.paramNumber("id", "gap_id");
        return store.write(() => same(call.caller, ref, id));
      },
    }),
    route("POST /gaps/questions/standings", "editor", "Ask what became of questions that this caller noted", {
      body: { GapReferences },
      reply: { QuestionStandings },
      handle: ({ caller }, { refs }) => store.read(standingsOnWire(caller, refs)),
    }),
    route("DELETE /gaps/questions/{+ref}", "editor", "Forget a question that this caller noted", {
      handle: async ({ caller, param }) => {
        await store.makeRoom(() => forgetQuestion(caller.user, param("ref")));
        return null;
      },
    }),
    route(
      "DELETE /gaps/askers/{+asker}",
      "editor",
      "Forget every question and good answer of somebody that this caller noted",
      {
        handle: async ({ caller, param }) => {
          while (await store.makeRoom(() => forgetAsker(caller.user, param("asker"))));
          while (await store.makeRoom(() => forgetGoodAnswersOfAsker(caller.user, param("asker"))));
          return null;
        },
      },
    ),
  ];
}

/** Gaps a question may be of, without those whose answer this caller may not see: whoever asked would get nothing of it. */
function* maybeOnWire(caller: Caller, gaps: readonly StoredGap[]): Steps<MaybeGap[]> {
  const told: MaybeGap[] = [];
  for (const gap of gaps) {
    const { gap_id, state, question, people, document_id } = gapOnWire(gap, yield* documentFor(caller, gap.document));
    if (question !== null && (state === "open" || document_id !== null)) told.push({ gap_id, state, question, people });
    if (told.length === MAX_OFFERED) break;
  }
  return told;
}

type NotedByCaller = Awaited<ReturnType<Gaps["note"]>>;

function* notedWithMaybe(caller: Caller, noted: NotedByCaller): Steps<NotedQuestion> {
  const told = yield* notedOnWire(caller, noted);
  return { ...told, is_new: noted.isNew, maybe: yield* maybeOnWire(caller, noted.maybe) };
}

function* notedOnWire(caller: Caller, { gap, state, document }: Omit<Noted, "isNew" | "isAlone">) {
  return { gap_id: gap, state, document_id: (yield* documentFor(caller, document))?.id ?? null };
}

function* same(caller: Caller, ref: string, id: number): Steps<NotedQuestion> {
  const done = yield* joinGap((hiding) => hiding.ref(caller.user, ref), id);
  if ("joined" in done) return { ...(yield* notedOnWire(caller, done.joined)), is_new: false };
  if (done.missing === "gap") present(undefined);
  throw refusal(404, "QUESTION_NOT_FOUND", "There is no such question of yours. It may have been forgotten.");
}

function rawOf({ user }: Caller, told: GapQuestion, now: number): RawQuestion {
  const askedAt = told.asked_at == null ? now : Math.min(parseMoment(told.asked_at) ?? now, now);
  return {
    names: (hiding) => ({
      ref: hiding.ref(user, told.ref),
      caller: hiding.caller(user),
      asker: hiding.asker(user, told.asker),
      session: null,
    }),
    words: told.question,
    isShared: told.is_shared,
    reason: told.reason,
    askedAt,
  };
}

function* standingsOnWire(caller: Caller, refs: readonly string[]): Steps<QuestionStandings> {
  const visible = yield* visiblePairs(caller);
  const questions: QuestionStandings["questions"] = [];
  for (const { ref, gap, state, document } of yield* standingsOf(caller.user, refs)) {
    const told = document === null ? null : yield* namedDocument(document, visible);
    questions.push({ ref, gap_id: gap, state, document_id: told?.id ?? null });
  }
  return { questions };
}

function* documentFor(caller: Caller, number: number | null): Steps<ToldDocument | null> {
  return number === null ? null : yield* namedDocument(number, yield* visiblePairs(caller));
}

function* pageOf(caller: Caller, state: GapState, most: number, after: ReturnType<typeof placeIn>): Steps<GapPage> {
  const found = yield* listGaps(state, most + 1, after);
  const shown = found.slice(0, most);
  const gaps: Gap[] = [];
  for (const gap of shown) gaps.push(gapOnWire(gap, yield* documentFor(caller, gap.document)));
  const last = shown.at(-1);
  return { gaps, next: found.length > most && last !== undefined ? placeText(last) : null };
}

function* detailOf(caller: Caller, id: number): Steps<[Gap, Awaited<{ question: string; asked_at: number }[]>]> {
  const gap = present(yield* findGap(id));
  return [gapOnWire(gap, yield* documentFor(caller, gap.document)), yield* sharedQuestionsOf(gap.id)];
}

function* toldGap(caller: Caller, id: number): Steps<Gap> {
  const gap = present(yield* findGap(id));
  return gapOnWire(gap, yield* documentFor(caller, gap.document));
}

function* closed({ now }: ServiceContext, caller: Caller, id: number, name: string): Steps<Gap> {
  const document = oneOf(yield* documentsNamed(name, yield* visiblePairs(caller)));
  const missing = yield* closeGap(id, document, now());
  // It was deleted at this moment.
  if (missing === "document") oneOf([]);
  return yield* toldGap(caller, id);
}

function* set(caller: Caller, id: number, state: "open" | "dismissed"): Steps<Gap> {
  yield* setGapState(id, state);
  return yield* toldGap(caller, id);
}

function present(gap: StoredGap | undefined): StoredGap {
  if (gap !== undefined) return gap;
  throw refusal(404, "GAP_NOT_FOUND", "There is no such gap. Its questions may have been forgotten.");
}

function stateIn(text: string | undefined): GapState {
  if (text === undefined) return "open";
  const state = GapState.safeParse(text);
  if (state.success) return state.data;
  throw invalid(["query", "state"], "Input should be open, closed or dismissed", "enum");
}
