/** What a question's evidence says to it: decided here, or in another thread where the index is worked with in such. */
import type { Caller, ServiceContext } from "../context.ts";
import { isLimited } from "../search/even.ts";
import { indexOf } from "../search/hosting/index-host.ts";
import type { AskedQuestion } from "./extracted/asked.ts";
import { type Decision, judge } from "./extracted/decide.ts";
import type { Evidence } from "./source.ts";

/** What is to be thought about: plain data, so that it can be done in another thread. */
interface Given {
  readonly question: AskedQuestion;
  /** From texts that came along, and from the store: the best first. */
  readonly local: readonly Evidence[];
  readonly found: readonly Evidence[];
}

/** What it comes to. */
interface Thought {
  readonly decision: Decision;
  /** Places among what was found, of what is about the question at all. */
  readonly relevant: readonly number[];
}

/** What was decided, and what of the evidence found is about the question. */
export interface Deliberation {
  readonly decision: Decision;
  readonly relevant: readonly Evidence[];
}

const THIS = new URL(import.meta.url);

/** Takes tens of milliseconds: too long for the thread in which everybody is answered. */
export async function deliberate(
  { db }: Pick<ServiceContext, "db">,
  caller: Caller,
  given: Given,
): Promise<Deliberation> {
  const index = indexOf(db);
  const thought = index.isElsewhere(isLimited(caller)) ? await index.run<Given, Thought>(THIS, given) : work(given);
  return { decision: thought.decision, relevant: thought.relevant.flatMap((place) => given.found[place] ?? []) };
}

/** Called where it is done. */
export function work({ question, local, found }: Given): Thought {
  const { decision, relevant } = judge(question, [...local, ...found]);
  return {
    decision,
    relevant: found.flatMap((one, place) => (relevant.has(one) ? place : [])),
  };
}
