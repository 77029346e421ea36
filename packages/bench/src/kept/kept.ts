import { createClient } from "@threadlore/client";
import { createKeptAnswers } from "@threadlore/client/kept";
import { createService, type ModelSettings } from "@threadlore/service";
import { join } from "node:path";
import { allProse } from "../answers/prose.ts";
import { handbook } from "../answers/sets.ts";
import { startOracle } from "../answers/oracle.ts";
import type { Document } from "../answers/collection.ts";
import { holdsAny } from "../answers/gold.ts";
import { API_KEY, fill } from "../filled-service.ts";
import { columnsOf, type Group, type Outcome, type Row } from "../report.ts";
import { withFolder } from "../with-folder.ts";
import { keptDocument, type KeptPair, keptPairs, type ReplySet, replySets } from "./kept-sets.ts";

/** How much is measured. */
interface KeptBench {
  /** Passages of other prose. */
  readonly others: number;
  readonly only?: readonly string[] | undefined;
}

const LOOKED_AT = ["other words", "notices"] as const;
const KEPT_BACK = [...LOOKED_AT, "companies"] as const;
/** Every so manieth of the other passages is taken for one that somebody brings. */
const BROUGHT = 20;

const BASE = "http://127.0.0.1:8411";
type Service = ReturnType<typeof createService>;

/** Of contradictions so many have to be told or shown, in hundred, and of what is kept so many may be told falsely. */
const LEAST_KNOWN = 60;
const MAX_FALSE = 5;

/** Questions asked in other words than those a kept answer knows, and doubts that are due and those that are not. */
export async function benchKept({ others, only }: KeptBench): Promise<Outcome> {
  const prose: Document[] = [...(await allProse()).slice(0, others), ...handbook("en")];
  const replies: Row[] = [];
  const doubts: Row[] = [];
  for (const isKeptBack of [false, true]) {
    const named = isKeptBack ? "kept back" : "looked at";
    for (const withVectors of [false, true]) {
      if (only !== undefined && !only.includes(withVectors ? "vectors" : "words")) continue;
      replies.push(
        await repliesOf(
          `${named}, ${withVectors ? "with" : "without"} an embedding server`,
          replySets(isKeptBack),
          prose,
          withVectors,
          isKeptBack ? SAY_NOTHING : SAY,
        ),
      );
    }
    if (only !== undefined && !only.includes("doubts")) continue;
    for (const written of isKeptBack ? KEPT_BACK : LOOKED_AT) {
      doubts.push(
        await doubtsOf(`${written}, ${named}`, keptPairs(written, isKeptBack), prose, isKeptBack ? SAY_NOTHING : SAY),
      );
    }
  }
  const groups: Group[] = [
    {
      name: "what is asked in other words, answered from the kept answer",
      columns: columnsOf({ asked: 0, right: 0, "right %": 1, wrong: 0 }),
      rows: replies,
    },
    {
      name: "doubts",
      columns: columnsOf({
        contradicted: 0,
        told: 0,
        "told %": 1,
        "told or shown": 0,
        "told or shown %": 1,
        "told or listed": 0,
        "told or listed %": 1,
        "controls listed": 0,
        "listed by others": 0,
        "shown others alone %": 1,
        "prose shown %": 1,
        controls: 0,
        "told falsely": 0,
        "by others": 0,
        "kept besides": 0,
      }),
      rows: doubts,
    },
  ];
  const unknown = doubts.filter(({ figures }) => (figures["told or shown %"] ?? 0) < LEAST_KNOWN);
  const sumOf = (column: string): number => doubts.reduce((sum, { figures }) => sum + (figures[column] ?? 0), 0);
  const isFalse = sumOf("told falsely") * 100 > MAX_FALSE * sumOf("controls");
  const missed = [
    ...unknown.map(({ name }) => `${name}: ${LEAST_KNOWN} % told or shown`),
    ...(isFalse ? [`at most ${MAX_FALSE} % of controls told falsely`] : []),
  ];
  return { groups: groups.filter(({ rows }) => rows.length > 0), missed };
}

/** Of sets that are kept back nothing but figures is said. */
type Say = (words: string) => void;
const SAY: Say = (words) => console.error(`  ${words}`);
const SAY_NOTHING: Say = () => undefined;

async function withService<Result>(
  embeddings: ModelSettings | undefined,
  work: (service: Service, send: (document: object) => Promise<void>) => Promise<Result>,
): Promise<Result> {
  return withFolder(async (folder) => {
    const service = createService({
      database: join(folder, "service.db"),
      apiKey: API_KEY,
      ...(embeddings && { embeddings }),
    });
    const client = createClient({ baseUrl: BASE, apiKey: API_KEY, fetch: service.fetch });
    try {
      return await work(service, async (document) => {
        await client.ingest({ document: document as Parameters<typeof client.ingest>[0]["document"] });
      });
    } finally {
      await service.close();
    }
  });
}

async function repliesOf(
  name: string,
  sets: readonly ReplySet[],
  prose: readonly Document[],
  withVectors: boolean,
  say: Say,
): Promise<Row> {
  const questions = sets.flatMap(({ id, later, gold }) =>
    later.map((q, at) => ({ id: `${id}/${at}`, part: "", q, gold: [...gold], document: id, lang: "en" })),
  );
  const documents = sets.map(({ id, answer, asked }) => ({ id, title: asked[0] ?? "", text: answer }));
  const oracle = withVectors ? await startOracle(questions as never, documents) : undefined;
  try {
    return await withService(oracle && { baseUrl: oracle.baseUrl, name: "oracle" }, async (service, send) => {
      await fill(service, prose);
      for (const { id, asked, answer } of sets) await send(keptDocument(id, asked, answer));
      await service.drain();
      const client = createClient({ baseUrl: BASE, apiKey: API_KEY, fetch: service.fetch });
      let [right, wrong] = [0, 0];
      for (const { q, gold, document } of questions) {
        const reply = await client.sendMessage({ message: q });
        const cited = new Set((reply.citation_info ?? []).map(({ document_id }) => document_id));
        const isRight = cited.has(document) && holdsAny(reply.answer ?? "", gold);
        if (isRight) right++;
        else {
          if (sets.some(({ id }) => cited.has(id) && id !== document)) wrong++;
          say(`${document}: ${q} -> ${[...cited].join(", ") || "nothing"}`);
        }
      }
      const asked = questions.length;
      return { name, ours: true, figures: { asked, right, "right %": (100 * right) / asked, wrong } };
    });
  } finally {
    await oracle?.close();
  }
}

/** The newer document of a pair, as a program sends it. */
const newerOf = ({ id, newer: { title, text } }: KeptPair): object => ({
  id: `${id} newer`,
  semantic_identifier: title,
  sections: [{ text }],
  source: "web",
  doc_updated_at: "2026-06-01T00:00:00Z",
});

async function doubtsOf(name: string, pairs: readonly KeptPair[], prose: readonly Document[], say: Say): Promise<Row> {
  return withService(undefined, async (service, send) => {
    const others = replySets(false);
    for (const { id, question, kept } of pairs) await send(keptDocument(id, [question], kept));
    for (const { id, asked, answer } of others) await send(keptDocument(id, asked, answer));
    await service.drain();
    await fill(service, prose);
    for (const pair of pairs) await send(newerOf(pair));
    await service.drain();
    const keptAnswers = createKeptAnswers({ baseUrl: BASE, apiKey: API_KEY, fetch: service.fetch });
    const { kept_answers } = await keptAnswers.list({ most: 200 });
    const shownTo = async (document: string): Promise<readonly string[]> =>
      (await keptAnswers.near(document)).kept_answers.map(({ document_id }) => document_id);
    const shown = new Map<string, readonly string[]>();
    for (const { id } of pairs) shown.set(id, await shownTo(`${id} newer`));
    const brought = prose.filter((_, at) => at % BROUGHT === 0);
    let shownOfProse = 0;
    for (const { id } of brought) if ((await shownTo(id)).length > 0) shownOfProse++;
    const told = new Set(
      kept_answers.flatMap(({ document_id, doubts }) => doubts.map((one) => `${document_id} < ${one.document_id}`)),
    );
    const isTold = ({ id }: KeptPair) => told.has(`${id} < ${id} newer`);
    const own = new Set(pairs.map(({ id }) => `${id} < ${id} newer`));
    // What contradicts a pair contradicts whoever else keeps the same, too.
    const isSame = (id: string, by: string | null | undefined): boolean => {
      const answer = others.find((one) => one.id === id)?.answer;
      const pair = pairs.find((one) => `${one.id} newer` === by);
      if (answer === undefined || pair?.contradicts !== true) return false;
      return answer.includes(pair.kept) || pair.kept.includes(answer);
    };
    const strays = kept_answers.flatMap(({ document_id, doubts }) =>
      doubts
        .filter((one) => !own.has(`${document_id} < ${one.document_id}`) && !isSame(document_id, one.document_id))
        .map((one) => `${document_id}: ${one.kept_says} <> ${one.title}: ${one.says}`),
    );
    for (const stray of strays) say(stray);
    const [contradicted, controls] = [pairs.filter((one) => one.contradicts), pairs.filter((one) => !one.contradicts)];
    say(
      `told ${contradicted
        .filter(isTold)
        .map(({ id }) => id)
        .join(" ")}; falsely ${controls
        .filter(isTold)
        .map(({ id }) => id)
        .join(" ")}`,
    );
    const count = contradicted.filter(isTold).length;
    const { kept_answers: maybe } = await keptAnswers.maybeChanged({ most: 200 });
    const listedBy = new Map(maybe.map(({ document_id, by }) => [document_id, by.document_id]));
    const isListed = ({ id }: KeptPair): boolean => listedBy.get(id) === `${id} newer`;
    const found = contradicted.filter((pair) => isTold(pair) || isListed(pair)).length;
    const listedByOthers = [...listedBy].filter(([id, by]) => !own.has(`${id} < ${by}`) && !isSame(id, by)).length;
    const isShown = ({ id }: KeptPair): boolean => shown.get(id)?.includes(id) === true;
    const known = contradicted.filter((pair) => isTold(pair) || isShown(pair)).length;
    const ofOthersAlone = pairs.filter((pair) => shown.get(pair.id)?.length !== 0 && !isShown(pair)).length;
    say(
      `neither told nor shown ${contradicted
        .filter((pair) => !isTold(pair) && !isShown(pair))
        .map(({ id }) => id)
        .join(" ")}`,
    );
    return {
      name,
      ours: true,
      figures: {
        contradicted: contradicted.length,
        told: count,
        "told %": (100 * count) / contradicted.length,
        "told or shown": known,
        "told or shown %": (100 * known) / contradicted.length,
        "told or listed": found,
        "told or listed %": (100 * found) / contradicted.length,
        "controls listed": controls.filter(isListed).length,
        "listed by others": listedByOthers,
        "shown others alone %": (100 * ofOthersAlone) / pairs.length,
        "prose shown %": (100 * shownOfProse) / brought.length,
        controls: controls.length,
        "told falsely": controls.filter(isTold).length,
        "by others": new Set(strays.map((stray) => stray.split(":")[0])).size,
        "kept besides": others.length,
      },
    };
  });
}
