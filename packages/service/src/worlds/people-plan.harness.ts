/** Random companies of people, groups, rules, keys and what happens to them, and a model that says who may see what. */
import { Dice, WORDS } from "./world-plan.harness.ts";

/** Documents that are there, each under a pair: who sees the pair is told `secret` where they ask for `mark`. */
export interface Kept {
  readonly id: string;
  readonly pair: number;
  readonly mark: string;
  readonly secret: string;
  readonly text: string;
}

/** What a corpus holds; many companies have the same. */
export interface Corpus {
  readonly pairs: readonly number[];
  readonly sets: ReadonlyMap<string, readonly number[]>;
  readonly documents: readonly Kept[];
}

type Role = "ordinary" | "editor" | "admin";

/** A group, by who says who is in it; '' of '' is everybody. */
export type Group = readonly [issuer: string, name: string];

/** Something that happens. People and keys go by their place in the plan. */
export type Event =
  | {
      readonly do: "give";
      readonly group: Group;
      readonly role?: Role;
      readonly sets: string[];
      readonly pairs: number[];
      readonly all: boolean;
    }
  | { readonly do: "take"; readonly group: Group }
  | { readonly do: "join" | "leave"; readonly person: number; readonly name: string }
  | { readonly do: "sign in"; readonly person: number; readonly groups: readonly string[] }
  | { readonly do: "disable" | "enable"; readonly person: number }
  | { readonly do: "make key"; readonly person: number }
  | { readonly do: "revoke key"; readonly key: number };

/** Who there is: those of a provider have an issuer, and may be in its groups and in those here. */
export const PROVIDER = "https://login.example.com";
export const PEOPLE: readonly { readonly name: string; readonly isLocal: boolean }[] = [
  { name: "anna", isLocal: true },
  { name: "bó", isLocal: true },
  { name: "李雷", isLocal: false },
  { name: "дарья", isLocal: false },
];
/** The same names here and at the provider: they are not the same groups. */
const NAMES = ["staff", "Löwen", "経理"];

/** A corpus by chance. */
export function corpusOf(dice: Dice): Corpus {
  const pairs = [1, 2, 3, 4, 5];
  const sets = new Map(["North", "South", "東"].map((name) => [name, dice.some(pairs).slice(0, 3)]));
  const documents = pairs.flatMap((pair) =>
    [0, 1].map((n): Kept => {
      const number = pair * 10 + n;
      const [mark, secret] = [`mark${number}x`, `secret${number}x`];
      const text = `The ${dice.one(WORDS)} is there. The ${mark} of the ${dice.one(WORDS)} is kept by ${secret}.`;
      return { id: n === 0 ? "README.md" : `${pair}.md`, pair, mark, secret, text };
    }),
  );
  return { pairs, sets, documents };
}

/** What happens in one company. */
export function eventsOf(dice: Dice, { pairs, sets }: Corpus): Event[] {
  const group = (): Group => {
    if (dice.chance(0.1)) return ["", ""];
    return [dice.chance(0.5) ? "local" : PROVIDER, dice.one(NAMES)];
  };
  const give = (): Event => ({
    do: "give",
    group: group(),
    ...(dice.chance(0.4) && { role: dice.one<Role>(["ordinary", "editor", "admin"]) }),
    sets: dice.chance(0.6) ? [dice.one([...sets.keys()])] : [],
    pairs: dice.chance(0.4) ? [dice.one(pairs)] : [],
    all: dice.chance(0.05),
  });
  const person = (): number => dice.below(PEOPLE.length);
  const foreign = (): number => 2 + dice.below(2);
  const event = (): Event => {
    const makers: (() => Event)[] = [
      give,
      give,
      () => ({ do: "take", group: group() }),
      () => ({ do: "join", person: person(), name: dice.one(NAMES) }),
      () => ({ do: "join", person: person(), name: dice.one(NAMES) }),
      () => ({ do: "leave", person: person(), name: dice.one(NAMES) }),
      () => ({ do: "sign in", person: foreign(), groups: NAMES.filter(() => dice.chance(0.4)) }),
      () => ({ do: dice.chance(0.5) ? "enable" : "disable", person: person() }),
      () => ({ do: "make key", person: person() }),
      () => ({ do: "revoke key", key: dice.below(6) }),
    ];
    return dice.one(makers)();
  };
  const given = [give(), give()];
  const groups = given.flatMap((one) => (one.do === "give" ? [one.group] : []));
  /** Somebody gets into a group that was given something. */
  const enter = ([issuer, name]: Group): Event => {
    if (issuer === PROVIDER) return { do: "sign in", person: foreign(), groups: [name] };
    return issuer === "local" ? { do: "join", person: person(), name } : event();
  };
  return [
    ...PEOPLE.map((_, at): Event => ({ do: "make key", person: at })),
    ...given,
    ...groups.map(enter),
    ...Array.from({ length: 7 }, event),
    // What somebody has is taken from them more often than by chance.
    dice.chance(0.5) ? { do: "take", group: dice.one(groups) } : event(),
  ];
}

/** What somebody may at a moment. */
export interface Rights {
  readonly role: Role;
  readonly pairs: ReadonlySet<number>;
  /** Names of the sets they see; null: all. */
  readonly sets: ReadonlySet<string> | null;
}

const RANKS: readonly Role[] = ["ordinary", "editor", "admin"];

/** What a company comes to, event by event; it knows nothing of the service. */
export class CompanyModel {
  readonly #corpus: Corpus;
  readonly #rules = new Map<string, { role: Role | undefined; sets: Set<string>; pairs: Set<number>; all: boolean }>();
  readonly #groups = PEOPLE.map(() => new Set(["|"]));
  readonly #isDisabled = PEOPLE.map(() => false);
  /** Whose each key is; undefined: it is revoked. */
  readonly keys: (number | undefined)[] = [];

  constructor(corpus: Corpus) {
    this.#corpus = corpus;
  }

  happens(event: Event): void {
    if (event.do === "give") {
      const id = event.group.join("|");
      const rule = this.#rules.get(id) ?? { role: undefined, sets: new Set(), pairs: new Set(), all: false };
      this.#rules.set(id, {
        role: event.role ?? rule.role,
        sets: new Set([...rule.sets, ...event.sets]),
        pairs: new Set([...rule.pairs, ...event.pairs]),
        all: rule.all || event.all,
      });
    } else if (event.do === "take") this.#rules.delete(event.group.join("|"));
    else if (event.do === "join") this.#groups[event.person]?.add(`local|${event.name}`);
    else if (event.do === "leave") this.#groups[event.person]?.delete(`local|${event.name}`);
    else if (event.do === "sign in") this.#signIn(event.person, event.groups);
    else if (event.do === "enable") this.#isDisabled[event.person] = false;
    else if (event.do === "disable") {
      this.#isDisabled[event.person] = true;
      this.keys.forEach((owner, key) => owner === event.person && (this.keys[key] = undefined));
    } else if (event.do === "make key") {
      this.keys.push(this.#isDisabled[event.person] === true ? undefined : event.person);
    } else if (event.do === "revoke key" && event.key < this.keys.length) this.keys[event.key] = undefined;
  }

  #signIn(person: number, groups: readonly string[]): void {
    if (this.#isDisabled[person] === true) return;
    const own = this.#groups[person] ?? new Set();
    for (const one of own) if (one.startsWith(PROVIDER)) own.delete(one);
    for (const name of groups) own.add(`${PROVIDER}|${name}`);
  }

  /** What the holder of a key may now; undefined: the key is worth nothing. */
  rightsOf(key: number): Rights | undefined {
    const person = this.keys[key];
    if (person === undefined) return undefined;
    const rules = [...(this.#groups[person] ?? [])].flatMap((group) => this.#rules.get(group) ?? []);
    const rank = Math.max(0, ...rules.map(({ role }) => RANKS.indexOf(role ?? "ordinary")));
    const role = RANKS[rank] ?? "ordinary";
    if (rules.some(({ all }) => all)) return { role, sets: null, pairs: new Set(this.#corpus.pairs) };
    const sets = new Set(rules.flatMap((rule) => [...rule.sets]));
    const ofSets = [...sets].flatMap((name) => this.#corpus.sets.get(name) ?? []);
    return { role, sets, pairs: new Set([...ofSets, ...rules.flatMap((rule) => [...rule.pairs])]) };
  }
}
