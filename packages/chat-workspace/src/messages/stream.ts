import { LIMITS } from "../validator/limits.ts";
import type { State, StoredMessage, StoredStream } from "../state.ts";
import { fieldsOf } from "../fields.ts";
import { SlackError } from "../web-api/method.ts";

type Chunk = Record<string, unknown>;

/** What one call adds to a streamed message: text, or chunks. Both absent: nothing. */
export interface Addition {
  readonly markdownText?: string;
  readonly chunks?: readonly Chunk[];
}

/** A stream that begins now. */
export function beginStream(now: number, display = "timeline"): StoredStream {
  return { state: "in_progress", startedAt: now, tasks: [], chunks: [], display, stoppedByUser: false };
}

/** What the plan of a stream is called now; empty: nobody said. */
export function planTitle({ chunks }: Pick<StoredStream, "chunks">): string {
  return written(chunks.findLast(({ type }) => type === "plan_update")?.["title"]);
}

/** What was streamed, in its order: a text, or of how many of the message's blocks it is the turn. */
export function streamOrder({ chunks }: Pick<StoredStream, "chunks">): (string | number)[] {
  const order: (string | number)[] = [];
  for (const chunk of chunks) {
    const count = fieldsOf(chunk["blocks"]).length;
    const text = chunk["type"] === "markdown_text" ? written(chunk["text"]) : "";
    const last = order.at(-1);
    if (text !== "" && typeof last === "string") order.splice(-1, 1, last + text);
    else if (text !== "") order.push(text);
    if (count > 0) order.push(count);
  }
  return order;
}

/**
 * Ends a stream that is older than streams live, as Slack does: the message stays as it is and the session is the
 * person's again. To be called before anything looks at a streamed message.
 */
export function settleStream(state: State, message: StoredMessage): void {
  const { stream } = message;
  if (stream?.state !== "in_progress") return;
  if (state.now() - stream.startedAt < (state.options.streamLifeMs ?? LIMITS.streamLifeMs)) return;
  stream.state = "expired";
  state.session(message.channel, message.threadTs ?? message.ts).status = "active";
}

/**
 * Adds to a stream. Throws `streaming_mode_mismatch`, `msg_too_long`, `msg_blocks_too_many`; nothing is added then.
 * Returns the whole text streamed so far, and the blocks that are new.
 */
export function addToStream(
  stream: StoredStream,
  addition: Addition,
): { readonly text: string; readonly newBlocks: Record<string, unknown>[] } {
  const added = chunksOf(addition);
  const next = [...stream.chunks, ...added];
  const tasks = structuredClone(stream.tasks);
  for (const chunk of added) if (chunk["type"] === "task_update") updateTask(tasks, chunk);
  if (added.length > 0) refuseMixing(stream, addition);
  refuseTooMuch(next, tasks);
  stream.chunks.push(...added);
  stream.tasks.splice(0, Infinity, ...tasks);
  return { text: textOf(next), newBlocks: blocksOf(added) };
}

/** Text that came without a chunk is kept as one that says so. */
function chunksOf({ markdownText, chunks }: Addition): readonly Chunk[] {
  if (markdownText === undefined) return chunks ?? [];
  return [{ type: "markdown_text", text: markdownText, plain: true }];
}

/** A stream is written in text or in chunks, whichever came first. */
function refuseMixing(stream: StoredStream, { markdownText }: Addition): void {
  const [first] = stream.chunks;
  if (first === undefined) return;
  if ((first["plain"] === true) !== (markdownText !== undefined)) throw new SlackError("streaming_mode_mismatch");
}

const written = (value: unknown) => (typeof value === "string" ? value : "");
const bytes = (value: unknown) => Buffer.byteLength(written(value));

/** Once there is text, the plan's title and every task weigh in too, their details twice. */
function refuseTooMuch(chunks: readonly Chunk[], tasks: readonly Chunk[]): void {
  const body = textOf(chunks);
  const plan = chunks.findLast(({ type }) => type === "plan_update");
  const weight = tasks.reduce(
    (sum, { title, details }) => sum + bytes(title) + 2 * bytes(details),
    bytes(plan?.["title"]),
  );
  const heavy = body !== "" && bytes(body) + weight > LIMITS.streamedBytes;
  if (body.length > LIMITS.streamedCharacters || heavy) throw new SlackError("msg_too_long");
  if (blocksOf(chunks).length > LIMITS.blocksPerMessage) throw new SlackError("msg_blocks_too_many");
}

function textOf(chunks: readonly Chunk[]): string {
  return chunks.map(({ type, text }) => (type === "markdown_text" ? written(text) : "")).join("");
}

function blocksOf(chunks: readonly Chunk[]): Record<string, unknown>[] {
  return chunks.flatMap(({ blocks }) => fieldsOf(blocks));
}

/** Title and status replace, details are appended, output counts once. */
function updateTask(tasks: Record<string, unknown>[], chunk: Chunk): void {
  const { id, title, status, details, output, sources } = chunk;
  const known = tasks.find((task) => task["task_id"] === id);
  if (known === undefined) {
    const given = Object.entries({ details, output, sources }).filter(([, value]) => value !== undefined);
    tasks.push({ type: "task_card", task_id: id, title, status, ...Object.fromEntries(given) });
    return;
  }
  Object.assign(known, { title, status });
  if (details !== undefined) known["details"] = written(known["details"]) + written(details);
  if (output !== undefined) known["output"] ??= output;
  if (sources !== undefined) known["sources"] = sources;
}
