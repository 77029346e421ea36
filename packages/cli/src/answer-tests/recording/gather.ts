import { NotFoundError, PermissionError, UnsupportedError } from "@threadlore/client";
import type { Deployment } from "@threadlore/client/deployment";
import { createGaps, type Gaps } from "@threadlore/client/gaps";
import { createGoodAnswers } from "@threadlore/client/good-answers";
import { createKeptAnswers } from "@threadlore/client/kept";
import { allDocuments, type ListedDocument } from "../../documents/listing.ts";
import type { AskedQuestion, RecordedFrom } from "./candidates.ts";

/** What is asked for questions to record. */
export interface RecordSources {
  readonly from: ReadonlySet<RecordedFrom>;
  /** Also questions nobody has answered. */
  readonly isWithOpen: boolean;
  readonly connection: Parameters<typeof createGaps>[0];
  readonly deployment: Deployment;
  readonly signal: AbortSignal;
}

/** Questions, and what there is to say of where they are from. */
export interface AskedQuestions {
  readonly candidates: readonly AskedQuestion[];
  readonly notes: readonly string[];
}

/** Entries of a list that are asked for at once. */
const PAGE = 200;
/** Documents that are looked at, at one time and of one server. */
const AT_ONCE = 4;
const MAX_PINS = 5_000;
/** What a kept message says of a channel that everybody in the company can read. */
const OPEN_TO_ALL = "public channel";

/** Asks a server for questions that may become tests. Throws PermissionError where the key may not be told them. */
export async function gather(gathering: RecordSources): Promise<AskedQuestions> {
  const { from, isWithOpen } = gathering;
  const candidates: AskedQuestion[] = [];
  const notes: string[] = [];
  const take = async (what: string, found: () => Promise<AskedQuestion[]>): Promise<void> => {
    try {
      candidates.push(...(await found()));
    } catch (error) {
      if (error instanceof UnsupportedError) notes.push(`This server has no ${what}.`);
      else if (error instanceof PermissionError) throw forbidden(what, error);
      else throw error;
    }
  };
  if (from.has("good")) await take("good answers", () => goodAnswers(gathering));
  if (from.has("gaps")) await take("gaps", () => closedGaps(gathering));
  const looked = new Looked(gathering);
  if (from.has("kept")) await take("kept answers", () => keptAnswers(gathering, looked));
  if (from.has("pins")) await take("texts of documents, which tell what was pinned", () => pins(gathering, looked));
  if (isWithOpen) await take("gaps", () => openGaps(gathering));
  if (looked.leftOut > 0) {
    notes.push(
      looked.leftOut === 1
        ? "One message is left out: not everybody in the company may read where it was written."
        : `${looked.leftOut} messages are left out: not everybody in the company may read where they were written.`,
    );
  }
  return { candidates, notes: [...new Set(notes)] };
}

function forbidden(what: string, { status, host }: PermissionError): PermissionError {
  return new PermissionError(
    `The key may not be told of ${what}: what people asked is for administrators. Record with an admin key, or choose other sources with --from.`,
    { status, host },
  );
}

/** Every entry of a list that comes in pages. */
async function every<Entry>(
  page: (after: string | undefined) => Promise<{ entries: readonly Entry[]; next?: string | null | undefined }>,
): Promise<Entry[]> {
  const all: Entry[] = [];
  let after: string | undefined;
  do {
    const { entries, next } = await page(after);
    all.push(...entries);
    after = next ?? undefined;
  } while (after !== undefined);
  return all;
}

async function goodAnswers({ connection, signal }: RecordSources): Promise<AskedQuestion[]> {
  const server = createGoodAnswers(connection);
  const all = await every(async (after) => {
    const { good_answers: entries, next } = await server.list({ most: PAGE, ...(after && { after }) }, { signal });
    return { entries, next };
  });
  return all.map(({ question: ask, document_ids: cites }) => ({ from: "good", ask, cites }));
}

/** The shared questions of gaps in a state; of private ones there are no words anywhere. */
async function questionsOf(
  server: Gaps,
  state: "open" | "closed",
  signal: AbortSignal,
): Promise<{ ask: string; documentId: string | undefined }[]> {
  const gaps = await every(async (after) => {
    const { gaps: entries, next } = await server.list({ state, most: PAGE, after }, { signal });
    return { entries, next };
  });
  const questions = [];
  for (const { gap_id: id, question, document_id: documentId } of gaps) {
    if (question === null || (state === "closed" && documentId == null)) continue;
    // It may have been forgotten since.
    const detail = await server.find(id, { signal }).catch(unlessGone);
    if (detail?.state !== state) continue;
    for (const { question: ask } of detail.shared_questions) {
      questions.push({ ask, documentId: detail.document_id ?? undefined });
    }
  }
  return questions;
}

function unlessGone(error: unknown): undefined {
  if (error instanceof NotFoundError) return undefined;
  throw error;
}

async function closedGaps({ connection, signal }: RecordSources): Promise<AskedQuestion[]> {
  const questions = await questionsOf(createGaps(connection), "closed", signal);
  return questions.flatMap(({ ask, documentId }) =>
    documentId === undefined ? [] : [{ from: "gaps" as const, ask, cites: [documentId] }],
  );
}

async function openGaps({ connection, signal }: RecordSources): Promise<AskedQuestion[]> {
  const questions = await questionsOf(createGaps(connection), "open", signal);
  return questions.map(({ ask }) => ({ from: "open", ask, cites: [] }));
}

async function keptAnswers({ connection, signal }: RecordSources, looked: Looked): Promise<AskedQuestion[]> {
  const server = createKeptAnswers(connection);
  const all = await every(async (after) => {
    const { kept_answers: entries, next } = await server.list({ state: "all", most: PAGE, after }, { signal });
    return { entries, next };
  });
  return severally(all, async ({ question: ask, document_id: id }) =>
    (await looked.isOpen(id)) ? { from: "kept", ask, cites: [id] } : undefined,
  );
}

/** Messages that were pinned; a kept answer, or what somebody added by hand, is none. */
async function pins({ deployment, signal }: RecordSources, looked: Looked): Promise<AskedQuestion[]> {
  const messages: ListedDocument[] = (await allDocuments(deployment, {}, signal)).filter(
    ({ id, title, status }) => id.startsWith("slack-") && title.trim() !== "" && status !== "failed",
  );
  const found = await severally(
    messages.slice(0, MAX_PINS),
    async ({ id, title: ask }): Promise<AskedQuestion | undefined> => {
      const metadata = await looked.metadataOf(id);
      if (metadata?.["pinned_by"] === undefined || !(await looked.isOpen(id))) return undefined;
      return { from: "pins", ask, cites: [id] };
    },
  );
  return found;
}

/** What becomes of some things, several at a time, in their order. */
async function severally<One, Made>(
  ones: readonly One[],
  make: (one: One) => Promise<Made | undefined>,
): Promise<Made[]> {
  const made: (Made | undefined)[] = [];
  const waiting = ones.entries();
  const work = async (): Promise<void> => {
    for (const [at, one] of waiting) made[at] = await make(one);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return made.filter((one) => one !== undefined);
}

/** What is said of documents as a whole, each looked up once. */
class Looked {
  readonly #deployment: Deployment;
  readonly #signal: AbortSignal;
  readonly #known = new Map<string, Promise<Readonly<Record<string, unknown>> | undefined>>();
  readonly #closed = new Set<string>();

  constructor({ deployment, signal }: Pick<RecordSources, "deployment" | "signal">) {
    this.#deployment = deployment;
    this.#signal = signal;
  }

  /** Documents that are not for everybody. */
  get leftOut(): number {
    return this.#closed.size;
  }

  /** Undefined: there is no such document any more, or nothing is said of it. */
  metadataOf(id: string): Promise<Readonly<Record<string, unknown>> | undefined> {
    const known = this.#known.get(id) ?? this.#look(id);
    this.#known.set(id, known);
    return known;
  }

  /** Whether a message stands where everybody in the company may read it, as far as it says where it stands. */
  async isOpen(id: string): Promise<boolean> {
    const metadata = await this.metadataOf(id);
    if (metadata === undefined) return false;
    const { visibility = OPEN_TO_ALL } = metadata;
    if (visibility !== OPEN_TO_ALL) this.#closed.add(id);
    return visibility === OPEN_TO_ALL;
  }

  async #look(id: string): Promise<Readonly<Record<string, unknown>> | undefined> {
    const shown = await this.#deployment.documentText(id, { most: 1 }, { signal: this.#signal }).catch(unlessGone);
    return shown?.metadata ?? undefined;
  }
}
