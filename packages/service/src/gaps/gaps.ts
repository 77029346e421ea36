import { setTimeout as pause } from "node:timers/promises";
import { MAX_GAP_QUESTION } from "@threadlore/client/models";
import { hiddenTraits, traitsOf } from "@threadlore/gaps";
import type { Log } from "../log.ts";
import type { Embeddings } from "../search/embeddings.ts";
import type { Steps } from "../store/steps.ts";
import type { Store } from "../store/store.ts";
import { type StoredGap, toldGaps } from "./book.ts";
import { GapComparison } from "./comparison.ts";
import { type Hiding, hidingOf } from "./hiding.ts";
import { noteQuestion, type Noted, type QuestionToNote } from "./noting.ts";
import { type OwnQuestion, prepared, type RawQuestion } from "./questions.ts";

/** What gaps work with. */
export interface GapParts {
  readonly store: Store;
  readonly log: Log;
  readonly embeddings: Embeddings | undefined;
  /** Whether what is asked here is noted, and not only what is told. */
  readonly notesOwn: boolean;
}

/** A question as it is asked, before anybody knows whether there is an answer. */
export interface AlikeQuestion {
  readonly words: string;
  /** Its vector, and the model it is of. */
  readonly meaning?: { readonly model: string; readonly vector: Float32Array } | undefined;
}

/** The gaps of a service. */
export interface Gaps {
  /**
   * Notes a question; it is on the disk when this resolves. `maybe`: as long as it is alone in its gap, others it may be of that
   * have words others may read, the likeliest first.
   */
  note(question: RawQuestion): Promise<Noted & { readonly maybe: readonly StoredGap[] }>;
  /**
   * Notes a question that was asked here, where that is done at all. Nobody waits for it: what cannot be written is tried again until
   * it can be, and what is lost the log says.
   * @param make the question; undefined: there is none
   */
  noteOwn(make: () => Promise<OwnQuestion | undefined> | OwnQuestion | undefined): void;
  /** Resolves once all that was asked here is noted, or the database does not take it now. */
  close(): Promise<void>;
  /**
   * The number of the document that answers questions alike to this one, where they were put together here and somebody said so.
   * Nothing is noted. Never throws: whoever asks has an answer without it.
   */
  answerTo(asked: AlikeQuestion): Promise<number | undefined>;
  /** The same, with something else in the transaction that notes it. */
  noteWith<Also>(question: RawQuestion, also: () => Steps<Also>): Promise<{ noted: Noted; also: Also }>;
}

/** Questions that wait for a database that takes nothing; of more the newest are lost. */
const MAX_WAITING = 1_000;
const AGAIN_MS = 1_000;

/** Opens the gaps of a service. */
export function openGaps({ store, log, embeddings, notesOwn }: GapParts): Gaps {
  const comparison = new GapComparison(embeddings?.model);
  const waiting: Parameters<Gaps["noteOwn"]>[0][] = [];
  const closing = new AbortController();
  let working: Promise<void> | undefined;
  let lost = 0;
  let isFailing = false;

  const note = async (ready: QuestionToNote, isThere?: OwnQuestion["isThere"]): Promise<Noted | undefined> => {
    await comparison.catchUp(store);
    return store.write(function* () {
      if (isThere !== undefined && !(yield* isThere())) return undefined;
      return yield* noteQuestion(ready, comparison);
    });
  };
  const tell = (cause?: unknown): void => {
    if (isFailing === (cause !== undefined)) return;
    isFailing = cause !== undefined;
    if (isFailing) log.warn("questions without an answer cannot be noted; they wait", { cause });
    else log.warn("questions without an answer are noted again", { lost });
    if (!isFailing) lost = 0;
  };
  const work = async (): Promise<void> => {
    for (let next = waiting[0]; next !== undefined; next = waiting[0]) {
      try {
        const question = await next();
        // Where it has to wait, it does so without what it was made of.
        waiting[0] = () => question;
        if (question !== undefined) await note(await prepared(question, embeddings), question.isThere);
        waiting.shift();
        tell();
      } catch (cause) {
        tell(cause);
        if (closing.signal.aborted) return;
        await pause(AGAIN_MS, undefined, { signal: closing.signal, ref: false }).catch(() => undefined);
      }
    }
  };
  const start = (): Promise<void> =>
    (working ??= work().finally(() => {
      working = undefined;
    }));

  return {
    async note(question) {
      const ready = await prepared(question, embeddings);
      const noted = await note(ready);
      if (noted === undefined) throw new Error("a question was not noted");
      return { ...noted, maybe: noted.isAlone ? await store.read(maybeGaps(comparison, ready, noted.gap)) : [] };
    },
    noteOwn(make) {
      if (!notesOwn) return;
      if (waiting.length >= MAX_WAITING) lost += 1;
      else waiting.push(make);
      void start();
    },
    async close() {
      closing.abort();
      await working;
      if (waiting.length > 0 && !isFailing) await start();
      if (waiting.length + lost > 0)
        log.warn("questions without an answer were not noted", { lost: waiting.length + lost });
    },
    answerTo: (question) =>
      answerTo(store, comparison, question).catch((cause: unknown) => {
        log.warn("questions that were asked before could not be looked at", { cause });
        return undefined;
      }),
    async noteWith(question, also) {
      const ready = await prepared(question, embeddings);
      await comparison.catchUp(store);
      return store.write(function* () {
        const noted = yield* noteQuestion(ready, comparison);
        return { noted, also: yield* also() };
      });
    },
  };
}

function* maybeGaps(comparison: GapComparison, { traits, vector }: QuestionToNote, but: number): Steps<StoredGap[]> {
  const hiding = yield* hidingOf();
  const hidden = hiddenTraits(traits, (term) => hiding.term(term));
  const { model = null, numbers = null } = vector ?? {};
  return yield* toldGaps(comparison.maybeOf({ traits: hidden, model, vector: numbers }, but));
}

async function answerTo(
  store: Store,
  comparison: GapComparison,
  { words, meaning }: AlikeQuestion,
): Promise<number | undefined> {
  const traits = traitsOf(words.slice(0, MAX_GAP_QUESTION).toWellFormed());
  const { model = null, vector = null } = meaning ?? {};
  const seek = (hiding: Hiding) => ({ traits: hiddenTraits(traits, (term) => hiding.term(term)), model, vector });
  for (;;) {
    const answer = await store.read(comparison.answerTo(seek));
    if (answer !== "more") return answer;
    // Where the truth is a file of this process, a read is work and no wait.
    await new Promise((resolve) => setImmediate(resolve));
  }
}
