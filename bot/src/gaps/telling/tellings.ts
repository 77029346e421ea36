/** Who is told what, and where: pure. */
import { createHash } from "node:crypto";
import type { WaitingQuestion } from "@threadlore/inbox";

/** One thread. */
export interface Thread {
  readonly channel: string;
  readonly thread: string;
}

/** What is decided by. */
export interface Choosing {
  readonly gap: string;
  readonly documentId: string;
  /** `team:user` of whose answer it is: they know. */
  readonly owner: string;
  /** A thread that has the answer already: whoever asked there has seen it. */
  readonly except?: Thread | undefined;
  /** Only these questions; absent: all of the gap. */
  readonly only?: readonly string[] | undefined;
}

/** Of a gap and what closed it: what all its tellings begin with. */
export function tellingLead({ gap, documentId }: Pick<Choosing, "gap" | "documentId">): string {
  return `tell:${gap}:${createHash("sha256").update(documentId).digest("hex").slice(0, 12)}:`;
}

/** Those who are told nothing more. */
export const silentTelling = (choosing: Pick<Choosing, "gap" | "documentId">): string =>
  `${tellingLead(choosing)}silent`;

/** Where a telling is said: a thread, or to this person (`team:user`) alone. */
export type TellingPlace = Thread | { readonly asker: string };

/**
 * With which telling each question is told of: everybody once, where they asked last, all of one thread together. Whoever
 * was told of the same answer, has seen it or gave it themselves is told nothing.
 */
export function chooseTellings(questions: readonly WaitingQuestion[], choosing: Choosing): ReadonlyMap<string, string> {
  const lead = tellingLead(choosing);
  const known = new Set([choosing.owner]);
  for (const { asker, telling, where } of questions) {
    if (telling?.startsWith(lead) === true || isSame(where, choosing.except)) known.add(asker);
  }
  const chosen = new Map<string, string>();
  const last = new Map<string, WaitingQuestion>();
  const waiting = questions.filter(
    ({ ref, telling, toldAt }) =>
      toldAt === undefined && telling?.startsWith(lead) !== true && choosing.only?.includes(ref) !== false,
  );
  for (const question of waiting) {
    if (known.has(question.asker)) chosen.set(question.ref, silentTelling(choosing));
    else if ((last.get(question.asker)?.askedAt ?? 0) <= question.askedAt) last.set(question.asker, question);
  }
  /** The first question told of at a place names the telling: a later one there is another. */
  const names = new Map<string, string>();
  for (const { asker, ref } of waiting) {
    const { where } = last.get(asker) ?? {};
    if (!last.has(asker)) continue;
    const place = where === undefined ? `to:${asker}` : `in:${where.channel}:${where.thread}`;
    const name = names.get(place) ?? `${lead}${ref}:${place}`;
    names.set(place, name);
    chosen.set(ref, name);
  }
  return chosen;
}

/** Where a telling is said. Undefined: nowhere. */
export function placeOfTelling(telling: string): TellingPlace | undefined {
  const [, asker] = /:to:(.+)$/.exec(telling) ?? [];
  if (asker !== undefined) return { asker };
  const [, channel, thread] = /:in:([^:]+):([^:]+)$/.exec(telling) ?? [];
  return channel === undefined || thread === undefined ? undefined : { channel, thread };
}

/** Who is named there: whoever asked in that thread, and in a direct message nobody but its reader. */
export function namedAt(place: TellingPlace, questions: readonly WaitingQuestion[]): readonly string[] {
  const there = questions.filter(({ asker, where }) =>
    "asker" in place ? asker === place.asker : isSame(where, place),
  );
  return [...new Set(there.map(({ asker }) => asker))];
}

const isSame = (where: Thread | undefined, other: Thread | undefined): boolean =>
  where !== undefined && where.channel === other?.channel && where.thread === other.thread;
