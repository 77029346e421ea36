import { type BaseFilters, type FileDescriptor, parseMoment, type SendMessageInput } from "@threadlore/client/models";
import type { LastConversation } from "./conversations.ts";
import { throwProblems, UsageError } from "../exit-codes.ts";
import { readNamed } from "../folders.ts";
import type { Terminal } from "../terminal/output.ts";

/** What a command line may say about a question. */
export interface QuestionFlags {
  source?: string[];
  documentSet?: string[];
  tag?: string[];
  since?: string;
  persona?: string;
  deep?: boolean;
  citations: boolean;
  context?: string;
}

/** Texts a question is made of, from the arguments, a file, or standard input. */
export interface QuestionTexts {
  readonly question: string;
  readonly context: string | undefined;
}

/**
 * The question and its context. Without words, or with `-` for them, the question is read from standard input; a
 * context of `-` is read there instead. Throws UsageError when there is no question.
 */
export async function readTexts(
  terminal: Terminal,
  words: readonly string[],
  contextFrom: string | undefined,
): Promise<QuestionTexts> {
  const fromStdin = words.length === 0 ? !terminal.stdinIsTerminal && contextFrom !== "-" : words.join(" ") === "-";
  if (fromStdin && contextFrom === "-")
    throw new UsageError("Standard input can be the question or the context, not both.");
  const question = (fromStdin ? await terminal.readStdin() : words.join(" ")).trim();
  if (question === "") throw new UsageError('Ask something: threadlore ask "How many days of leave do I have?"');
  return {
    question,
    context: contextFrom === undefined ? undefined : await readNamed(terminal, contextFrom, "context file"),
  };
}

/** The request: only what was said is set. Throws one UsageError that lists every problem. */
export function questionRequest(
  texts: QuestionTexts,
  flags: QuestionFlags,
  conversation: LastConversation | undefined,
  files: readonly FileDescriptor[],
): SendMessageInput {
  const problems: string[] = [];
  const filters = filtersOf(flags, problems);
  const persona = personaOf(flags, conversation, problems);
  throwProblems(problems);
  return {
    message: texts.question,
    // The specification has no value of its own for a terminal; `api` is what it says for callers with a key.
    origin: "api",
    include_citations: flags.citations,
    ...(flags.deep === true && { deep_research: true }),
    additional_context: texts.context,
    ...(files.length > 0 && { file_descriptors: [...files] }),
    internal_search_filters: filters,
    ...(persona !== undefined && { chat_session_info: { persona_id: persona } }),
    ...(conversation !== undefined && {
      chat_session_id: conversation.sessionId,
      parent_message_id: conversation.messageId ?? -1,
    }),
  };
}

function filtersOf(flags: QuestionFlags, problems: string[]): BaseFilters | undefined {
  const filters: BaseFilters = {
    ...(flags.source !== undefined && { source_type: flags.source }),
    ...(flags.documentSet !== undefined && { document_set: flags.documentSet }),
    ...(flags.since !== undefined && { time_cutoff: momentOf(flags.since, Date.now(), problems) }),
    ...(flags.tag !== undefined && { tags: flags.tag.map((tag) => tagOf(tag, problems)) }),
  };
  return Object.keys(filters).length === 0 ? undefined : filters;
}

function tagOf(text: string, problems: string[]): { tag_key: string; tag_value: string } {
  const [, key = "", value = ""] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  if (key === "") problems.push(`--tag ${text} is no tag; write it as KEY=VALUE`);
  return { tag_key: key, tag_value: value };
}

function personaOf(
  { persona }: QuestionFlags,
  conversation: LastConversation | undefined,
  problems: string[],
): number | undefined {
  if (persona === undefined) return undefined;
  if (!/^\d+$/.test(persona)) problems.push(`--persona ${persona} is not a number; \`threadlore doctor\` lists them`);
  if (conversation !== undefined) problems.push("--persona begins a conversation; it cannot go with --continue");
  return Number(persona);
}

const UNIT_MS: Record<string, number> = { h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** `7d`, `2w`, `12h` before now, or an ISO date or date-time; as an ISO date-time with an offset. */
export function momentOf(text: string, now: number, problems: string[]): string {
  const [, count = "", unit = ""] = /^(\d{1,5})([hdw])$/.exec(text) ?? [];
  const moment = count === "" ? parseMoment(text) : now - Number(count) * (UNIT_MS[unit] ?? 0);
  if (moment === undefined) {
    problems.push(`--since ${text} is no time; write 7d, 2w, 12h, or a date such as 2026-01-31`);
    return text;
  }
  return new Date(moment).toISOString();
}
