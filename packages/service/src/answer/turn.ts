import type { BaseFilters, LLMOverride } from "@threadlore/client/models";
import type { Caller } from "../context.ts";
import type { Persona } from "../store/personas.ts";
import type { Message } from "../store/sessions.ts";
import type { Tool } from "../store/tools.ts";
import type { Quote } from "./extracted/choosing.ts";
import type { AskedQuestion } from "./extracted/asked.ts";
import type { Decision } from "./extracted/decide.ts";
import type { LocalText } from "./retrieve.ts";
import type { Evidence } from "./source.ts";
import type { Wording } from "./wording/wording.ts";

/** A question with everything that was decided about it before it is answered. */
export interface Turn {
  readonly question: string;
  /** What the service says itself, in the question's language. */
  readonly wording: Wording;
  /** The branch this question continues, oldest first, without the question itself. */
  readonly history: readonly Message[];
  readonly caller: Caller;
  readonly persona: Persona;
  /** The request's filters, narrowed to the persona's document sets. */
  readonly filters: BaseFilters | null;
  /** Whether the built-in search may be used. */
  readonly search: boolean;
  readonly customTools: readonly Tool[];
  /** A custom tool that must be called. */
  readonly forced: Tool | undefined;
  /** Attached files and additional context, the latter first. */
  readonly texts: readonly LocalText[];
  /** Sentences about what could not be read or done. */
  readonly notes: readonly string[];
  readonly includeCitations: boolean;
  readonly deepResearch: boolean;
  readonly override: LLMOverride | null;
}

/** What was found for a question, and how the question was understood. */
export interface Findings {
  readonly question: AskedQuestion;
  /** Evidence from attached texts, then from the store, best first. */
  readonly evidence: readonly Evidence[];
  /** What is to be quoted where that is settled already; absent: the best of the evidence. */
  readonly quotes?: readonly Quote[];
  /** What the evidence comes to, where it was thought about already. */
  readonly decision?: Decision | undefined;
  /** The turn the answer has in the run. */
  readonly nextTurn: number;
}
