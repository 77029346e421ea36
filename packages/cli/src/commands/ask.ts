import { ask, type Answer, emptyAnswer, type Finding, type NamedDocument, type Recovery } from "@threadlore/ask";
import { createClient } from "@threadlore/client";
import { within } from "@threadlore/client/delay";
import { createDeployment } from "@threadlore/client/deployment";
import type { SendMessageInput } from "@threadlore/client/models";
import { type Command, Option } from "commander";
import { endOfAnswer, type Failure } from "../failure.ts";
import { createAnswerView } from "../ask/answer-view.ts";
import { readSettings, type ServerFlags, type Settings } from "../server/config.ts";
import { askCaller, connection } from "../server/connection.ts";
import { lastConversation, rememberConversation } from "../ask/conversations.ts";
import { type Exit, EXIT_CODES, InterruptedError, UsageError } from "../exit-codes.ts";
import { addServerOptions, repeatable, wholeNumber } from "./options.ts";
import { note, styled, type Terminal, writeJson } from "../terminal/output.ts";
import { type QuestionFlags, questionRequest, readTexts } from "../ask/question.ts";
import { uploadFiles } from "../ask/upload.ts";

interface AskFlags extends ServerFlags, QuestionFlags {
  continue?: boolean;
  file?: string[];
  patience?: number;
}

/** `threadlore ask`. */
export function addAskCommand(program: Command, terminal: Terminal, exit: Exit): void {
  const command = program
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
    .addOption(
      new Option(
        "--patience <seconds>",
        "longest wait for a sign of the rest when the connection breaks off; the server writes on (default: 60)",
      ).argParser(wholeNumber(0, 3_600)),
    );
  addServerOptions(command)
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

/** Longest wait for the server to say who calls, milliseconds: somebody waits for the answer. */
const CALLER_MS = 2_000;

const LOST_SESSION =
  "The server no longer has the last conversation: this question begins a new one, without what was said before.";

async function runAsk(terminal: Terminal, words: readonly string[], flags: AskFlags): Promise<number> {
  const texts = await readTexts(terminal, words, flags.context);
  const settings = await readSettings(terminal, flags);
  const last = flags.continue === true ? await lastConversation(terminal, settings.url) : undefined;
  if (flags.continue === true && last === undefined) {
    throw new UsageError("There is no conversation with this server to continue. Ask without --continue first.");
  }
  questionRequest(texts, flags, last, []);
  // Nothing is sent, no file and no words, in the name of somebody the person is not.
  if (settings.apiKey !== undefined) await askCaller(terminal, settings, CALLER_MS);
  const files = await uploadFiles(terminal, settings, flags.file ?? []);
  const notes: string[] = [];
  const asking: Asking = { terminal, settings, flags, question: texts.question, naming: [] };
  let answer = await askOnce(asking, questionRequest(texts, flags, last, files));
  if (last !== undefined && answer.failure?.code === "session_lost") {
    await rememberConversation(terminal, settings.url, undefined);
    notes.push(LOST_SESSION);
    if (flags.json !== true) note(terminal, LOST_SESSION);
    answer = await askOnce(asking, questionRequest(texts, flags, undefined, files));
  }
  await remember(terminal, settings, answer);
  // Nobody needs to be told that the reader of a pipe went away.
  const readerLeft = terminal.interrupted.aborted && !(terminal.interrupted.reason instanceof InterruptedError);
  const end = readerLeft ? undefined : endOfAnswer(answer, terminal.interrupted.aborted);
  if (flags.json === true && !readerLeft) writeJson(terminal, answerDocument(texts.question, answer, end, notes));
  else if (end !== undefined) tellEnd(terminal, end);
  await within(Promise.all(asking.naming), NAMING_MS);
  return end?.exitCode ?? EXIT_CODES.ok.code;
}

/** What stays the same however often a question has to be asked. */
interface Asking {
  readonly terminal: Terminal;
  readonly settings: Settings;
  readonly flags: AskFlags;
  readonly question: string;
  /** Conversations that are being given their name on the server. */
  readonly naming: Promise<unknown>[];
}

/** Longest wait for the server to take a conversation's name, milliseconds: the answer is there by then. */
const NAMING_MS = 1_500;

/** Asks, and shows what comes; only that the server does not know the session is not shown, since it is asked anew. */
async function askOnce(asking: Asking, request: SendMessageInput): Promise<Answer> {
  const { terminal, settings, flags, question } = asking;
  const deployment = createDeployment(connection(terminal, settings));
  const recovery: Recovery = {
    ...deployment,
    renameSession: (...given) => {
      const named = deployment.renameSession(...given);
      asking.naming.push(named.catch(() => {}));
      return named;
    },
  };
  const view = flags.json === true ? undefined : createAnswerView(terminal, question);
  const client = createClient(connection(terminal, settings));
  const onBreak = () => view?.waits();
  const patienceMs = (flags.patience ?? 60) * 1_000;
  let answer = emptyAnswer();
  for await (const snapshot of ask(client, request, { signal: terminal.interrupted, recovery, patienceMs, onBreak })) {
    answer = snapshot;
    if (snapshot.failure?.code !== "session_lost") view?.show(snapshot);
  }
  return answer;
}

async function remember(terminal: Terminal, settings: Settings, answer: Answer): Promise<void> {
  const { chatSessionId, messageId } = answer.conversation;
  if (chatSessionId === undefined || answer.failure?.code === "session_lost") return;
  await rememberConversation(terminal, settings.url, {
    sessionId: chatSessionId,
    // A question whose answer failed is no place to go on from; the newest message of the session is.
    ...(messageId !== undefined && answer.status === "done" && { messageId }),
  });
}

function tellEnd(terminal: Terminal, end: Failure): void {
  const [first, ...rest] = end.lines;
  if (first === undefined) return;
  note(terminal, styled(terminal.err, end.exitCode === EXIT_CODES.partial.code ? "yellow" : "red", first));
  for (const line of rest) note(terminal, line);
}

/** How the answer stands to the question, in the wire's own names; null where the server does not say. */
function findingDocument(finding: Finding | undefined): object | null {
  if (finding === undefined) return null;
  const { state, reason, closest, conflict, corrected } = finding;
  const named = ({ documentId, title, link }: NamedDocument) => ({
    document_id: documentId,
    title,
    link: link ?? null,
  });
  return {
    state,
    reason: reason ?? null,
    closest: closest.map((one) => ({ ...named(one), sentence: one.sentence })),
    conflict: conflict.map((one) => ({ ...named(one), updated_at: one.updatedAt ?? null, says: one.says })),
    corrected,
  };
}

/** The one document of `--json`, the same shape for success and failure. Markdown as the server wrote it. */
function answerDocument(
  question: string,
  answer: Answer,
  end: Failure | undefined,
  notes: readonly string[],
): Record<string, unknown> {
  return {
    ok: end === undefined,
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
    finding: findingDocument(answer.finding),
    conversation: {
      chat_session_id: answer.conversation.chatSessionId ?? null,
      message_id: answer.conversation.messageId ?? null,
    },
    notes,
    error: end?.document,
    exit_code: end?.exitCode ?? EXIT_CODES.ok.code,
  };
}
