/** Quotes -> the packets of an answer: text, citation marks, and what could not be done, said. */
import type { Quote } from "./choosing.ts";
import { citation, type Emission, messageDelta, messageStart } from "../packets.ts";
import { quotable, quotableCode } from "./quoting.ts";
import type { Source } from "../source.ts";
import type { Turn } from "../turn.ts";
import type { Told } from "./telling.ts";

/** An answer of whole sentences and of quotes, one below the other. */
export function* compose(
  turn: number,
  { paragraphs, sources, finding }: Told,
  { includeCitations, wording }: Pick<Turn, "includeCitations" | "wording">,
): Generator<Emission> {
  yield messageStart(
    turn,
    sources.map((source) => source.document),
    finding,
  );
  const numbers = new Map<string, number>();
  const blocks = paragraphs.flatMap<string | Block>((paragraph) =>
    typeof paragraph === "string" ? paragraph : blocksOf(paragraph),
  );
  for (const [index, block] of blocks.entries()) {
    const separator = index === 0 ? "" : "\n\n";
    if (typeof block === "string") yield messageDelta(turn, separator + block);
    else {
      yield* blockPackets(turn, separator, block, wording.notes.quoteNotKept);
      if (includeCitations) yield* markPackets(turn, block.source, numbers);
    }
  }
}

/** Quotes of one source that follow each other. One mark serves them all. */
interface Block {
  readonly source: Source;
  readonly parts: readonly string[];
}

function blocksOf(quotes: readonly Quote[]): Block[] {
  const blocks: { source: Source; quotes: Quote[] }[] = [];
  for (const quote of quotes) {
    const last = blocks.at(-1);
    if (last?.source === quote.source) last.quotes.push(quote);
    else blocks.push({ source: quote.source, quotes: [quote] });
  }
  return blocks.map((block) => ({ source: block.source, parts: block.quotes.map(partOf) }));
}

/** A quote with what sets it apart from the one before it: entries that follow each other are a list. */
function partOf({ kind, text }: Quote, index: number, quotes: readonly Quote[]): string {
  const before = quotes[index - 1]?.kind;
  if (kind === "entry") {
    const isInList = before !== undefined || quotes[index + 1]?.kind === "entry";
    const apart = before === undefined ? "" : before === "entry" ? "\n" : before === "code" ? "\n" : "\n\n";
    return isInList ? `${apart}- ${quotable(text)}` : quotable(text);
  }
  const apart =
    before === undefined ? "" : before === "entry" ? "\n\n" : kind === "code" ? "\n" : before === "code" ? "" : " ";
  return apart + (kind === "code" ? `${quotableCode(text)}\n` : quotable(text));
}

/** @param notKept stands in the stored answer for a quote from text that is never stored */
function* blockPackets(
  turn: number,
  separator: string,
  { source, parts }: Block,
  notKept: string,
): Generator<Emission> {
  for (const [index, part] of parts.entries()) {
    const lead = index === 0 ? separator : "";
    const kept = index === 0 ? `${separator}${notKept}` : "";
    yield messageDelta(turn, lead + part, source.passing ? kept : undefined);
  }
}

function* markPackets(turn: number, source: Source, numbers: Map<string, number>): Generator<Emission> {
  const known = numbers.get(source.documentId);
  const number = known ?? numbers.size + 1;
  numbers.set(source.documentId, number);
  yield* citation(turn, number, source, { isFirst: known === undefined, before: " " });
}
