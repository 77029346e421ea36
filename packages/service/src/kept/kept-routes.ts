import {
  type Doubt,
  type KeptAnswer,
  KeptAnswerPage,
  KeptConfirmation,
  KeptAnswer as KeptAnswerModel,
  KeptContradiction,
  type MaybeChanged,
  MaybeChangedAnswers,
  type NearKept,
  NearKeptAnswers,
} from "@threadlore/client/models";
import { safeLink } from "../answer/source.ts";
import { momentOf } from "../audit/moment.ts";
import type { Caller, ServiceContext } from "../context.ts";
import { evenlyInTurn, evenReply } from "../http/in-turn.ts";
import { invalid, refusal } from "../http/problem.ts";
import { type Route, route } from "../http/route.ts";
import { documentNumbered } from "../store/documents.ts";
import type { Steps } from "../store/steps.ts";
import { visiblePairs } from "../store/visibility.ts";
import { pairsSeenWith } from "./audience.ts";
import {
  confirmKept,
  type DoubtRow,
  doubtsAbout,
  keptNamed,
  type KeptPart,
  type KeptRow,
  listKept,
  noteDoubted,
  othersNamed,
} from "./kept-store.ts";
import { maybeChanged } from "./maybe/maybe-store.ts";
import { type NearAnswer, nearAnswers, nearestTo } from "./near-answers.ts";

const USUAL_PAGE = 50;
const MAX_PAGE = 200;

/** Kept answers, what speaks against them, and that their owners say they hold. */
export function keptRoutes(context: ServiceContext): readonly Route[] {
  const { store, now } = context;
  return [
    route("GET /kept-answers", "editor", "Kept answers, and what speaks against them", {
      query: ["state", "older_than", "most", "after"],
      reply: { KeptAnswerPage },
      handle: async ({ caller, query, queryNumber }) => {
        const state = query("state") ?? "doubted";
        if (state !== "doubted" && state !== "all") {
          throw invalid(["query", "state"], "Input should be 'doubted' or 'all'", "enum");
        }
        const most = Math.max(1, queryNumber("most", { usual: USUAL_PAGE, most: MAX_PAGE }));
        const before = momentIn("older_than", query("older_than")) ?? EVERYTHING.before;
        const part = { before, after: behind(query("after")), most };
        return evenReply(context, caller, () => store.read(pageOf(caller, part, state === "doubted")));
      },
    }),
    route("GET /kept-answers/near", "editor", "Kept answers that a document may change", {
      query: ["document_id"],
      reply: { NearKeptAnswers },
      handle: ({ caller, query, request: { signal } }) =>
        evenlyInTurn(context, caller, signal, async () => {
          const pairs = await store.read(visiblePairs(caller));
          const [number, another] = await store.read(othersNamed(query("document_id") ?? "", pairs));
          // Where several pairs have one of this id nobody knows whose is meant.
          const isOne = number !== undefined && another === undefined;
          const document = isOne ? await store.read(documentNumbered(number)) : undefined;
          const near = document === undefined ? [] : await nearAnswers(context, document, pairs);
          return { kept_answers: await store.read(nearOnWire(near, pairs)) };
        }),
    }),
    route("GET /kept-answers/maybe-changed", "editor", "Kept answers that a newer document may change", {
      query: ["since", "most"],
      reply: { MaybeChangedAnswers },
      handle: async ({ caller, query, queryNumber }) => {
        const most = Math.max(1, queryNumber("most", { usual: USUAL_PAGE, most: MAX_PAGE }));
        const since = momentIn("since", query("since")) ?? 0;
        return evenReply(context, caller, () => store.read(maybeOnWire(caller, since, most)));
      },
    }),
    route("POST /kept-answers/confirmed", "editor", "Say that a kept answer still holds", {
      body: { KeptConfirmation },
      reply: { KeptAnswer: KeptAnswerModel },
      handle: ({ caller }, { document_id }) =>
        store.write(function* () {
          const pairs = yield* visiblePairs(caller);
          const number = yield* theKept(document_id, pairs);
          yield* confirmKept(number, now());
          return yield* theOnly(number, pairs, []);
        }),
    }),
    route("POST /kept-answers/doubted", "editor", "Say that a document says otherwise than a kept answer", {
      body: { KeptContradiction },
      reply: { KeptAnswer: KeptAnswerModel },
      handle: ({ caller, request: { signal } }, { document_id, by }) =>
        evenlyInTurn(context, caller, signal, async () => {
          const read = await store.read(bothNamed(caller, document_id, by));
          const nearest = await nearestTo(context, read.other, read.number);
          const [says, keptSays] = [nearest?.says ?? read.other.title, nearest?.keptSays ?? ""];
          return store.write(function* () {
            // Either may be gone by now, or be seen by others.
            const { number, other, pairs } = yield* bothNamed(caller, document_id, by);
            yield* noteDoubted(number, { by: other.number, says, keptSays, isOlder: false }, now());
            return yield* theOnly(number, pairs);
          });
        }),
    }),
  ];
}

const EVERYTHING: Omit<KeptPart, "pairs" | "most"> = { before: Number.MAX_SAFE_INTEGER, after: ["", 0] };

function momentIn(name: string, text: string | undefined): number | undefined {
  const moment = text === undefined ? undefined : momentOf(text);
  if (text === undefined || moment !== undefined) return moment;
  throw invalid(["query", name], "Input should be a moment such as 2026-01-31T00:00:00Z", "datetime_parsing");
}

/** The last of the page before, as it was told. */
function behind(text: string | undefined): readonly [string, number] {
  if (text === undefined) return EVERYTHING.after;
  const [, pair, id] = /^(\d{1,15}):([\s\S]*)$/.exec(text) ?? [];
  if (pair === undefined || id === undefined) throw invalid(["query", "after"], "Input should be the `next` of a page");
  return [id, Number(pair)];
}

const nextOf = ({ id, pairId }: KeptRow): string => `${pairId}:${id}`;

function* pageOf(caller: Caller, part: Omit<KeptPart, "pairs">, isDoubted: boolean): Steps<KeptAnswerPage> {
  const pairs = yield* visiblePairs(caller);
  const doubts = isDoubted ? yield* told(yield* doubtsAbout(), pairs) : undefined;
  const numbers = doubts && [...new Set(doubts.map(({ document }) => document))];
  if (numbers?.length === 0) return { kept_answers: [], next: null };
  const found = yield* listKept({ ...part, pairs, ...(numbers && { numbers }), most: part.most + 1 });
  const page = found.slice(0, part.most);
  const last = page.at(-1);
  return {
    kept_answers: yield* toldOf(page, pairs, doubts),
    next: found.length > part.most && last !== undefined ? nextOf(last) : null,
  };
}

/** What a caller is told of doubts: bad marks, and what both of which may be told. */
function* told(doubts: readonly DoubtRow[], visible: readonly number[] | null): Steps<readonly DoubtRow[]> {
  const contradicted = doubts.filter((doubt) => doubt.reason === "contradicted");
  const tellable = new Set<DoubtRow>(yield* tellableOf(contradicted, visible));
  return doubts.filter((doubt) => doubt.reason === "bad_mark" || tellable.has(doubt));
}

/** What a newer document says beside a kept answer. */
interface Beside {
  /** The pair of the kept answer. */
  readonly keptPairId: number;
  readonly by: { readonly pairId: number | null };
}

/**
 * Those of which a caller is told: whose newer document the caller sees, and everybody who sees the kept answer. A program of the
 * company may see more than whom it tells.
 */
function* tellableOf<Row extends Beside>(
  rows: readonly Row[],
  visible: readonly number[] | null,
): Steps<readonly Row[]> {
  const audiences = new Map<number, readonly number[] | null>();
  for (const { keptPairId } of rows) {
    if (!audiences.has(keptPairId)) audiences.set(keptPairId, yield* pairsSeenWith(keptPairId));
  }
  return rows.filter(({ keptPairId, by: { pairId } }) => {
    const seenBy = audiences.get(keptPairId) ?? null;
    if (pairId === null) return visible === null && seenBy === null;
    return (visible === null || visible.includes(pairId)) && (seenBy === null || seenBy.includes(pairId));
  });
}

/** @param known doubts about them, where they were read already */
function* toldOf(
  rows: readonly KeptRow[],
  visible: readonly number[] | null,
  known?: readonly DoubtRow[],
): Steps<KeptAnswer[]> {
  const doubts = known ?? (yield* told(yield* doubtsAbout(rows.map(({ number }) => number)), visible));
  const byAnswer = Map.groupBy(doubts, ({ document }) => document);
  return rows.map((row) => {
    const said = (key: string): string | null => {
      const value = row.metadata[key];
      return (typeof value === "string" ? value : value?.[0]) ?? null;
    };
    return {
      document_id: nameOf(row),
      question: said("question") ?? row.title,
      owner: said("owner"),
      owner_ref: said("owner_ref"),
      channel: said("channel"),
      link: safeLink(row.link),
      updated_at: new Date(row.updatedAt).toISOString(),
      confirmed_at: row.confirmedAt === null ? null : new Date(row.confirmedAt).toISOString(),
      doubts: (byAnswer.get(row.number) ?? []).map(doubtOf),
    };
  });
}

function doubtOf(doubt: DoubtRow): Doubt {
  const since = new Date(doubt.since).toISOString();
  if (doubt.reason === "bad_mark") return { reason: doubt.reason, since };
  const { reason, says, keptSays: kept_says, by } = doubt;
  return { reason, since, document_id: by.id, title: by.title, link: safeLink(by.link), says, kept_says };
}

/** One kept answer as it is told. */
function* theOnly(number: number, pairs: readonly number[] | null, known?: readonly DoubtRow[]): Steps<KeptAnswer> {
  const [kept] = yield* toldOf(yield* listKept({ ...EVERYTHING, pairs, numbers: [number], most: 1 }), pairs, known);
  if (kept === undefined) throw unknown();
  return kept;
}

function* nearOnWire(near: readonly NearAnswer[], pairs: readonly number[] | null): Steps<NearKept[]> {
  const named = yield* keptOnWire(
    near.map(({ number }) => number),
    pairs,
  );
  return near.flatMap(({ number, says, keptSays: kept_says }): NearKept[] => {
    const kept = named.get(number);
    return kept === undefined ? [] : [{ ...kept, says, kept_says }];
  });
}

function* maybeOnWire(caller: Caller, since: number, most: number): Steps<MaybeChangedAnswers> {
  const pairs = yield* visiblePairs(caller);
  const rows = yield* tellableOf(yield* maybeChanged(since, pairs), pairs);
  const seen = rows.filter(({ keptPairId }) => pairs === null || pairs.includes(keptPairId));
  // The nearest comes first, of all and of one answer.
  const nearest = new Map(seen.toReversed().map((row) => [row.document, row]));
  const page = seen.filter((row) => nearest.get(row.document) === row).slice(0, most);
  const named = yield* keptOnWire(
    page.map(({ document }) => document),
    pairs,
  );
  const kept_answers = page.flatMap(({ document, says, keptSays: kept_says, since: found, by }): MaybeChanged[] => {
    const kept = named.get(document);
    if (kept === undefined) return [];
    const { title, link } = by;
    const other = { document_id: nameOf(by), title, link: safeLink(link) };
    return [{ ...kept, says, kept_says, since: new Date(found).toISOString(), by: other }];
  });
  return { kept_answers };
}

type KeptOnWire = Pick<KeptAnswer, "document_id" | "question" | "owner" | "owner_ref" | "link">;

/** Whose some kept answers are, by their numbers. */
function* keptOnWire(numbers: readonly number[], pairs: readonly number[] | null): Steps<Map<number, KeptOnWire>> {
  const rows = yield* listKept({ ...EVERYTHING, pairs, numbers, most: numbers.length });
  const listed = yield* toldOf(rows, pairs, []);
  return new Map(
    listed.map(({ document_id, question, owner, owner_ref, link }, at) => [
      rows[at]?.number ?? 0,
      { document_id, question, owner, owner_ref, link },
    ]),
  );
}

/** What a document is called where another one of those that are seen has its id. */
function nameOf({ id, pairId, hasNamesake }: { id: string; pairId: number | null; hasNamesake: boolean }): string {
  return hasNamesake ? `${id} (pair ${pairId})` : id;
}

/** A kept answer, and a document that is said to contradict it, which everybody sees who sees the answer. */
function* bothNamed(caller: Caller, kept: string, by: string) {
  const pairs = yield* visiblePairs(caller);
  const number = yield* theKept(kept, pairs);
  const keptPair = (yield* documentNumbered(number))?.pairId ?? null;
  if (keptPair === null) throw unknown();
  const [one, another] = yield* othersNamed(by, pairs);
  if (another !== undefined) throw ambiguous("document");
  const other = one === undefined ? undefined : yield* documentNumbered(one);
  const seenBy = yield* pairsSeenWith(keptPair);
  if (other === undefined || other.pairId === null || seenBy?.includes(other.pairId) === false) {
    const words = "There is no document of this id that everybody sees who sees the kept answer.";
    throw refusal(404, "DOCUMENT_NOT_FOUND", words);
  }
  return { pairs, number, other };
}

/** The kept answer a name means; as everywhere, one that the caller does not see is none. */
function* theKept(name: string, pairs: readonly number[] | null): Steps<number> {
  const [number, another] = yield* keptNamed(name, pairs);
  if (number === undefined) throw unknown();
  if (another !== undefined) throw ambiguous("kept answer");
  return number;
}

function ambiguous(what: string) {
  return refusal(409, "SEVERAL_DOCUMENTS", `Several pairs have a ${what} of this id. Say which, as the list names it.`);
}

function unknown() {
  return refusal(404, "KEPT_ANSWER_NOT_FOUND", "There is no kept answer of this id that this key may see.");
}
