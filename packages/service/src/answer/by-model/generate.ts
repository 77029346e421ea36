/** The answer a model writes from the sources, with the tools it may call. */
import type { ServiceContext } from "../../context.ts";
import type { ModelSettings } from "../../model-server.ts";
import { MarkRewriter, type Rewritten } from "../citations.ts";
import { ClaimWatch, type Watched } from "./claims/claim-watch.ts";
import { judgeBy } from "./claims/grounds.ts";
import { remarkOf } from "./claims/remark.ts";
import { LinkGuard } from "./link-guard.ts";
import { type CalledTool, converse, ModelError, type ModelCall } from "./model.ts";
import { citation, doubted, type Emission, messageDelta, messageStart, placed } from "../packets.ts";
import { MaterialFence, promptOf, SourceBook } from "./prompt.ts";
import type { Evidence } from "../source.ts";
import { toolboxOf } from "./toolbox.ts";
import type { Findings, Turn } from "../turn.ts";

/** The model failed: why, what had been found by then, and where an answer without it goes on. */
interface ModelFailure {
  readonly reason: string;
  readonly evidence: readonly Evidence[];
  readonly nextTurn: number;
}

/** Rounds of tool calls before the model has to answer. */
const MAX_ROUNDS = 4;

/** Answers how the model failed, or that it said nothing; throws the signal's reason when that is aborted. */
export async function* generate(
  context: ServiceContext,
  model: ModelSettings,
  turn: Turn,
  findings: Findings,
  signal: AbortSignal,
): AsyncGenerator<Emission, ModelFailure | undefined> {
  const book = new SourceBook();
  book.evidence.push(...findings.evidence);
  const fence = new MaterialFence();
  const toolbox = toolboxOf(context, turn, book, fence);
  const messages = promptOf(turn, book, fence);
  const speech = new Speech(turn, book, findings);
  try {
    for (let round = 0; ; round++) {
      const mayCall = round < MAX_ROUNDS;
      const call: ModelCall = {
        messages,
        tools: mayCall ? toolbox.definitions(round) : [],
        ...(round === 0 && toolbox.choice !== undefined ? { choice: toolbox.choice } : {}),
        override: turn.override,
      };
      const span = context.tracing.begin("model", { kind: "client", facts: { round } });
      yield* speech.speak(span.through(converse(context, model, call, signal)));
      const { calls } = speech;
      if (calls.length === 0) break;
      if (!mayCall) throw new ModelError("only tools");
      messages.push({ role: "assistant", content: speech.said, tool_calls: calls.map(wireCall) });
      for (const [tab, called] of calls.entries()) {
        signal.throwIfAborted();
        const result = yield* toolbox.call(called, { turn: speech.turn, tab }, signal);
        messages.push({ role: "tool", tool_call_id: called.id, content: result });
      }
      speech.turn++;
    }
    if (speech.said.trim() === "") throw new ModelError("empty");
    yield* speech.remarks();
    return undefined;
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof ModelError)) throw error;
    return {
      reason: error.reason(turn.wording),
      evidence: book.evidence,
      nextTurn: speech.turn + (speech.begun ? 1 : 0),
    };
  }
}

function wireCall({ id, name, arguments: text }: CalledTool) {
  return { id, type: "function" as const, function: { name, arguments: text } };
}

/** The model's text on its way to the wire: groups begun when there is text, marks rewritten, citations told. */
class Speech {
  turn: number;
  /** The text of the current group. */
  said = "";
  /** Whether the current group has begun. */
  begun = false;
  calls: readonly CalledTool[] = [];
  readonly #order: Turn;
  readonly #book: SourceBook;
  #told = new Set<number>();
  #guard: LinkGuard;
  readonly #language: string | undefined;
  #watch: ClaimWatch;
  /** Of the reasoning that is being told, if any is. */
  #reasoning: LinkGuard | undefined;
  #substituted: string | undefined;
  #cutShort = false;

  constructor(order: Turn, book: SourceBook, { nextTurn, question }: Findings) {
    this.#order = order;
    this.#book = book;
    this.turn = nextTurn;
    this.#language = question.language;
    this.#guard = this.#newGuard();
    this.#watch = this.#newWatch();
  }

  #newWatch(): ClaimWatch {
    return new ClaimWatch(judgeBy(this.#book, this.#order.question, this.#language, () => this.said));
  }

  /** Links may lead to what the answer was drawn from. */
  #newGuard(): LinkGuard {
    return new LinkGuard(this.#book.sources.flatMap(({ link }) => link ?? []));
  }

  async *speak(pieces: ReturnType<typeof converse>): AsyncGenerator<Emission> {
    const rewriter = new MarkRewriter((number) => this.#order.includeCitations && this.#book.get(number) !== undefined);
    this.said = "";
    this.begun = false;
    this.calls = [];
    this.#told = new Set();
    this.#guard = this.#newGuard();
    this.#watch = this.#newWatch();
    for await (const piece of pieces) {
      if ("substituted" in piece) this.#substituted = piece.substituted;
      else if ("reasoning" in piece) yield* this.#reason(piece.reasoning);
      else if ("text" in piece) {
        this.said += piece.text;
        yield* this.#write(rewriter.push(piece.text));
      } else {
        this.calls = piece.calls;
        this.#cutShort = piece.cutShort;
      }
    }
    yield* this.#write(rewriter.end());
    yield* this.#tell(this.#guard.end());
    yield* this.#watched(this.#watch.end());
    yield* this.#endReasoning();
    if (this.begun && this.calls.length > 0) this.turn++;
  }

  /** What there is to say about how the answer came about. */
  *remarks(): Generator<Emission> {
    const { notes, wording } = this.#order;
    const remarks = [...notes];
    if (this.#cutShort) remarks.push(wording.notes.modelCutShort);
    if (this.#substituted !== undefined) remarks.push(wording.notes.modelSubstituted(this.#substituted));
    for (const remark of remarks) yield messageDelta(this.turn, `\n\n${remark}`);
  }

  *#write(pieces: readonly Rewritten[]): Generator<Emission> {
    for (const piece of pieces) {
      if ("text" in piece) yield* this.#tell(this.#guard.push(piece.text));
      else {
        yield* this.#tell(this.#guard.settle());
        yield* this.#begin();
        yield* this.#watched(this.#watch.cite(piece.cited));
        yield* this.#cite(piece.cited);
      }
    }
  }

  *#tell(text: string): Generator<Emission> {
    // White space before the first word is no answer yet.
    if (text === "" || (!this.begun && text.trim() === "")) return;
    yield* this.#begin();
    yield* this.#watched(this.#watch.push(text));
  }

  *#watched(pieces: readonly Watched[]): Generator<Emission> {
    for (const piece of pieces) {
      if ("text" in piece) yield messageDelta(this.turn, piece.text);
      else yield doubted(this.turn, remarkOf(piece.doubt, this.#order.wording), piece);
    }
  }

  *#begin(): Generator<Emission> {
    if (this.begun) return;
    yield* this.#endReasoning();
    this.begun = true;
    yield messageStart(
      this.turn,
      this.#book.sources.map((source) => source.document),
    );
  }

  *#cite(number: number): Generator<Emission> {
    const source = this.#book.get(number);
    if (source === undefined) return;
    yield* citation(this.turn, number, source, { isFirst: !this.#told.has(number), before: "" });
    this.#told.add(number);
  }

  *#reason(reasoning: string): Generator<Emission> {
    if (this.begun) return;
    if (this.#reasoning === undefined) {
      this.#reasoning = this.#newGuard();
      yield placed({ turn: this.turn }, { type: "reasoning_start" });
    }
    yield* this.#reasoned(this.#reasoning.push(reasoning));
  }

  *#reasoned(text: string): Generator<Emission> {
    if (text !== "") yield placed({ turn: this.turn }, { type: "reasoning_delta", reasoning: text });
  }

  *#endReasoning(): Generator<Emission> {
    if (this.#reasoning === undefined) return;
    yield* this.#reasoned(this.#reasoning.end());
    this.#reasoning = undefined;
    yield placed({ turn: this.turn }, { type: "reasoning_done" });
    yield placed({ turn: this.turn }, { type: "section_end" });
    this.turn++;
  }
}
