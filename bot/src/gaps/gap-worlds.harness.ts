import type { ChannelKind, Message, Person, Workspace } from "@threadlore/chat-workspace";
import { documentFromThread } from "@threadlore/documents";
import { type KeptAnswer, placeOf, taskKey } from "@threadlore/inbox";
import { seededRandom } from "@threadlore/testkit";
import type { TaskWork } from "../context.ts";
import { acceptQuestion, type NewQuestion } from "../ask/question.ts";
import { publishHome } from "../ask/entry/home.ts";
import { askedAlike } from "./keep/asked-alike.ts";
import { type PinsBot, startKnowledge, startPinsBot, startTown } from "../testing/pins-setup.ts";
import { gapTasks } from "./gap-tasks.ts";
import { gapsCommand } from "./gaps-command.ts";
import { noteQuestion } from "./note-question.ts";
import { closeGap } from "./tell-askers.ts";

/** Where a question is asked, as far as it makes a difference. */
const PLACES = ["public", "with others", "private", "mpim", "dm", "agent", "ephemeral", "command"] as const;
type PlaceName = (typeof PLACES)[number];

const TOPICS = [
  "Where is the spare key of the boat house?",
  "Who signs the travel form for Norway?",
  "How is the coffee machine on the third floor cleaned?",
  "When does the canteen close on Fridays?",
];

/** What came of so many questions. */
export interface GapWorldsSeen {
  readonly questions: number;
  /** Of these, those nobody but their asker may read. */
  readonly private: number;
  /** Messages that told askers of an answer; how many named what answers. */
  readonly told: number;
  readonly named: number;
  /** Questions that stand below answers as what others asked. */
  readonly alike: number;
  /** Askers who were told never, or more than once, though their gap was closed. */
  readonly miscounted: readonly string[];
  /** Words that stood where they must not. */
  readonly leaks: readonly string[];
}

/** A word nobody may find where it is not for them. */
interface Canary {
  readonly word: string;
  /** Ids of those who may read it. Absent: everybody. */
  readonly readers?: ReadonlySet<string>;
}

/** Asks so many questions in random places of one workspace, closes some gaps, and looks where words stand. `isAtServer`: where gaps are kept. */
export async function seeGapWorld(count: number, seed: number, isAtServer: boolean): Promise<GapWorldsSeen> {
  const random = seededRandom(seed);
  const pick = <One>(list: readonly One[]): One => list[Math.floor(random() * list.length)] as One;
  const { workspace } = await startTown({});
  const knowledge = startKnowledge();
  const lines: string[] = [];
  const env = isAtServer ? {} : { THREADLORE_INGEST_KEY: undefined };
  const answered: TaskWork = { run: () => Promise.resolve("answered"), giveUp: () => Promise.resolve() };
  const works = { ...gapTasks, question: answered };
  const bot = await startPinsBot({
    workspace,
    knowledge,
    registers: [],
    env,
    works,
    onLog: (line) => lines.push(line),
  });
  const canaries: Canary[] = [];
  const lists: string[] = [];
  const people = ["ann", "ben", "cai", "dov", "eve"].map((name) => workspace.addUser({ name }));
  const boss = workspace.addUser({ name: "boss", kind: "admin" });
  const rooms = roomsFor(workspace, people);
  try {
    for (let asked = 0; asked < count;) {
      const some = Math.min(BATCH, count - asked);
      for (let at = 0; at < some; at += 1) {
        const [place, person] = [pick(PLACES), pick(people)];
        const room = place === "dm" || place === "agent" ? workspace.dmOf(person.user.id).id : pick(rooms[place]);
        if (!workspace.channel(room).members.includes(person.user.id)) continue;
        const isAgreed = random() < 0.15;
        const word = `zq${seed}x${asked + at}y`;
        const isShared = isAgreed || place === "public";
        canaries.push(isShared ? { word } : { word, readers: new Set([person.user.id]) });
        const reason = pick(["nothing", "bad_mark", "human"] as const);
        await ask(bot, { place, person, room, text: `${pick(TOPICS)} ${word}`, reason, isAgreed });
      }
      asked += some;
      await bot.settled();
      lists.push(await gapsCommand.run(bot.context, { user: boss.user.id, channel: "", responseUrl: "" }));
      await closeSome(bot, { workspace, pick, random, rooms, canaries, people, seed });
      await bot.settled();
    }
    return await seen(bot, { workspace, canaries, boss, lists, lines, rows: knowledge.rows(), questions: count });
  } finally {
    await bot.stop();
    await workspace.close();
    await knowledge.close();
  }
}

/** Questions asked before gaps are closed. */
const BATCH = 40;

type Rooms = Readonly<Record<Exclude<PlaceName, "dm" | "agent">, readonly string[]>>;

function roomsFor(workspace: Workspace, people: readonly Person[]): Rooms {
  const ids = people.map(({ user }) => user.id);
  let made = 0;
  const room = (kind: ChannelKind, members: readonly string[]): string =>
    workspace.addChannel({ name: `room-${(made += 1)}`, kind, members, withApp: true }).id;
  const open = [room("public", ids), room("public", ids)];
  const shared = room("public", ids);
  workspace.share(shared, "yes");
  return {
    public: open,
    ephemeral: open,
    command: open,
    "with others": [shared],
    private: [room("private", ids.slice(0, 3)), room("private", ids.slice(2))],
    mpim: [room("mpim", ids.slice(0, 2)), room("mpim", ids.slice(1, 4))],
  };
}

interface Asking {
  readonly place: PlaceName;
  readonly person: Person;
  readonly room: string;
  readonly text: string;
  readonly reason: "nothing" | "bad_mark" | "human";
  readonly isAgreed: boolean;
}

async function ask({ context }: PinsBot, { place, person, room, text, reason, isAgreed }: Asking): Promise<void> {
  const isMessage = place !== "command";
  const isDirect = place === "dm" || place === "agent";
  const ts = !isMessage
    ? `${Date.now() / 1000}${made++}`
    : isDirect
      ? await person.dm(text)
      : await person.say(room, text);
  const question: NewQuestion = {
    entry: isDirect ? place : isMessage ? "mention" : "command",
    team: context.self.teamId,
    channel: room,
    ts,
    isMessage,
    threadTs: ts,
    inThread: false,
    user: person.user.id,
    text,
    private: place === "ephemeral" || place === "command",
  };
  const key = taskKey("question", question);
  await acceptQuestion(context, question, key);
  const taskId = (await context.store.findByKey(key))?.id ?? "";
  await noteQuestion(context, {
    taskId,
    question: { ...question, private: question.private ?? false },
    reason,
    isAgreed,
  });
}

let made = 0;

interface ClosingSome {
  readonly workspace: Workspace;
  readonly pick: <One>(list: readonly One[]) => One;
  readonly random: () => number;
  readonly rooms: Rooms;
  readonly canaries: Canary[];
  readonly people: readonly Person[];
  readonly seed: number;
}

/** Closes some gaps by answers that stand in some channel, which not everybody may read. */
async function closeSome(bot: PinsBot, { workspace, pick, random, rooms, canaries, people, seed }: ClosingSome) {
  const { context } = bot;
  const waiting = (await Promise.all((await context.store.askersWaiting()).map(context.store.waitingOf))).flat();
  const gaps = [...new Set(waiting.filter((one) => one.toldAt === undefined).map(({ gap }) => gap))];
  for (const gap of gaps) {
    if (random() < 0.4) continue;
    const channel = pick([...rooms.public, ...rooms.private, ...rooms.mpim]);
    const { kind, members } = workspace.channel(channel);
    const word = `zt${seed}x${canaries.length}y`;
    canaries.push(kind === "public" ? { word } : { word, readers: new Set(members) });
    await closeGap(context, gap, {
      documentId: `document-${word}`,
      title: `The answer ${word}`,
      permalink: `https://${workspace.team.domain}.slack.com/archives/${channel}/p17000000000${canaries.length}`,
      owner: pick(people).user.id,
      beginning: `It is so ${word}.`,
    });
  }
}

interface Seeing {
  readonly workspace: Workspace;
  readonly canaries: readonly Canary[];
  readonly boss: Person;
  /** What the administrator was listed. */
  readonly lists: readonly string[];
  readonly lines: readonly string[];
  readonly rows: string;
  readonly questions: number;
}

async function seen(
  bot: PinsBot,
  { workspace, canaries, boss, lists, lines, rows, questions }: Seeing,
): Promise<GapWorldsSeen> {
  const { context } = bot;
  const { store } = context;
  const byWord = new Map(canaries.map((canary) => [canary.word, canary]));
  const leaks: string[] = [];
  /** `readers`: who reads it; absent: whoever looks after the bot or the server, who may read no private word. */
  const look = (where: string, text: string, readers?: readonly string[]): void => {
    for (const word of new Set(text.match(/z[qt]\d+x\d+y/g))) {
      const allowed = byWord.get(word)?.readers;
      if (allowed === undefined) continue;
      if (readers?.every((reader) => allowed.has(reader)) !== true) leaks.push(`${word} in ${where}`);
    }
  };
  const everybody = workspace.people().map(({ user }) => user.id);
  const own: Message[] = [];
  for (const { id, kind, members } of workspace.channels()) {
    const readers = (kind === "public" ? everybody : members).filter((one) => one !== workspace.app.botUserId);
    const roots = workspace.messages(id);
    const messages = roots.flatMap(({ ts }) => workspace.messages(id, ts));
    for (const message of messages.filter(({ user }) => user === workspace.app.botUserId)) {
      own.push(message);
      look(
        `a message in a ${kind} channel`,
        `${message.text} ${JSON.stringify(message.blocks)} ${JSON.stringify(message.metadata)}`,
        readers,
      );
    }
  }
  look("the list of gaps", lists.join("\n"), everybody);
  await publishHome(context, boss.user.id);
  look("a Home", JSON.stringify(boss.home()), everybody);
  look("the log", lines.join("\n"));
  look("the metrics", await context.metrics.text());
  // What a document is called is known to the server that has it, and its number stands beside the gap.
  look("the server's database", rows.replaceAll(/zt\d+x\d+y/g, ""));
  const waiting = (await Promise.all((await store.askersWaiting()).map(store.waitingOf))).flat();
  // Not even its asker's own row holds a word of it.
  look("what waits", JSON.stringify(waiting));
  let alike = 0;
  for (const { ref, words = "" } of waiting) {
    const asked = await askedAlike(context, keptAnswerOf(ref, words));
    alike += asked.length;
    look("what is kept of an answer", JSON.stringify(documentOf(words, asked)), everybody);
  }
  for (const { place } of waiting) for (const { words } of await store.traceOf(place)) look("a trace", words);
  const told = own.filter(({ metadata }) => JSON.stringify(metadata)?.includes("threadlore_gap"));
  return {
    questions,
    private: canaries.filter(({ word, readers }) => word.startsWith("zq") && readers !== undefined).length,
    told: told.length,
    alike,
    named: told.filter(({ text }) => /zt\d+x\d+y/.test(text)).length,
    miscounted: waiting
      .filter(
        ({ ref, telling, toldAt }) =>
          telling !== undefined && toldAt === undefined && !telling.endsWith("over") && ref !== "",
      )
      .map(({ ref }) => placeOf({ team: "", channel: "", ts: ref })),
    leaks,
  };
}

/** An answer as it is kept, to the question of a task. */
function keptAnswerOf(task: string, question: string): KeptAnswer {
  const message = { channel: "C1", ts: "1.1", thread: "1.0", until: "1.1" };
  return { ...message, task, owner: "U1", question, keptAt: 1, confirmedAt: 1 };
}

function documentOf(question: string, askedAs: readonly string[]) {
  return documentFromThread({
    team: "T1",
    channel: { id: "C1", name: "room", kind: "public" },
    ts: "1.1",
    messages: [{ ts: "1.1", author: { name: "bo" }, text: "It is so." }],
    keptBy: { name: "bo" },
    how: "answer",
    title: question,
    answer: { question, owner: "T1:U1", keptAt: 1, askedAs },
  }).document;
}
