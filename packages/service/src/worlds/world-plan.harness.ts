/** Random worlds of pairs, document sets and keys, and a model that says, without asking the service, who may see what. */
import { seededRandom } from "@threadlore/testkit";

/** Somebody with a key, or without. */
export interface Key {
  readonly name: string;
  readonly role: "admin" | "editor" | "ordinary" | "anonymous";
  /** Names of document sets; null: everything. */
  readonly sets: readonly string[] | null;
}

/** A world, and what happens in it. */
export interface Plan {
  readonly pairs: readonly { readonly id: number; readonly isPublic: boolean }[];
  readonly sets: readonly { readonly name: string; readonly pairs: readonly number[] }[];
  readonly keys: readonly Key[];
  /** A document an earlier version united over pairs, if there is one. */
  readonly held: Written | undefined;
  readonly steps: readonly Step[];
}

/** One version of a document. `mark` is asked for; `secret` stands beside it and is in no question. */
export interface Written {
  readonly pair: number;
  readonly id: string;
  readonly mark: string;
  readonly secret: string;
  readonly text: string;
}

/** Something somebody does. */
export type Step =
  | { readonly by: Key; readonly ingest: Written }
  | { readonly by: Key; readonly remove: string; readonly of: number | "all" | undefined };

const IDS = ["index.md", "README.md", "a/notes.txt", "additional_context", "index.md (pair 2)"];
export const WORDS = "lift desk canteen leave holiday office kitchen garden roof window badge parking".split(" ");

/** Chance that is the same for the same seed. */
export class Dice {
  readonly #random: () => number;

  constructor(seed: number) {
    this.#random = seededRandom(seed);
  }

  below(end: number): number {
    return Math.floor(this.#random() * end);
  }

  chance(share: number): boolean {
    return this.#random() < share;
  }

  one<Of>(of: readonly Of[]): Of {
    return of[this.below(of.length)] as Of;
  }

  some<Of>(of: readonly Of[]): Of[] {
    const taken = of.filter(() => this.chance(0.5));
    return taken.length > 0 ? taken : [this.one(of)];
  }
}

// ── Plans ───────────────────────────────────────────────────────────────────────────────────────────────────────

/** A world by chance: who there is, and what they do. */
export function planOf(dice: Dice): Plan {
  const pairs = Array.from({ length: 2 + dice.below(3) }, (_, index) => ({
    id: index + 2,
    isPublic: dice.chance(0.3),
  }));
  const all = [1, ...pairs.map(({ id }) => id)];
  const sets = ["North", "South", "West"].map((name) => ({ name, pairs: dice.some(all).slice(0, all.length - 1) }));
  const setsOf = (): string[] => dice.some(sets.map(({ name }) => name)).slice(0, 2);
  const keys: Key[] = [
    { name: "owner", role: "admin", sets: null },
    { name: "one", role: "editor", sets: setsOf() },
    { name: "two", role: "editor", sets: setsOf() },
    { name: "three", role: "ordinary", sets: setsOf() },
    { name: "nobody", role: "anonymous", sets: [] },
  ];
  let versions = 0;
  const written = (): Written => versionOf(dice, dice.one(all), versions++);
  const held = dice.chance(0.3) ? written() : undefined;
  const steps = Array.from({ length: 8 + dice.below(9) }, (): Step => {
    // Most is written by who may write everywhere; the others try, also where they may not.
    const by = dice.chance(0.5) ? (keys[0] as Key) : dice.one(keys.slice(0, 4));
    if (dice.chance(0.8)) return { by, ingest: written() };
    return { by, remove: dice.one(IDS), of: dice.one([undefined, "all", dice.one(all)] as const) };
  });
  return { pairs, sets, keys, held, steps };
}

function versionOf(dice: Dice, pair: number, number: number): Written {
  const [mark, secret] = [`mark${number}x`, `secret${number}x`];
  const phrase = (): string => Array.from({ length: 3 + dice.below(5) }, () => dice.one(WORDS)).join(" ");
  const sentences = Array.from({ length: dice.below(4) }, () => `The ${phrase()} is there.`);
  const own = `The ${mark} of the ${phrase()} is kept by ${secret}.`;
  return { pair, id: dice.one(IDS), mark, secret, text: [...sentences, own, `A ${phrase()} follows.`].join(" ") };
}

// ── The model ───────────────────────────────────────────────────────────────────────────────────────────────────

/** Who may see what, and what became of each step, said without asking the service. */
export interface Truth {
  readonly visible: ReadonlyMap<Key, ReadonlySet<number>>;
  /** Per step: the status, for what is ingested whether it was there, for what is deleted the pairs it was deleted from. */
  readonly outcomes: readonly {
    readonly status: number;
    readonly existed?: boolean;
    readonly from?: readonly number[];
  }[];
  /** What there is after the last step; the held document has no pair. */
  readonly documents: readonly Written[];
  readonly held: Written | undefined;
  readonly secrets: ReadonlySet<string>;
}

const HELD = 0;

/** What a plan comes to. */
export function modelOf({ pairs, sets, keys, held, steps }: Plan): Truth {
  const all = [1, ...pairs.map(({ id }) => id)];
  const visible = new Map(
    keys.map((key) => {
      if (key.sets === null) return [key, new Set(all)];
      if (key.role === "anonymous") return [key, new Set(pairs.filter((pair) => pair.isPublic).map(({ id }) => id))];
      return [key, new Set(sets.filter(({ name }) => key.sets?.includes(name)).flatMap((set) => set.pairs))];
    }),
  );
  const documents = new Map<string, Written>();
  const at = (pair: number, id: string): string => `${pair} ${id}`;
  if (held !== undefined) documents.set(at(HELD, held.id), held);
  // The held document was under this pair and under pair 1.
  const waiting = new Set(held === undefined ? [] : [1, held.pair]);
  const outcomes = steps.map((step) => {
    const mayWrite = step.by.role !== "ordinary";
    const seen = visible.get(step.by) ?? new Set<number>();
    if ("ingest" in step) {
      const { pair, id } = step.ingest;
      if (!mayWrite) return { status: 403 };
      if (!seen.has(pair)) return { status: 404 };
      const existed = documents.has(at(pair, id));
      documents.set(at(pair, id), step.ingest);
      if (id === held?.id && waiting.delete(pair) && waiting.size === 0) documents.delete(at(HELD, id));
      return { status: 200, existed };
    }
    if (!mayWrite) return { status: 403 };
    const from = [HELD, ...all]
      .filter((pair) => documents.has(at(pair, step.remove)))
      .filter((pair) => (pair === HELD ? step.by.sets === null : seen.has(pair)))
      .filter((pair) => step.of === undefined || step.of === "all" || step.of === pair);
    if (from.length === 0) return { status: 404 };
    if (from.length > 1 && step.of === undefined) return { status: 409 };
    for (const pair of from) documents.delete(at(pair, step.remove));
    return { status: 200, from };
  });
  const written = [held, ...steps.map((step) => ("ingest" in step ? step.ingest : undefined))];
  return {
    visible,
    outcomes,
    documents: [...documents].filter(([place]) => !place.startsWith(`${HELD} `)).map(([, one]) => one),
    held: held === undefined ? undefined : documents.get(at(HELD, held.id)),
    secrets: new Set(written.flatMap((one) => one?.secret ?? [])),
  };
}

/** The steps that concern a reader: their own, and what others did to what the reader sees. */
export function stepsSeenBy({ steps, keys }: Plan, { visible, outcomes }: Truth, reader: Key): Step[] {
  const seen = visible.get(reader) ?? new Set();
  const owner = keys[0] as Key;
  return steps.flatMap((step, index): Step[] => {
    if (step.by === reader) return [step];
    if ("ingest" in step) return seen.has(step.ingest.pair) && outcomes[index]?.status === 200 ? [step] : [];
    const from = (outcomes[index]?.from ?? []).filter((pair) => seen.has(pair));
    return from.map((of) => ({ by: owner, remove: step.remove, of }));
  });
}
