/** Who and what the ids in a text stand for. */
export interface Names {
  account(id: string): Promise<{ readonly name: string } | undefined>;
  place(id: string): Promise<{ readonly name: string } | undefined>;
}

/** The same names, but for so many ids at most: what somebody wrote must not decide how many calls are made. */
export function someNames(names: Names, most: number): Names {
  const asked = new Set<string>();
  const may = (id: string): boolean => asked.has(id) || (asked.size < most && asked.add(id).size > 0);
  return {
    account: async (id) => (may(id) ? names.account(id) : undefined),
    place: async (id) => (may(id) ? names.place(id) : undefined),
  };
}

/** Most names looked up for one text; further ones stay ids. Each may be a call. */
const MAX_LOOKUPS = 200;

const REFERENCE = /<([@#!]?)([^<>|\n]{1,4000})(?:\|([^<>\n]{0,4000}))?>/g;
const CODE = /```[\s\S]*?(?:```|$)|`[^`\n]+`/g;

/**
 * Slack's mrkdwn -> markdown that can be read without Slack: ids are names, links are markdown links, broadcasts are
 * plain words, code and emoji names stay as they are. Nobody is notified by the result. Linear but for the look-ups.
 */
export async function markdownOf(mrkdwn: string, names: Names): Promise<string> {
  const words = await wordsFor(mrkdwn, names);
  const codeOf = (code: string): string => unescaped(code.replace(REFERENCE, (one) => words.get(one)?.words ?? one));
  return rewritten(mrkdwn, CODE, codeOf, (prose) => proseOf(prose, words));
}

/** A text in which what is found is written in one way, and what stands between in another. */
function rewritten(text: string, pattern: RegExp, found: (part: string) => string, between: (part: string) => string) {
  let result = "";
  let from = 0;
  for (const { 0: part, index } of text.matchAll(pattern)) {
    result += between(text.slice(from, index)) + found(part);
    from = index + part.length;
  }
  return result + between(text.slice(from));
}

interface Word {
  readonly words: string;
  readonly link?: string;
}

/** By reference as written, the words that stand for it. */
type Words = ReadonlyMap<string, Word>;

async function wordsFor(mrkdwn: string, names: Names): Promise<Words> {
  const references = new Map([...mrkdwn.matchAll(REFERENCE)].map((match) => [match[0], match]));
  const some = someNames(names, MAX_LOOKUPS);
  const resolved = [...references.values()].map(
    async ([whole, sign = "", target = "", label = ""]) =>
      [whole, await wordFor(sign, target, unescaped(label), some)] as const,
  );
  return new Map(await Promise.all(resolved));
}

async function wordFor(sign: string, target: string, label: string, names: Names): Promise<Word> {
  // Whoever cannot be looked up now keeps their id: a text is worth more than the names in it.
  const nameOf = async (found: Promise<{ name: string } | undefined>): Promise<string> =>
    (await found.catch(() => undefined))?.name || target;
  if (sign === "@") return { words: `@${label || (await nameOf(names.account(target)))}` };
  if (sign === "#") return { words: `#${label || (await nameOf(names.place(target)))}` };
  if (sign === "!") return { words: specialWord(target, label) };
  const address = unescaped(target);
  if (address.startsWith("mailto:")) return { words: label || address.slice("mailto:".length) };
  return { words: label || address, link: address };
}

/** `<!here>`, `<!subteam^S1|@ops>`, `<!date^1392734382^{date}|18 February>`. */
function specialWord(target: string, label: string): string {
  if (label !== "") return label;
  const [kind = target, id = ""] = target.split("^");
  if (kind === "subteam") return `@${id}`;
  if (kind !== "date") return `@${kind}`;
  const seconds = Number(id);
  return Number.isSafeInteger(seconds) ? new Date(seconds * 1000).toISOString().slice(0, 10) : "";
}

function proseOf(mrkdwn: string, words: Words): string {
  const referenceOf = (reference: string): string => {
    const word = words.get(reference);
    if (word === undefined) return unescaped(reference);
    if (word.link === undefined || word.words === word.link) return word.words;
    return `[${word.words.replace(/[[\]]/g, "")}](${word.link.replaceAll("(", "%28").replaceAll(")", "%29").replace(/\s/g, "%20")})`;
  };
  const prose = rewritten(mrkdwn, REFERENCE, referenceOf, (part) => unescaped(styled(part)));
  return prose.replace(/^([ \t]*)[•◦▪]\s+/gm, "$1- ");
}

/** `*bold*` and `~struck~` are doubled; `_italic_` is the same in both. */
function styled(text: string): string {
  return text
    .replace(/(?<![\p{L}\p{N}*])\*(?!\s)([^*\n]{1,4000})(?<!\s)\*(?![\p{L}\p{N}*])/gu, "**$1**")
    .replace(/(?<![\p{L}\p{N}~])~(?!\s)([^~\n]{1,4000})(?<!\s)~(?![\p{L}\p{N}~])/gu, "~~$1~~");
}

/** The three characters Slack escapes, the ampersand last. */
function unescaped(text: string): string {
  return text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
}

const REFERENCES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

/** The three characters the platform reads, as character references. */
export function escapeControl(text: string): string {
  return text.replace(/[&<>]/g, (character) => REFERENCES[character] ?? character);
}
