/** Speaking to an OpenAI-compatible model server: one request, its pieces, and what went wrong in plain words. */
import type { LLMOverride } from "@threadlore/client/models";
import type {
  ChatCompletionChunk,
  ChatCompletionMessageParam,
  ChatCompletionTool,
  ChatCompletionToolChoiceOption,
} from "openai/resources/chat/completions";
import type { ServiceContext } from "../../context.ts";
import { EN } from "../wording/en.ts";
import type { ModelTrouble, Wording } from "../wording/wording.ts";
import { modelServerClient, type ModelSettings } from "../../model-server.ts";

/** Loaded with the first question to a model: it takes as long to load as everything else here together. */
type Library = typeof import("openai");

/** One thing to ask of the model. */
export interface ModelCall {
  readonly messages: readonly ChatCompletionMessageParam[];
  readonly tools: readonly ChatCompletionTool[];
  readonly choice?: ChatCompletionToolChoiceOption;
  readonly override: LLMOverride | null;
}

/** A piece of what the model says. */
type Said =
  | { readonly text: string }
  | { readonly reasoning: string }
  /** Said first where the model asked for is not there and the configured one answers. */
  | { readonly substituted: string }
  | { readonly calls: readonly CalledTool[]; readonly cutShort: boolean };

/** A tool the model wants called; `arguments` as it wrote them, which may not be JSON. */
export interface CalledTool {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

/** The model server failed; its message, in English, is for logs. */
export class ModelError extends Error {
  override readonly name = "ModelError";
  readonly trouble: ModelTrouble;
  readonly status: number | undefined;
  readonly #number: number;

  /** @param number the status it answered with, or the seconds it said nothing for */
  constructor(trouble: ModelTrouble, number = 0) {
    super(EN.modelTroubles[trouble](number));
    this.trouble = trouble;
    this.#number = number;
    this.status = number >= 100 && trouble !== "silent" ? number : undefined;
  }

  /** Why, to continue "The model could not answer: …". */
  reason({ modelTroubles }: Wording): string {
    return modelTroubles[this.trouble](this.#number);
  }
}

/** Longest answer that is read, characters. A model in a loop must not fill the memory. */
const MAX_ANSWER_LENGTH = 400_000;

/**
 * What the model says to one call, piece by piece; the last piece tells its tool calls. Throws ModelError when it
 * fails, says nothing for `settings.modelSilenceMs`, or breaks off; the signal's reason when that is aborted.
 */
export async function* converse(
  context: Pick<ServiceContext, "settings">,
  model: ModelSettings,
  call: ModelCall,
  signal: AbortSignal,
): AsyncGenerator<Said> {
  let { tools, override } = call;
  for (;;) {
    let said = false;
    try {
      for await (const piece of once(context, model, { ...call, tools, override }, signal)) {
        said = true;
        yield piece;
      }
      return;
    } catch (error) {
      const refused = error instanceof ModelError && !said && [400, 404, 422].includes(error.status ?? 0);
      if (!refused) throw error;
      // A model this server does not have, then a model that knows no tools: asked again without.
      if (override?.model_version != null) {
        yield { substituted: override.model_version };
        override = { ...override, model_version: null };
      } else if (tools.length > 0 && call.choice === undefined) {
        tools = [];
      } else {
        throw error;
      }
    }
  }
}

/** A whole reply to one message, without tools; undefined when the model fails. */
export async function complete(
  context: Pick<ServiceContext, "settings">,
  model: ModelSettings,
  question: string,
  override: LLMOverride | null,
  signal: AbortSignal,
): Promise<string | undefined> {
  const call: ModelCall = { messages: [{ role: "user", content: question }], tools: [], override };
  let text = "";
  try {
    for await (const piece of converse(context, model, call, signal)) if ("text" in piece) text += piece.text;
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ModelError) return undefined;
    throw error;
  }
  return text;
}

async function* once(
  { settings }: Pick<ServiceContext, "settings">,
  model: ModelSettings,
  call: ModelCall,
  signal: AbortSignal,
): AsyncGenerator<Said> {
  const library: Library = await import("openai");
  signal.throwIfAborted();
  const silence = new AbortController();
  const stop = AbortSignal.any([signal, silence.signal]);
  const timer = setTimeout(() => silence.abort(), settings.modelSilenceMs);
  try {
    const stream = await modelServerClient(library, model).chat.completions.create(paramsOf(model, call), {
      signal: stop,
    });
    yield* piecesOf(stream, timer);
    // The library ends an aborted stream quietly.
    stop.throwIfAborted();
  } catch (error) {
    signal.throwIfAborted();
    if (silence.signal.aborted) throw new ModelError("silent", Math.round(settings.modelSilenceMs / 100) / 10);
    throw modelErrorOf(library, error);
  } finally {
    clearTimeout(timer);
    silence.abort();
  }
}

async function* piecesOf(stream: AsyncIterable<ChatCompletionChunk>, timer: NodeJS.Timeout): AsyncGenerator<Said> {
  const calls = new Map<number, { id: string; name: string; arguments: string }>();
  let finish: string | null = null;
  let length = 0;
  for await (const chunk of stream) {
    timer.refresh();
    const choice = chunk.choices?.[0];
    if (choice === undefined) continue;
    finish = choice.finish_reason ?? finish;
    const delta: ChatCompletionChunk.Choice.Delta & { reasoning_content?: unknown; reasoning?: unknown } =
      choice.delta ?? {};
    const reasoning = delta.reasoning_content ?? delta.reasoning;
    if (typeof reasoning === "string" && reasoning !== "") yield { reasoning };
    if (typeof delta.content === "string" && delta.content !== "") yield { text: delta.content };
    for (const part of delta.tool_calls ?? []) {
      const known = calls.get(part.index) ?? { id: `call_${part.index}`, name: "", arguments: "" };
      known.id = part.id ?? known.id;
      known.name += part.function?.name ?? "";
      known.arguments += part.function?.arguments ?? "";
      calls.set(part.index, known);
      length += part.function?.arguments?.length ?? 0;
    }
    length += (delta.content?.length ?? 0) + (typeof reasoning === "string" ? reasoning.length : 0);
    if (length > MAX_ANSWER_LENGTH) throw new ModelError("endless");
  }
  if (finish === null) throw new ModelError(length === 0 ? "empty or unreadable" : "broken off");
  if (finish === "content_filter") throw new ModelError("withheld");
  yield { calls: [...calls.values()], cutShort: finish === "length" };
}

function paramsOf(model: ModelSettings, { messages, tools, choice, override }: ModelCall) {
  return {
    model: override?.model_version ?? model.name,
    messages: [...messages],
    stream: true as const,
    temperature: override?.temperature ?? 0.1,
    ...(tools.length === 0 ? {} : { tools: [...tools], tool_choice: choice ?? "auto" }),
  };
}

function modelErrorOf({ APIConnectionError, APIError }: Library, error: unknown): ModelError {
  if (error instanceof ModelError) return error;
  if (error instanceof APIConnectionError) return new ModelError("unreachable");
  if (error instanceof APIError) {
    const status = typeof error.status === "number" ? error.status : undefined;
    if (status === 429) return new ModelError("over its limit", status);
    if (status === 401 || status === 403) return new ModelError("key refused", status);
    if (status !== undefined) return new ModelError("failed", status);
    return new ModelError("error");
  }
  return new ModelError(error instanceof SyntaxError ? "unreadable" : "broken off");
}
