import { unwatchFile, watchFile } from "node:fs";
import { readFile } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";
import { type Document, LineCounter, parseDocument } from "yaml";
import * as z from "zod";
import type { DigestTime, Rules } from "./rules.ts";
import { BUILT_IN, PlaceRules, type Settings, settingsOf } from "./settings.ts";

/** Everything that is wrong with a rules file, each with where and what to do. */
export class RulesError extends Error {
  override readonly name = "RulesError";
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join("\n"));
    this.problems = problems;
  }
}

/** A rules file that can be used; `remarks`: in plain words, rules that widen who sees what, or that have no effect. */
export type ReadRules = ReturnType<typeof parseRules>;

/** What a file is read against: without a wider key for direct messages, `key: dm` is a mistake. */
type RulesContext = Pick<Rules, "dmKey">;

const CHANNEL_ID = /^[CG][A-Z0-9]{2,}$/;
const DirectRules = PlaceRules.pick({
  note: true,
  enabled: true,
  who_may_ask: true,
  persona: true,
  document_sets: true,
  sources: true,
  guests: true,
  own_account: true,
  own_account_in_search: true,
  workspace_search: true,
  helpers: true,
});

const AssistantRules = PlaceRules.pick({ note: true, enabled: true, who_may_ask: true, guests: true, key: true });

const DAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;
const NO_TIME =
  "must be a day and an hour such as `Mon 09:00`, with a time zone behind it where you like: `Mon 09:00 Europe/Oslo`";

/** `Mon 09:00`, `Fri 14:30 Europe/Oslo`. */
const DigestAt = z.string({ error: NO_TIME }).transform((text, context): DigestTime => {
  const [, name = "", hour, minute, zone] = /^([a-z]{3})[a-z]* (\d{1,2}):(\d{2})(?: (\S+))?$/i.exec(text.trim()) ?? [];
  const day = DAYS.findIndex((one) => one === name.toLowerCase()) + 1;
  if (day > 0 && Number(hour) < 24 && Number(minute) < 60 && isZone(zone)) {
    return { day, hour: Number(hour), minute: Number(minute), zone };
  }
  context.addIssue({ code: "custom", message: NO_TIME });
  return z.NEVER;
});

function isZone(zone: string | undefined): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: zone }).format();
    return true;
  } catch {
    return false;
  }
}

const RulesFile = z.strictObject({
  /** The channel in which people are asked what somebody wants to know in the side panel. Absent: nowhere. */
  panel_questions: z
    .string()
    .regex(CHANNEL_ID, { error: "is no channel id (C…): it stands at the end of the channel's details" })
    .optional(),
  digest: z.enum(["weekly", "off"], { error: "must be one of: weekly, off" }).optional(),
  digest_at: DigestAt.optional(),
  defaults: PlaceRules.optional(),
  direct_messages: DirectRules.optional(),
  assistants: AssistantRules.optional(),
  channels: z.record(z.string(), PlaceRules).optional(),
});

/** Reads the text of a rules file; an empty one is the built-in rules. Throws RulesError with every problem found. */
export function parseRules(text: string, context: RulesContext): { rules: Rules; remarks: readonly string[] } {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  if (document.errors.length > 0) {
    const where = (at: number): number => lines.linePos(at).line;
    throw new RulesError(document.errors.map(({ pos, message }) => `line ${where(pos[0])}: is not YAML: ${message}`));
  }
  const written = valueOf(document);
  const parsed = RulesFile.safeParse(written);
  const misnamed = idProblems(written);
  if (!parsed.success || misnamed.length > 0) {
    throw new RulesError([...misnamed, ...(parsed.error?.issues ?? []).flatMap((issue) => problemsOf(issue, []))]);
  }
  const {
    defaults = {},
    direct_messages: direct = {},
    assistants,
    channels = {},
    panel_questions: panelQuestions,
  } = parsed.data;
  const { digest = "weekly", digest_at: digestAt = { day: 1, hour: 9, minute: 0 } } = parsed.data;
  const otherChannels = settingsOf(BUILT_IN, defaults, false);
  const rules: Rules = {
    otherChannels,
    // Filters and personas of channels say nothing about a conversation with one person.
    directMessages: settingsOf(
      {
        ...BUILT_IN,
        guests: otherChannels.guests,
        own_account: otherChannels.own_account,
        own_account_in_search: otherChannels.own_account_in_search,
      },
      direct,
      true,
    ),
    // Said for them alone: what channels may is no word about an assistant.
    ...(assistants !== undefined && { assistants: settingsOf(BUILT_IN, assistants, true) }),
    channels: new Map(Object.entries(channels).map(([id, place]) => [id, settingsOf(otherChannels, place, true)])),
    ...(digest === "weekly" && { digest: digestAt }),
    dmKey: context.dmKey,
    ...(panelQuestions !== undefined && { panelQuestions }),
  };
  const misplaced = keyProblems(rules);
  if (misplaced.length > 0) throw new RulesError(misplaced);
  return { rules, remarks: remarksOn(rules) };
}

/** Aliases that stand for nothing, or for too much, only show now. */
function valueOf(document: Document): unknown {
  try {
    return document.toJS({ maxAliasCount: 100 }) ?? {};
  } catch (error) {
    throw new RulesError([`the file: ${error instanceof Error ? error.message : String(error)}`]);
  }
}

/** Looked at apart: a schema of keys would leave the rules behind a wrong one unread. */
function idProblems(written: unknown): string[] {
  const channels: unknown = Reflect.get(Object(written), "channels");
  return Object.keys(channels ?? {})
    .filter((id) => !CHANNEL_ID.test(id))
    .map(
      (id) =>
        `channels → ${id}: is no channel id (C…): a channel's id stands at the end of its details, ` +
        "and stays when it is renamed",
    );
}

/** One issue of zod as sentences: a union says what all its branches say of the place that is wrong. */
function problemsOf(issue: z.core.$ZodIssue, above: readonly PropertyKey[]): string[] {
  const path = [...above, ...issue.path];
  const where = path.map(String).join(" → ") || "the file";
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => `${where}: \`${key}\` is not a rule${nearestRule(key)}`);
  }
  if (issue.code === "invalid_union") {
    const deeper = issue.errors.flat().filter(({ path: inner }) => inner.length > 0);
    if (deeper.length > 0) return deeper.flatMap((inner) => problemsOf(inner, path));
    const empty = issue.errors.flat().find(({ code }) => code === "too_small");
    return [`${where}: ${empty?.message ?? issue.message}`];
  }
  return [`${where}: ${issue.message}`];
}

function nearestRule(key: string): string {
  const plain = (text: string) => text.toLowerCase().replaceAll(/[^a-z]/g, "");
  const found = Object.keys(PlaceRules.shape).find(
    (known) => plain(known).startsWith(plain(key)) || plain(key).startsWith(plain(known)),
  );
  return found === undefined ? "" : `; did you mean \`${found}\`?`;
}

/** The wider key is for single channels somebody thought about, and only where there is one. */
function keyProblems({ channels, otherChannels, assistants, dmKey }: Rules): string[] {
  if (otherChannels.key === "dm") {
    return ["defaults → key: `dm` would show every channel what only direct messages may show; name single channels"];
  }
  if (dmKey) return [];
  const places = [...channels].map(([id, { key }]) => ({ place: `channels → ${id}`, key }));
  if (assistants !== undefined) places.push({ place: "assistants", key: assistants.key });
  return places
    .filter(({ key }) => key === "dm")
    .map(({ place }) => `${place} → key: \`dm\` needs THREADLORE_DM_KEY, which is not set`);
}

const MESSAGES = "messages of public channels go to the knowledge server with a question they may answer.";

function remarksOn({ channels, otherChannels, directMessages, assistants }: Rules): string[] {
  const eager = "defaults: `listen: eager` answers questions in every channel the bot is in.";
  const ofPlaces = [["defaults", otherChannels] as const, ...channels].flatMap(([id, settings]) => {
    const { key, pins, enabled, listen } = settings;
    const widens = (rule: "slack_connect" | "guests") =>
      settings[rule] === "allow" && (id === "defaults" || otherChannels[rule] !== "allow");
    return [
      key === "dm" && "everyone in this channel reads answers made with the wider key.",
      widens("slack_connect") && "people of other companies may ask, and read the answers.",
      widens("guests") && "guests may ask.",
      settings.workspace_search === "public" &&
        (id === "defaults" || otherChannels.workspace_search === "off") &&
        MESSAGES,
      pins.pair !== undefined && pins.who === "off" && "`pair` has no effect while `pins` is off.",
      !enabled && listen === "eager" && "`listen` has no effect while `enabled` is false.",
    ].flatMap((words) => (words === false ? [] : [`${id}: ${words}`]));
  });
  const direct = directMessages.workspace_search === "public" ? [`direct messages: ${MESSAGES}`] : [];
  const ofAssistants = assistants?.enabled === true ? remarksOnAssistants(assistants, directMessages) : [];
  return [...(otherChannels.listen === "eager" ? [eager] : []), ...direct, ...ofAssistants, ...ofPlaces];
}

function remarksOnAssistants({ key, guests }: Settings, direct: Settings): string[] {
  const isNarrowed = direct.document_sets.length > 0 || direct.sources.length > 0;
  return [
    key === "dm" && "whoever asks through Slack's assistant reads answers made with the wider key.",
    guests === "allow" && "guests may ask.",
    isNarrowed &&
      "`document_sets` and `sources` of `direct_messages` do not hold for Slack's assistant, which finds all that its key sees.",
  ].flatMap((words) => (words === false ? [] : [`assistants: ${words}`]));
}

/** Reads a rules file; without one the built-in rules hold. Throws RulesError, also where it cannot be read. */
export async function readRulesFile(path: string | undefined, context: RulesContext): Promise<ReadRules> {
  return parseRules(await readText(path), context);
}

async function readText(path: string | undefined): Promise<string> {
  if (path === undefined) return "";
  const text = await readFile(path, "utf8").catch((error: unknown) => {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown";
    throw new RulesError([`the file ${path} cannot be read (${code}): check RULES_FILE and the file's permissions`]);
  });
  // More likely a file somebody is just writing than rules: those it had may have forbidden something.
  if (text.trim() === "") throw new RulesError([`the file ${path} is empty: write \`channels: {}\` for no rules`]);
  return text;
}

/** The rules that hold now. */
export type LiveRules = Awaited<ReturnType<typeof watchRulesFile>>;

/** How often the file is looked at, milliseconds. Asking works where notices do not arrive: mounts, network folders. */
const LOOK_EVERY_MS = 1_000;

/** A file that is the same after this long, milliseconds, is no half-written one, which could lack restrictions. */
const SETTLED_MS = 100;

/**
 * Reads a rules file and follows its changes; without one the built-in rules hold. Throws RulesError when the first reading
 * fails: a bot does not start with rules nobody wrote. `onProblem`: the file is broken or gone; the rules before it stay.
 */
export async function watchRulesFile(
  path: string | undefined,
  context: RulesContext,
  listener: { onChange?(read: ReadRules): void; onProblem?(problem: RulesError): void } = {},
  lookEveryMs = LOOK_EVERY_MS,
) {
  let inUse = await readText(path);
  let { rules } = parseRules(inUse, context);
  let problem: RulesError | undefined;
  let turn = Promise.resolve();
  let closed = false;

  async function reload(): Promise<void> {
    try {
      const text = await settledText(path);
      if (closed || (text === inUse && problem === undefined)) return;
      const read = parseRules(text, context);
      inUse = text;
      rules = read.rules;
      problem = undefined;
      listener.onChange?.(read);
    } catch (error) {
      if (closed || !(error instanceof RulesError)) return;
      // The same complaint twice is one complaint.
      const known = problem?.message === error.message;
      problem = error;
      if (!known) listener.onProblem?.(error);
    }
  }

  const look = () => void (turn = turn.then(reload));
  if (path !== undefined) {
    watchFile(path, { interval: lookEveryMs, persistent: false }, look);
    // What changed between the first reading and the first look would otherwise go unseen.
    look();
  }
  return {
    /** What holds at this moment: a changed file is taken over within two seconds; a broken one changes nothing. */
    current: (): Rules => rules,
    /** Why the newest version of the file is not in use; undefined: it is. */
    problem: (): RulesError | undefined => problem,
    close(): void {
      closed = true;
      if (path !== undefined) unwatchFile(path, look);
    },
  };
}

async function settledText(path: string | undefined): Promise<string> {
  let text = await readText(path);
  for (;;) {
    await setTimeout(SETTLED_MS);
    const later = await readText(path);
    if (later === text) return text;
    text = later;
  }
}
