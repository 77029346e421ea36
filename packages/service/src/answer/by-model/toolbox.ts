/** The tools a model may call in one run: the built-in search and the methods of custom tools. */
import type { ChatCompletionTool, ChatCompletionToolChoiceOption } from "openai/resources/chat/completions";
import type { ServiceContext } from "../../context.ts";
import { methodsOf } from "../../tools/definition.ts";
import { callMethod, type CustomMethod, parametersOf } from "./custom-tool.ts";
import { searchPackets } from "../look-up.ts";
import type { CalledTool } from "./model.ts";
import { type Emission, type PacketPlace, placed } from "../packets.ts";
import { type MaterialFence, type SourceBook, sourcesText } from "./prompt.ts";
import { searchEvidence } from "../retrieve.ts";
import type { Turn } from "../turn.ts";

const SEARCH = "internal_search";
/** Characters of a tool's reply that the model reads. */
const RESULT_BUDGET = 8_000;

/** The tools of a turn; what a search finds goes into the book. */
export function toolboxOf(context: ServiceContext, turn: Turn, book: SourceBook, fence: MaterialFence) {
  const methods = new Map<string, CustomMethod>();
  for (const tool of turn.customTools) {
    const derived = methodsOf(tool.definition);
    if ("problems" in derived) continue;
    for (const method of derived.methods) {
      methods.set(freeName(method.name, methods), { toolId: tool.id, server: derived.server, method });
    }
  }

  /** What the model may call; in the first round of a forced tool, only that. */
  const definitions = (round: number): ChatCompletionTool[] => {
    const forced = round === 0 ? turn.forced : undefined;
    const custom = [...methods]
      .filter(([, { toolId }]) => forced === undefined || toolId === forced.id)
      .map(([name, { method }]) => functionTool(name, method.summary, parametersOf(method)));
    const search = turn.search && forced === undefined ? [functionTool(SEARCH, SEARCH_SUMMARY, SEARCH_PARAMETERS)] : [];
    return [...search, ...custom];
  };

  /** How the first call is chosen when a custom tool is forced. */
  const choice = (): ChatCompletionToolChoiceOption | undefined => {
    if (turn.forced === undefined) return undefined;
    const [only, ...others] = definitions(0);
    if (only?.type !== "function" || others.length > 0) return "required";
    return { type: "function", function: { name: only.function.name } };
  };

  /** Calls a tool and tells about it. Returns what the model is to read; a tool that fails does not end the run. */
  async function* call(called: CalledTool, place: PacketPlace, signal: AbortSignal): AsyncGenerator<Emission, string> {
    const args = argumentsOf(called.arguments);
    if (called.name === SEARCH && turn.search) return yield* searchAgain(args, place);
    const method = methods.get(called.name);
    if (method === undefined) return `There is no tool called ${called.name}.`;
    const tool = { tool_name: called.name, tool_id: method.toolId };
    yield placed(place, { type: "custom_tool_start", ...tool });
    if (args === undefined) {
      yield placed(place, { type: "section_end" });
      return "The arguments were not a JSON object. Nothing was called.";
    }
    yield placed(place, { type: "custom_tool_args", ...tool, tool_args: args });
    const { type: response_type, data, error } = await callMethod(method, args, signal, context.settings.toolTimeoutMs);
    yield placed(place, { type: "custom_tool_delta", ...tool, response_type, data, file_ids: null, error });
    yield placed(place, { type: "section_end" });
    if (error !== null) return `The tool failed: ${error.message}`;
    const text = typeof data === "string" ? data : JSON.stringify(data);
    return fence.around("result of the tool", text.slice(0, RESULT_BUDGET).toWellFormed());
  }

  async function* searchAgain(args: Record<string, unknown> | undefined, place: PacketPlace) {
    const words = [args?.["query"], args?.["queries"]].flat().filter((one) => typeof one === "string");
    const query = words.join(" ");
    const found = query === "" ? [] : await searchEvidence(context, query, turn.filters, turn.caller);
    book.evidence.push(...found);
    yield* searchPackets(place, query, found);
    return sourcesText(found, book, fence);
  }

  return { definitions, choice: choice(), call };
}

function freeName(name: string, taken: ReadonlyMap<string, unknown>): string {
  const base = name.slice(0, 60);
  let free = base;
  for (let twin = 2; taken.has(free) || free === SEARCH; twin++) free = `${base}_${twin}`;
  return free;
}

const SEARCH_SUMMARY = "Searches the documents for passages. Give a few words or a question.";
const SEARCH_PARAMETERS = {
  type: "object",
  properties: { query: { type: "string", description: "What to search for" } },
  required: ["query"],
};

function functionTool(name: string, description: string, parameters: Record<string, unknown>): ChatCompletionTool {
  return { type: "function", function: { name, description, parameters } };
}

function argumentsOf(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text === "" ? "{}" : text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}
