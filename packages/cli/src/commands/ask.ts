import { ask, type Answer, type AskingClient, emptyAnswer } from "@threadlore/ask";
import { type Command, Option } from "commander";
import { createAnswerView } from "../answer-view.ts";
import { readSettings, type ServerFlags, type Settings } from "../config.ts";
import { connect } from "../connection.ts";
import { lastConversation, rememberConversation } from "../conversations.ts";
import { EXIT_CODES, InterruptedError, UsageError } from "../exit-codes.ts";
import { describeFailure, errorDocument } from "../failure.ts";
import { jsonOption, repeatable, serverDataOption, urlOption } from "../options.ts";
import { note, oneLine, styled, type Terminal, writeJson } from "../output.ts";
import type { Exit } from "../exit.ts";
import { type QuestionFlags, questionRequest, readTexts } from "../question.ts";
import { uploadFiles } from "../upload.ts";

interface AskFlags extends ServerFlags, QuestionFlags {
  json?: boolean;
  continue?: boolean;
  file?: string[];
}

/** `threadlore ask`. */
export function addAskCommand(program: Command, terminal: Terminal, exit: Exit): void {
  program
    .command("ask")
    .summary("ask a question and get an answer with its sources")
    .description("Asks a question. The answer streams to stdout, followed by the documents it cites.")
    .argument("[question...]", "the question; without one, or with -, it is read from standard input")
    .addOption(new Option("-c, --continue", "follow up in the last conversation with this server"))
    .option("--context <file>", "text to answer from, for this question only and never stored; - reads it from stdin")
    .option("--file <path>", "attach a file, where the server takes uploads; repeatable", repeatable)
    .option("--source <name>", "search only documents of this source, such as web; repeatable", repeatable)
    .option("--document-set <name>", "search only this document set; repeatable", repeatable)
    .option("--since <time>", "search only documents changed since: 7d, 2w, 12h, or a date such as 2026-01-31")
    .option("--tag <key=value>", "search only documents with this tag; repeatable", repeatable)
    .option("--persona <id>", "number of the persona that answers")
    .option("--deep", "research in several rounds; takes longer")
    .option("--no-citations", "an answer without citations")
    .addOption(jsonOption())
    .addOption(urlOption())
    .addOption(serverDataOption())
    .addHelpText("after", EXAMPLES)
    .action(async (words: string[], flags: AskFlags) => {
      exit.code = await runAsk(terminal, words, flags);
    });
}

const EXAMPLES = `
Examples:
  threadlore ask "How many days of leave do I have?"
  threadlore ask -c "And for part-time?"
  git log -5 | threadlore ask --context - "What changed for users?"
  threadlore ask --json "Who is on call?" | jq -r .answer
`;

async function runAsk(terminal: Terminal, words: readonly string[], flags: AskFlags): Promise<number> {
  const texts = await readTexts(terminal, words, flags.context);
  const settings = await readSettings(terminal, flags);
  const last = flags.continue === true ? await lastConversation(terminal, settings.url) : undefined;
  if (flags.continue === true && last === undefined) {
    throw new UsageError("There is no conversation with this server to continue. Ask without --continue first.");
  }
  const files = await uploadFiles(terminal, settings, flags.file ?? []);
  const request = questionRequest(texts, flags, last, files);
  const client = watchFailure(connect(terminal, settings));
  const view = flags.json === true ? undefined : createAnswerView(terminal, texts.question);
  let answer = emptyAnswer();
  for await (const snapshot of ask(client, request, { signal: terminal.interrupted })) {
    answer = snapshot;
    view?.show(snapshot);
  }
  await remember(terminal, settings, answer);
  // Nobody needs to be told that the reader of a pipe went away.
  const readerLeft = terminal.interrupted.aborted && !(terminal.interrupted.reason instanceof InterruptedError);
  if (readerLeft) return EXIT_CODES.ok.code;
  const end = endOf(answer, client.failure());
  if (flags.json === true) writeJson(terminal, answerDocument(texts.question, answer, end));
  else tellEnd(terminal, end);
  return end.exitCode;
}

/** The client, and the error its stream ended with: the answer's own failure is words only. */
function watchFailure(client: AskingClient): AskingClient & { failure(): unknown } {
  let failure: unknown;
  return {
    failure: () => failure,
    async *streamMessage(request, options) {
      try {
        yield* client.streamMessage(request, options);
      } catch (error) {
        failure = error;
        throw error;
      }
    },
  };
}

async function remember(terminal: Terminal, settings: Settings, answer: Answer): Promise<void> {
  const { chatSessionId, messageId } = answer.conversation;
  if (chatSessionId === undefined) return;
  await rememberConversation(terminal, settings.url, {
    sessionId: chatSessionId,
    // A question whose answer failed is no place to go on from; the newest message of the session is.
    ...(messageId !== undefined && answer.status === "done" && { messageId }),
  });
}

/** How asking ended: the exit code, and what to say where it is not 0. */
interface End {
  readonly exitCode: number;
  readonly lines: readonly string[];
  readonly error?: Record<string, unknown>;
}

function endOf(answer: Answer, thrown: unknown): End {
  if (answer.status === "done") return { exitCode: EXIT_CODES.ok.code, lines: [] };
  if (answer.status === "stopped") return ending("interrupted", "Stopped.");
  const message = answer.failure?.message ?? "The answer ended early.";
  if (answer.status === "partial") return ending("partial", message);
  if (thrown === undefined) return ending("answerFailed", message);
  const failure = describeFailure(thrown);
  return { exitCode: failure.exitCode, lines: failure.lines, error: errorDocument(failure, thrown) };
}

function ending(cause: keyof typeof EXIT_CODES, message: string): End {
  return { exitCode: EXIT_CODES[cause].code, lines: [oneLine(message)], error: { cause, message: oneLine(message) } };
}

function tellEnd(terminal: Terminal, end: End): void {
  const [first, ...rest] = end.lines;
  if (first === undefined) return;
  note(terminal, styled(terminal.err, end.exitCode === EXIT_CODES.partial.code ? "yellow" : "red", first));
  for (const line of rest) note(terminal, line);
}

/** The one document of `--json`, the same shape for success and failure. Markdown as the server wrote it. */
function answerDocument(question: string, answer: Answer, end: End): Record<string, unknown> {
  return {
    ok: end.exitCode === EXIT_CODES.ok.code,
    question,
    status: answer.status,
    answer: answer.text,
    citations: answer.citations.map(({ number, marks, source }) => ({ number, marks, document_id: source.documentId })),
    sources: answer.sources.map((source) => ({
      document_id: source.documentId,
      title: source.title,
      link: source.link ?? null,
      updated_at: source.updatedAt ?? null,
      source_type: source.sourceType,
    })),
    conversation: {
      chat_session_id: answer.conversation.chatSessionId ?? null,
      message_id: answer.conversation.messageId ?? null,
    },
    ...(end.error !== undefined && { error: end.error }),
    exit_code: end.exitCode,
  };
}
