import { setTimeout as delay } from "node:timers/promises";
import type { AnswerPart } from "./answer-script.ts";
import type { Account } from "../world/accounts.ts";
import { AnswerWriter } from "./answer-writer.ts";
import { defaultAnswer } from "./default-answer.ts";
import type { SearchLimits } from "../world/documents.ts";
import { strikes } from "../faults.ts";
import { failureLine, ModelError } from "./model-errors.ts";
import type { Question } from "./question.ts";
import { Run, RunEnded } from "./run.ts";
import { foundDocument, searchDocument, type SearchDocument } from "../world/search-document.ts";
import type { StoredMessage } from "../world/sessions.ts";
import { memoryTool, openUrlTool, searchTool } from "../world/tools.ts";
import type { World } from "../world/world.ts";

/** What an answer is written from and into. */
export interface Begun {
  question: Question;
  account: Account;
  /** Whether the answer has marks of citations. */
  cites: boolean;
  /** A tool the model must call. */
  forcedToolId: number | undefined;
  stored: StoredMessage;
  /** What the first line says, where the session is new. */
  newSession: string | undefined;
  limits: SearchLimits;
}

/** Begins an answer. It goes on by itself, whoever reads it. */
export function beginAnswer(world: World, begun: Begun) {
  const { question, cites, forcedToolId, stored, newSession } = begun;
  const run = new Run();
  let failure: string | null = null;
  const writer = new AnswerWriter(run, { cites, before: (packets) => meetFaults(world, run, packets) });
  if (newSession !== undefined) run.write({ chat_session_id: newSession, incognito: false });
  run.write({ user_message_id: question.userMessageId, reserved_assistant_message_id: question.assistantMessageId });
  world.running.set(run, question);
  const started = performance.now();

  async function answer(): Promise<void> {
    const offered = world.tools.filter(({ name }) => question.toolsOffered.includes(name));
    if (forcedToolId !== undefined && !offered.some(({ id }) => id === forcedToolId))
      throw new ModelError("UNKNOWN_ERROR", `Forced tool ${forcedToolId} not found in tools`);
    const { model } = world.faults;
    if ((model?.when ?? "before") === "before" && model !== undefined && strikes(model))
      throw new ModelError(model.code, model.message);
    for (const part of chooseParts(world, begun)) {
      if (typeof part === "object" && "ending" in part) return run.writeText(part.ending);
      await play(world, begun, { run, writer }, part);
    }
    if (writer.answer === "") throw new ModelError("EMPTY_LLM_RESPONSE");
    await writer.stop();
  }

  function store(text: string, stopReason: string | null): void {
    Object.assign(stored, {
      text,
      stopReason,
      documents: writer.documents,
      citations: writer.citations,
      toolPackets: writer.toolPackets,
      seconds: (performance.now() - started) / 1000,
    });
  }

  const end = (outcome: Question["outcome"]) => endRun(world, run, question, outcome);

  async function begin(): Promise<void> {
    try {
      await answer();
      store(writer.answer, null);
      end("finished");
    } catch (error) {
      if (run.state === "died") return;
      if (error instanceof RunEnded) {
        writer.writeCancelled();
        store(`${writer.answer} ... \n\nGeneration was stopped by the user.`, "user_cancelled");
        end("stopped");
        return;
      }
      const told = error instanceof ModelError ? error : new ModelError("UNKNOWN_ERROR", String(error));
      failure = told.message;
      run.write(failureLine(told));
      // What was written is lost; what is stored names the model and nothing else.
      stored.text = "Error from scripted: model encountered an error during generation.";
      stored.error = stored.text;
      end("failed");
    }
  }

  void begin();
  return {
    run,
    writer,
    /** Why there is no whole answer, where there is none. */
    failure: () => failure,
  };
}

function endRun(world: World, run: Run, question: Question, outcome: Question["outcome"]): void {
  if (question.outcome !== "running") return;
  question.outcome = outcome;
  question.endedAt = performance.now();
  run.end(outcome === "died" ? "died" : "ended");
  world.running.delete(run);
}

/** Ends every answer that is being written, as when the server goes away: what is stored stays unfinished. */
export function killAnswers(world: World): void {
  for (const [run, question] of world.running) endRun(world, run, question, "died");
}

/** Silence, a failing model, the wish to stop: whatever comes between two packets. */
async function meetFaults(world: World, run: Run, packets: number): Promise<void> {
  run.check();
  const { silence, model } = world.faults;
  if (silence?.packets === packets) await rest(run, silence.ms);
  if (typeof model?.when === "object" && model.when.packets === packets && strikes(model))
    throw new ModelError(model.code, model.message);
}

/** A pause that keeps no process alive. */
function rest(run: Run, ms: number): Promise<void> {
  return run.wait(delay(ms, undefined, { ref: false }));
}

function chooseParts(world: World, { question, limits }: Begun): readonly AnswerPart[] {
  const { nextAnswers, script, tools, documents } = world;
  const answer = nextAnswers.shift() ?? (typeof script === "function" ? script(question) : script);
  if (answer === undefined) return defaultAnswer(question, tools, (query) => documents.search(query, limits));
  return typeof answer === "string" ? [answer] : answer;
}

async function play(
  world: World,
  begun: Begun,
  { run, writer }: { run: Run; writer: AnswerWriter },
  part: Exclude<AnswerPart, { ending: string }>,
): Promise<void> {
  if (typeof part === "string") return writer.text(part);
  if ("piece" in part) return writer.piece(part.piece);
  if ("pauseMs" in part) return rest(run, part.pauseMs);
  if ("until" in part) return run.wait(part.until);
  if ("reasoning" in part) return writer.reason(part.reasoning);
  if ("packet" in part) return writer.send(part.packet);
  if ("line" in part) return run.write(part.line);
  if ("error" in part) throw new ModelError(part.error, part.message);
  if ("given" in part) return writer.showDocuments(part.given.map(searchDocument));
  return useTool(world, begun, writer, part);
}

/** Calls a tool, where the question offers it. */
async function useTool(
  world: World,
  { question, account, limits }: Begun,
  writer: AnswerWriter,
  part: Extract<
    AnswerPart,
    { search: string } | { found: unknown } | { openUrl: string } | { tool: string } | { remember: string }
  >,
): Promise<void> {
  const isSearch = "search" in part || "found" in part;
  const name = isSearch ? searchTool : "openUrl" in part ? openUrlTool : "remember" in part ? memoryTool : part.tool;
  if (!question.toolsOffered.includes(name)) return;
  question.toolsRun.push(name);
  if (isSearch) {
    const query = "search" in part ? part.search : question.message;
    const found =
      "search" in part
        ? world.documents.search(query, limits).map((document) => foundDocument(document, query))
        : part.found.map(searchDocument);
    return search(writer, query, found);
  }
  if ("openUrl" in part) return openUrl(writer, part.openUrl);
  if ("remember" in part) {
    const { remember: memory } = part;
    question.memoryWritten = memory;
    world.accounts.remember(account, memory);
    const delta = { type: "memory_tool_delta", memory_text: memory, operation: "add", memory_id: null, index: null };
    return writer.tool([{ type: "memory_tool_start" }, delta], name, { memory }, "Memory saved");
  }
  const tool = world.tools.find((one) => one.name === name);
  const { args = {}, fails = false, gives = tool?.run?.(args) } = part;
  return custom(writer, { tool_name: name, tool_id: tool?.id }, args, fails ? undefined : gives);
}

function search(writer: AnswerWriter, query: string, found: SearchDocument[]): Promise<void> {
  writer.showDocuments(found);
  const results = found.map((document, index) => ({
    document: index + 1,
    title: document.semantic_identifier,
    source_type: document.source_type,
    content: document.blurb,
  }));
  const objects = [
    { type: "search_tool_start", is_internet_search: false },
    { type: "search_tool_queries_delta", queries: [query] },
    { type: "search_tool_documents_delta", documents: found },
  ];
  return writer.tool(objects, searchTool, { queries: [query] }, JSON.stringify({ results }, null, 2), found);
}

function openUrl(writer: AnswerWriter, url: string): Promise<void> {
  const document = searchDocument({
    document_id: `WEB_SEARCH_DOC_${url}`,
    semantic_identifier: url,
    link: url,
    source_type: "web",
    is_internet: true,
  });
  writer.showDocuments([document]);
  const objects = [
    { type: "open_url_start" },
    { type: "open_url_urls", urls: [url] },
    { type: "open_url_documents", documents: [document] },
  ];
  return writer.tool(objects, openUrlTool, { urls: [url] }, "", [document]);
}

function custom(
  writer: AnswerWriter,
  called: { tool_name: string; tool_id: number | undefined },
  tool_args: Record<string, unknown>,
  data: unknown,
): Promise<void> {
  const { tool_name } = called;
  const start = { type: "custom_tool_start", ...called };
  const args = { type: "custom_tool_args", tool_name, tool_args };
  const delta = { type: "custom_tool_delta", ...called, response_type: "json", data, file_ids: null, error: null };
  const objects = data === undefined ? [start, { type: "error" }] : [start, args, delta];
  const result = JSON.stringify({ tool_name, response_type: "json", tool_result: data ?? null, error: null });
  return writer.tool(objects, tool_name, tool_args, result);
}
