import { NotFoundError, UnsupportedError } from "@threadlore/client";
import { createGaps, type Gaps } from "@threadlore/client/gaps";
import type { Gap, GapState } from "@threadlore/client/models";
import { type Command, Option } from "commander";
import { UsageError } from "../exit-codes.ts";
import { readSettings, type ServerFlags } from "../server/config.ts";
import { connection } from "../server/connection.ts";
import { cut, oneLine, table, type Terminal } from "../terminal/output.ts";
import { addGroup, addServerOptions, type Report, tell, wholeNumber } from "./options.ts";

interface ListFlags extends ServerFlags {
  state: GapState;
  most: number;
  all?: boolean;
}

interface ForgetFlags extends ServerFlags {
  question?: string;
  asker?: string;
}

/** `threadlore gaps list|show|close|dismiss|reopen|forget`; without one of them `list`. */
export function addGapsCommand(program: Command, terminal: Terminal): void {
  const gaps = addGroup(
    program,
    "gaps",
    "questions nobody could answer",
    "Questions that ended without an answer, alike ones together. Of private questions a server keeps no words: they are counted. Without a command they are listed.",
  );
  /** Asks the server, and says it where it has no gaps. */
  const asking = async (flags: ServerFlags, ask: (gaps: Gaps) => Promise<Report>): Promise<void> => {
    const settings = await readSettings(terminal, flags);
    tell(terminal, flags, await ask(createGaps(connection(terminal, settings))).catch(explain));
  };
  const signal = terminal.interrupted;
  const list = gaps
    .command("list", { isDefault: true })
    .description("Lists gaps, those first that most people asked. Needs an admin key.")
    .addOption(
      new Option("--state <state>", "those in this state")
        .choices(["open", "closed", "dismissed"] as const)
        .default("open"),
    )
    .option("--most <n>", "at most so many", wholeNumber(1, 100_000), 50)
    .option("--all", "every one there is");
  addServerOptions(list).action((flags: ListFlags) =>
    asking(flags, async (server) => {
      const { state, most, all } = flags;
      const listed = await listedGaps(server, state, all === true ? Number.POSITIVE_INFINITY : most, signal);
      return listReport(listed.gaps, state, listed.isMore, terminal.out);
    }),
  );
  const about = (name: string, description: string, ask: (server: Gaps, id: number) => Promise<Report>): void => {
    const command = gaps.command(name).description(description).argument("<gap>", NUMBER, wholeNumber(1));
    addServerOptions(command).action((id: number, flags: ServerFlags) => asking(flags, (server) => ask(server, id)));
  };
  about(
    "show",
    "Shows a gap with the words of its questions that others may read. Needs an admin key.",
    async (server, id) => {
      const { shared_questions: shared, ...gap } = await server.find(id, { signal });
      const words = shared.map(({ question, asked_at: at }) => ["Asked", `${dayOf(at)}  ${question}`]);
      return { json: { ok: true, gap, shared_questions: shared }, out: table([...factsOf(gap), ...words]) };
    },
  );
  const close = gaps
    .command("close")
    .description("Says which document answers a gap. Needs a key that may add documents.")
    .argument("<gap>", NUMBER, wholeNumber(1))
    .argument("<document>", "id of the document, as `documents list` shows it");
  addServerOptions(close).action((id: number, document: string, flags: ServerFlags) =>
    asking(flags, async (server) => changed(await server.close(id, document, { signal }))),
  );
  about("dismiss", "Says that a gap is no question for this knowledge. Needs an admin key.", async (server, id) =>
    changed(await server.dismiss(id, { signal })),
  );
  about("reopen", "Opens a gap again. Needs a key that may add documents.", async (server, id) =>
    changed(await server.reopen(id, { signal })),
  );
  addForget(gaps, asking, signal);
}

const NUMBER = "number of the gap, as `gaps list` shows it";

function addForget(
  gaps: Command,
  asking: (flags: ServerFlags, ask: (gaps: Gaps) => Promise<Report>) => Promise<void>,
  signal: AbortSignal,
): void {
  const forget = gaps
    .command("forget")
    .description(
      "Forgets a question, or all of somebody, of those that were told with this key: what a program calls them, as it told them.",
    )
    .option("--question <ref>", "this question")
    .option("--asker <name>", "every question of whoever is called so");
  addServerOptions(forget).action(async (flags: ForgetFlags) => {
    const { question, asker } = flags;
    if ((question === undefined) === (asker === undefined)) throw new UsageError("Give --question or --asker.");
    await asking(flags, async (server) => {
      if (question !== undefined) await server.forget(question, { signal });
      if (asker !== undefined) await server.forgetAsker(asker, { signal });
      return { json: { ok: true }, notes: ["Forgotten, as far as there was anything."] };
    });
  });
}

/** Gaps a server sends at one time. */
const PAGE = 200;

/**
 * So many gaps, a page at a time. One that is asked again meanwhile may move to another page: it is not told twice, and
 * may be passed over.
 */
async function listedGaps(
  server: Gaps,
  state: GapState,
  most: number,
  signal: AbortSignal,
): Promise<{ readonly gaps: readonly Gap[]; readonly isMore: boolean }> {
  const listed = new Map<number, Gap>();
  let after: string | undefined;
  do {
    const page = await server.list({ state, most: Math.min(PAGE, most - listed.size), after }, { signal });
    for (const gap of page.gaps) listed.set(gap.gap_id, gap);
    after = page.next ?? undefined;
  } while (after !== undefined && listed.size < most);
  return { gaps: [...listed.values()], isMore: after !== undefined };
}

function explain(error: unknown): never {
  if (error instanceof UnsupportedError) {
    const { status, host } = error;
    throw new UnsupportedError(
      `This server keeps no gaps${host === undefined ? "" : ` (${host})`}. The embedded service does, unless it runs with \`--gaps off\`; elsewhere the bot keeps its own.`,
      { status, host },
    );
  }
  if (error instanceof NotFoundError && error.code === "GAP_NOT_FOUND")
    throw new NotFoundError("There is no gap of this number. `threadlore gaps` shows those there are.", {
      status: error.status,
      host: error.host,
    });
  throw error;
}

function listReport(gaps: readonly Gap[], state: GapState, isMore: boolean, screen: Terminal["out"]): Report {
  const json = { ok: true, gaps, more: isMore };
  if (gaps.length === 0) {
    const none =
      state === "open"
        ? "No gaps: every question there was found an answer, or nobody asked. They gather here as people ask."
        : `No gap is ${state}. \`threadlore gaps\` lists those that are open.`;
    return { json, notes: [none] };
  }
  const rows = gaps.map((gap) => [
    String(gap.gap_id),
    String(gap.people),
    String(gap.questions),
    dayOf(gap.last_asked_at),
    ...(state === "closed" ? [titleOf(gap), gap.document_id ?? "-"] : [wordsOf(gap)]),
  ]);
  const head = [
    "GAP",
    "PEOPLE",
    "QUESTIONS",
    "LAST ASKED",
    ...(state === "closed" ? ["DOCUMENT", "ID"] : ["QUESTION"]),
  ];
  const out = table([head, ...rows])
    .split("\n")
    .map((line) => (screen.isTerminal ? cut(line, screen.columns) : line))
    .join("\n");
  const next = isMore ? ["There are more: `--all` shows every one."] : [];
  const todo = state === "open" ? ["`threadlore gaps close GAP DOCUMENT` says which document answers one."] : [];
  return { json, out, notes: [...next, ...todo] };
}

/** Of private questions nobody is told the words. */
const wordsOf = ({ question, private_questions: count }: Gap): string =>
  question ?? (count === 1 ? "(a private question)" : "(private questions)");

/** What the document that answers a gap is called; a server may tell its id alone, and a key may not see it. */
const titleOf = ({ document_title: title }: Gap): string => oneLine(title ?? "").trim() || "-";

/** Its title with its id, once where they are the same. */
function documentOf(gap: Gap): string | undefined {
  const [id, title] = [oneLine(gap.document_id ?? ""), titleOf(gap)];
  if (id === "") return undefined;
  return title === "-" || title === id ? id : `${title} (${id})`;
}

const dayOf = (moment: string): string => oneLine(moment).slice(0, 10);

function factsOf(gap: Gap): string[][] {
  const { nothing, bad_mark: marked, human } = gap.reasons;
  const document = documentOf(gap);
  return [
    ["Gap", `${gap.gap_id}, ${gap.state}`],
    ["People", String(gap.people)],
    ["Questions", `${gap.questions}, of which ${gap.private_questions} private`],
    ["Because", `${nothing} found nothing, ${marked} marked as bad, ${human} asked for a person`],
    ["First asked", dayOf(gap.first_asked_at)],
    ["Last asked", dayOf(gap.last_asked_at)],
    ...(document === undefined ? [] : [["Document", document]]),
  ];
}

function changed(gap: Gap): Report {
  const document = documentOf(gap);
  const by = document === undefined ? "" : ` by ${document}`;
  return { json: { ok: true, gap }, notes: [`Gap ${gap.gap_id} is ${gap.state}${by}.`] };
}
