import { askedAsText, KEPT_ENTRY, type Metadata } from "@threadlore/client/models";
import { shownLine } from "../text.ts";

/** What an answer somebody had kept is to whoever finds it, beside its words. */
export interface AnswerFacts {
  /** What it answers; empty: its words were taken back. */
  readonly question: string;
  /** Whose answer it is, `team:user`. */
  readonly owner: string;
  /** When they had it kept, milliseconds since 1970. */
  readonly keptAt: number;
  /** The same as others asked it, whose words everybody may read. It is found by them, and does not say them. */
  readonly askedAs?: readonly string[] | undefined;
}

const MAX_QUESTION = 300;
/** More say nothing new. */
const MAX_ASKED = 40;

const lineOf = (question: string): string => shownLine(question, MAX_QUESTION);

/** What its document's metadata say of it. */
export function answerMetadata({ question, owner, keptAt }: AnswerFacts, ownerName: string): Metadata {
  const asked = lineOf(question);
  return {
    [KEPT_ENTRY.key]: KEPT_ENTRY.value,
    ...(asked !== "" && { question: asked }),
    owner: ownerName,
    owner_ref: owner,
    kept_at: new Date(keptAt).toISOString(),
  };
}

/** Its document's last section; empty where nobody else asked. */
export function askedAsSection({ question, askedAs = [] }: AnswerFacts): string {
  const own = lineOf(question);
  return askedAsText([...new Set(askedAs.map(lineOf))].filter((line) => line !== own).slice(0, MAX_ASKED));
}
