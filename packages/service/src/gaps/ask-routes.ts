import { Ask, AskList, AskTaken, NewAsk, WaitingAsks } from "@threadlore/client/models";
import type { Caller, ServiceContext } from "../context.ts";
import { refusal } from "../http/problem.ts";
import { type Route, route } from "../http/route.ts";
import { get, type Row, type Steps, withJson } from "../store/steps.ts";
import { visiblePairs } from "../store/visibility.ts";
import {
  addAsk,
  askOf,
  askRef,
  asksOf,
  countUntold,
  dropWithdrawn,
  isLookToBeNoted,
  isSomebodyThere,
  markTold,
  noteLook,
  stateOf,
  type StoredAsk,
  takeAsk,
  waitingAsks,
  withdrawAsk,
  withdrawnAsks,
} from "./asks.ts";
import { OWN } from "./book.ts";
import type { Gaps } from "./gaps.ts";
import { documentName, shortened } from "./wire.ts";

/**
 * Asks: whoever found nothing agrees that people read their words; a program beside the service, such as the bot of a chat, shows
 * them to people there, and the document made of their answer closes the gap. The words of an ask are told to whoever asked, to
 * that program and, as those of every shared question, to administrators.
 */
export function askRoutes(context: ServiceContext): readonly Route[] {
  return context.gaps === undefined ? [] : [...ownRoutes(context, context.gaps), ...showingRoutes(context)];
}

function ownRoutes({ store, now }: ServiceContext, gaps: Gaps): readonly Route[] {
  return [
    route("POST /gaps/asks", "ordinary", "Ask a person: people of the company read these words, and may answer", {
      body: { NewAsk },
      reply: { Ask },
      handle: async ({ caller }, { question, name }) => {
        if (!(await store.read(isSomebodyThere(now())))) throw nobodyThere();
        const { user } = caller;
        const words = question.toWellFormed().trim();
        if (words === "") throw refusal(409, "EMPTY_QUESTION", "There are no words to be read.");
        const called = name?.toWellFormed().trim() || null;
        const { also: id } = await gaps.noteWith(
          {
            names: (hiding) => ({
              ref: hiding.ref(OWN, askRef(user, words)),
              caller: hiding.caller(user),
              asker: hiding.asker(OWN, user),
              session: null,
            }),
            words,
            isShared: true,
            reason: "human",
            askedAt: now(),
          },
          () => addAsk(user, { question: words, name: called }, now()),
        );
        return store.read(ownAsk(caller, id));
      },
    }),
    route("GET /gaps/mine", "ordinary", "What the caller asked people, and what became of it", {
      reply: { AskList },
      handle: async ({ caller }) => ({ asks: await store.read(ownAsks(caller)) }),
    }),
    route("POST /gaps/mine/{id}/told", "ordinary", "The caller was shown what became of it", {
      handle: async ({ caller, param }) => {
        if (!(await store.write(() => markTold(caller.user, param("id"), now())))) throw noSuchAsk();
        return null;
      },
    }),
    route("DELETE /gaps/mine/{id}", "ordinary", "Take back what was asked: its words are forgotten", {
      handle: async ({ caller, param }) => {
        await store.makeRoom(() => withdrawAsk(caller.user, param("id"), now()));
        return null;
      },
    }),
  ];
}

function showingRoutes({ store, now, log }: ServiceContext): readonly Route[] {
  return [
    route("GET /gaps/asks", "editor", "What people are to be shown; that a program looks says that it shows it", {
      reply: { WaitingAsks },
      handle: async ({ caller }) => {
        requireProgram(caller);
        if (await store.read(isLookToBeNoted(now()))) {
          // Who asks is told less than there is, for as long as nothing can be written.
          await store
            .write(() => noteLook(now()))
            .catch((cause: unknown) => {
              log.warn("it could not be noted that somebody shows questions to people", { cause });
            });
        }
        return store.read(toBeShown());
      },
    }),
    route("POST /gaps/asks/{id}/taken", "editor", "People were shown it", {
      body: { AskTaken },
      handle: async ({ caller, param }, { where }) => {
        requireProgram(caller);
        if (!(await store.write(() => takeAsk(param("id"), where ?? null, now())))) throw noSuchAsk();
        return null;
      },
    }),
    route("DELETE /gaps/asks/{id}", "editor", "What people were shown of a withdrawn one is taken away", {
      handle: async ({ caller, param }) => {
        requireProgram(caller);
        await store.makeRoom(() => dropWithdrawn(param("id")));
        return null;
      },
    }),
  ];
}

/**
 * What `GET /me` says of asks, to whoever has a key: whether people can be asked, and how many of the caller's asks have an
 * answer they were not shown.
 */
export function* askFacts({ user, role }: Caller, now: number): Steps<Record<string, unknown>> {
  if (role === "anonymous") return {};
  return { asks_people: yield* isSomebodyThere(now), untold_asks: yield* countUntold(user) };
}

/** People who may ingest pages read nobody's questions by that: a program's key is nobody's who signed in. */
function requireProgram({ person, role }: Caller): void {
  if (person === undefined || role === "admin") return;
  throw refusal(403, "INSUFFICIENT_PERMISSIONS", "This needs the key of a program; yours is a person's.");
}

const nobodyThere = (): Error =>
  refusal(
    409,
    "NO_PERSON_HERE",
    "Nobody can be asked now: no chat bot that shows questions to people has looked for any within ten minutes.",
  );

const noSuchAsk = (): Error => refusal(404, "ASK_NOT_FOUND", "There is no such question. It may have been withdrawn.");

function* ownAsks(caller: Caller): Steps<Ask[]> {
  const visible = yield* visiblePairs(caller);
  const asks: Ask[] = [];
  for (const ask of yield* asksOf(caller.user)) asks.push(yield* onWire(ask, visible));
  return asks;
}

function* ownAsk(caller: Caller, id: string): Steps<Ask> {
  const ask = yield* askOf(caller.user, id);
  if (ask === undefined) throw noSuchAsk();
  return yield* onWire(ask, yield* visiblePairs(caller));
}

function* onWire(ask: StoredAsk, visible: readonly number[] | null): Steps<Ask> {
  const state = stateOf(ask);
  return {
    ask_id: ask.id,
    question: ask.question,
    name: ask.name,
    asked_at: new Date(ask.asked_at).toISOString(),
    state,
    answer: state === "answered" ? yield* answerOf(ask.document, visible) : null,
    is_told: ask.told_at !== null,
  };
}

/** Characters of an answer's beginning that are told. */
const MAX_BEGINNING = 600;

interface Answering {
  readonly title: string;
  readonly link: string | null;
  readonly updatedAt: number;
  readonly sections: readonly { readonly text?: string | null }[];
}

function* answerOf(number: number | null, visible: readonly number[] | null): Steps<Ask["answer"]> {
  const id = yield* documentName(number, visible);
  if (id === null || number === null) return null;
  const row = yield* get<Row>(
    `SELECT semantic_identifier AS title, link, updated_at AS "updatedAt", sections FROM documents WHERE number = ?`,
    number,
  );
  if (row === undefined) return null;
  const { title, link, updatedAt, sections } = withJson<Answering & Row>(row, "sections");
  const text = sections.map((section) => section.text?.trim() ?? "").find((one) => one !== "") ?? "";
  return {
    document_id: id,
    title,
    link,
    beginning: shortened(text, MAX_BEGINNING),
    updated_at: new Date(updatedAt).toISOString(),
  };
}

function* toBeShown(): Steps<WaitingAsks> {
  const asks = (yield* waitingAsks()).map(({ id, gap, question, name, asked_at: at }) => ({
    ask_id: id,
    gap_id: gap,
    question,
    name,
    asked_at: new Date(at).toISOString(),
  }));
  return { asks, withdrawn: (yield* withdrawnAsks()).map(({ id, shown_where: where }) => ({ ask_id: id, where })) };
}
