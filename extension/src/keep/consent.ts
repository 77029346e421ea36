/** Pages that are sent only when a person says so, having seen what would be sent. Held in memory until then. */
import type { PageSnapshot } from "@threadlore/documents";
import type { KeptAdditions } from "./additions.ts";
import { shelf } from "../storage/slots.ts";
import type { NewEntry } from "../outbox/outbox-entry.ts";
import type { Settings } from "../settings/settings.ts";

/** Why a person is asked. */
export type ConsentReason =
  | PageSnapshot["privacy"][number]
  /** The page is open in a private window. */
  | "private-window"
  /** Everybody who can ask the service would see it. */
  | "public-pair"
  /** No pair is set; the service's default one may be public. */
  | "no-pair"
  /** It is not known whether the pair is public. */
  | "unknown-audience";

/** A question to the person, with what they decide about. */
export interface ConsentQuestion {
  readonly id: string;
  readonly reasons: readonly ConsentReason[];
  /** Host of the page, for the preview. */
  readonly host: string;
  /** The first 300 characters of the text. */
  readonly beginning: string;
  /** What is told about how it was read, in plain words. */
  readonly notes: readonly string[];
  readonly askedAt: number;
  /** What is queued when they agree. */
  readonly entry: NewEntry;
}

/** The open questions. */
export const QUESTIONS = shelf<ConsentQuestion>("consent:");

const MAX_QUESTIONS = 4;

/** Everything that speaks for asking; none: the page goes where the person has said pages go. */
export function consentReasons(
  { privacy }: Pick<PageSnapshot, "privacy">,
  { incognito }: { readonly incognito: boolean },
  { pairId, pairIsPublic }: Pick<Settings, "pairId" | "pairIsPublic">,
): ConsentReason[] {
  const reasons: ConsentReason[] = [...privacy];
  if (incognito) reasons.push("private-window");
  if (pairId === null) reasons.push("no-pair");
  else if (pairIsPublic !== false) reasons.push(pairIsPublic === null ? "unknown-audience" : "public-pair");
  return reasons;
}

/** The open questions, oldest first. */
export async function readQuestions(): Promise<ConsentQuestion[]> {
  return (await QUESTIONS.readAll()).toSorted((one, other) => one.askedAt - other.askedAt);
}

/** Asks; the oldest question gives way when there are too many. The same page is asked about once. */
export async function askConsent(question: ConsentQuestion): Promise<void> {
  const others = await readQuestions();
  const same = others.filter(({ entry }) => entry.documentId === question.entry.documentId);
  const oldest = others.slice(0, Math.max(0, others.length + 1 - MAX_QUESTIONS));
  await QUESTIONS.remove(...[...same, ...oldest].map(({ id }) => id));
  await QUESTIONS.put(question.id, question);
}

/** Takes a question away, whatever the answer was, and gives it back. */
export async function closeQuestion(id: string): Promise<ConsentQuestion | undefined> {
  const question = (await QUESTIONS.readAll()).find((one) => one.id === id);
  await QUESTIONS.remove(id);
  return question;
}

/** Changes what a person adds to the page they are asked about. */
export async function describeQuestion(id: string, additions: KeptAdditions): Promise<void> {
  const question = (await QUESTIONS.readAll()).find((one) => one.id === id);
  if (question !== undefined) await QUESTIONS.put(id, { ...question, entry: { ...question.entry, additions } });
}
