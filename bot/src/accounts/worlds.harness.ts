import type { Message, Person } from "@threadlore/chat-workspace";
import { afterThisTest, seededRandom } from "@threadlore/testkit";
import { expect } from "vitest";
import { addKey, Database } from "@threadlore/service";
import {
  CAN_CONNECT,
  connectAccount,
  disconnectAccount,
  homeWith,
  makeSets,
  personKey,
} from "../testing/own-accounts.ts";
import { idle, startTown } from "../testing/running-bot.ts";

/** Document sets; `S0` is what channels see, `S1` what channels with the wider key see besides. */
const SETS = ["S0", "S1", "S2", "S3", "S4"] as const;
type Set_ = (typeof SETS)[number];
const CHANNELS_SEE: readonly Set_[] = ["S0"];
const WIDER_SEES: readonly Set_[] = ["S0", "S1"];

/** Somebody, with an account of their own, in a channel of their own. */
interface Somebody {
  readonly person: Person;
  readonly sees: readonly Set_[];
  readonly channel: string;
  readonly channelSees: readonly Set_[];
  readonly key: string;
}

/** One matter with some facts, each in some sets. */
interface World {
  readonly topic: string;
  readonly facts: readonly { readonly canary: string; readonly sets: readonly Set_[] }[];
  readonly asker: Somebody;
}

/** What came of the worlds. */
export interface WorldsSeen {
  /** Worlds in which somebody's account saw a fact that the channel's key did not. */
  readonly withMore: number;
  /** How many were offered more, how many of those read at least one such fact, and how many that nothing is left. */
  readonly offered: number;
  readonly told: number;
  readonly nothingLeft: number;
  /** Facts of everybody's in what was told as more. */
  readonly repeated: number;
  /** Facts that stood where somebody could read them who may not see them, or went to the server with a key that may not. */
  readonly leaks: readonly string[];
}

const AT_ONCE = 8;

/**
 * So many random worlds of facts, rights and channel keys in one running bot: each is asked about in a channel, more is taken
 * where it is offered, somebody else goes on in the thread, and it is asked about in a direct message, now and then after the
 * account was disconnected.
 */
export async function seeWorlds(count: number, seed: number): Promise<WorldsSeen> {
  const random = seededRandom(seed);
  const pick = <One>(list: readonly One[]): One => list[Math.floor(random() * list.length)] as One;
  const some = (): Set_[] => SETS.filter(() => random() < 0.45);
  const place = await startTown({
    isEmpty: true,
    env: { ...CAN_CONNECT, STREAMING: "off", THREADLORE_KEY: "tl_TESTnarrow", THREADLORE_DM_KEY: "tl_TESTwide" },
    parts: { times: { pollMs: 20, backoffMs: () => 50 } },
  });
  afterThisTest(() => place.close());
  const { workspace, knowledge, bo } = place;
  const db = new Database(knowledge.database);
  db.transact(addKey("tl_TESTnarrow", { name: "narrow", role: "ordinary", documentSets: CHANNELS_SEE }, 0));
  db.transact(addKey("tl_TESTwide", { name: "wide", role: "ordinary", documentSets: WIDER_SEES }, 0));
  db.close();
  const add = makeSets(knowledge, SETS);

  const people: Somebody[] = [];
  for (let at = 0; at < AT_ONCE; at += 1) {
    const person = workspace.addUser({
      name: `p${at}`,
      realName: pick(["Žofie Malá", "李 小龙", "عمر", "Ann O’Neil"]),
    });
    const channel = workspace.addChannel({ name: `c${at}`, members: [person.user.id, bo.user.id], withApp: true });
    const sees = some();
    const key = personKey(knowledge, `p${at}`, sees.length === 0 ? ["none"] : sees);
    people.push({ person, sees, key, channel: channel.id, channelSees: at % 3 === 0 ? WIDER_SEES : CHANNELS_SEE });
  }
  const wide = people.filter(({ channelSees }) => channelSees === WIDER_SEES).map(({ channel }) => channel);
  place.setRules(`channels:\n${wide.map((id) => `  ${id}:\n    key: dm\n`).join("")}`);
  await expect.poll(() => place.bot.context.rules().channels.size).toBe(wide.length);
  for (const { person, key } of people) await connectAccount(workspace, person, key);

  const worlds: World[] = Array.from({ length: count }, (_, at) => ({
    topic: `Velm${at}ora`,
    facts: Array.from({ length: 1 + Math.floor(random() * 4) }, (__, one) => ({
      canary: `QX${at}Z${one}${Math.floor(random() * 1e6)}`,
      sets: [...new Set([pick(SETS), ...(random() < 0.3 ? [pick(SETS)] : [])])],
    })),
    asker: people[at % AT_ONCE] as Somebody,
  }));
  for (const set of SETS) {
    const documents = worlds.flatMap(({ topic, facts }) =>
      facts.flatMap(({ canary, sets }) =>
        sets.includes(set)
          ? [{ id: `${canary}-${set}`, title: `About ${topic}`, text: `The budget of ${topic} is ${canary}.` }]
          : [],
      ),
    );
    await add(set, documents);
  }

  const seen = { withMore: 0, offered: 0, told: 0, nothingLeft: 0, repeated: 0 };
  const mayRead = new Map<string, World["facts"][number]>(
    worlds.flatMap(({ facts }) => facts.map((fact) => [fact.canary, fact] as const)),
  );
  const within = (sets: readonly Set_[], { sets: of }: World["facts"][number]): boolean =>
    of.some((set) => sets.includes(set));

  async function ask({ topic, facts, asker }: World): Promise<void> {
    const { person, sees, channel, channelSees } = asker;
    const question = `What is the budget of ${topic}?`;
    const ts = await person.mention(channel, question);
    await place.answered(channel, ts);
    const mine = (): readonly Message[] => person.ephemerals(channel).filter(({ threadTs }) => threadTs === ts);
    const hasMore = facts.some((fact) => within(sees, fact) && !within(channelSees, fact));
    if (hasMore) seen.withMore += 1;
    const isOffered = (): Message | undefined => mine().find(({ shown }) => shown.includes("only you can see"));
    const button = await workspace.until(isOffered, hasMore ? 20_000 : 400).catch(() => undefined);
    if (button !== undefined) {
      seen.offered += 1;
      await person.press({ channel, ts: button.ts }, "answer_more_own");
      const more = await workspace.until(() => mine().find(({ ts: at }) => at !== button.ts), 60_000);
      const told = facts.filter(({ canary }) => more.shown.includes(canary));
      if (more.shown.includes("nothing to add")) seen.nothingLeft += 1;
      seen.repeated += told.filter((fact) => within(channelSees, fact)).length;
      if (told.length > 0) seen.told += 1;
    }
    if (random() < 0.3) {
      await bo.mention(channel, `Who set the budget of ${topic}?`, { threadTs: ts });
      await place.answered(channel, ts, 2);
    }
    if (random() < 0.3) {
      if (random() < 0.3) {
        await disconnectAccount(workspace, person);
        await person.dm(question);
        await connectAccount(workspace, person, asker.key);
      } else await person.dm(question);
    }
  }

  for (let at = 0; at < worlds.length; at += AT_ONCE) await Promise.all(worlds.slice(at, at + AT_ONCE).map(ask));
  await idle(place);

  // Whoever opens Home reads there what it keeps of what they asked, and nobody else's.
  const homes = new Map<Person, string>();
  for (const person of [...people.map(({ person: one }) => one), bo])
    homes.set(person, await homeWith(workspace, person, "blocks"));

  const leaks: string[] = [];
  const look = (where: string, text: string, sets: readonly Set_[]): void => {
    for (const canary of text.match(/QX\d+Z\d+/g) ?? []) {
      const fact = mayRead.get(canary);
      if (fact !== undefined && !within(sets, fact)) leaks.push(`${where}: ${canary} of ${fact.sets.join()}`);
    }
  };
  for (const { person, sees, channel, channelSees, key } of people) {
    const roots = workspace.messages(channel).map(({ ts }) => ts);
    const all = roots.flatMap((ts) => workspace.messages(channel, ts));
    look(`channel ${channel}`, JSON.stringify(all), channelSees);
    look(`for ${person.user.name}`, JSON.stringify(person.ephemerals(channel)), [...sees, ...channelSees]);
    const dm = workspace.dmOf(person.user.id).id;
    const direct = workspace.messages(dm).flatMap(({ ts }) => workspace.messages(dm, ts));
    look(`to ${person.user.name}`, JSON.stringify(direct), [...sees, ...WIDER_SEES]);
    look(`home of ${person.user.name}`, homes.get(person) ?? "", [...sees, ...WIDER_SEES]);
    const asked = knowledge.asked.filter((_, at) => knowledge.keys[at] === `Bearer ${key}`);
    look(`asked by ${person.user.name}`, JSON.stringify(asked), [...sees, ...channelSees, ...WIDER_SEES]);
  }
  look("for somebody else", JSON.stringify(bo.ephemerals()), []);
  look("home of somebody else", homes.get(bo) ?? "", CHANNELS_SEE);
  for (const [key, sets] of [["tl_TESTnarrow", CHANNELS_SEE] as const, ["tl_TESTwide", WIDER_SEES] as const]) {
    const asked = knowledge.asked.filter((_, at) => knowledge.keys[at] === `Bearer ${key}`);
    look(`asked with ${key}`, JSON.stringify(asked), sets);
  }
  place.expectNoRefusals();
  return { ...seen, leaks };
}
