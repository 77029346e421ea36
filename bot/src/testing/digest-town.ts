import type { Channel, Message, Person } from "@threadlore/chat-workspace";
import { expect } from "vitest";
import { buttonOf } from "./buttons.ts";
import { clockFrom, keepingTown, withHelpers } from "./kept-answers.ts";
import { idle, type Town, type TownOptions } from "./running-bot.ts";

/** A Friday, at ten. */
export const FRIDAY = Date.UTC(2026, 10, 27, 10);
export const DAY_MS = 86_400_000;

/** A town whose digest is due on Mondays, with an administrator and their channel. */
export interface DigestTown extends Town {
  readonly boss: Person;
  readonly admins: Channel;
  readonly clock: ReturnType<typeof clockFrom>;
}

/** How to start one. */
export interface DigestTownOptions extends TownOptions {
  /** When it starts: a Friday. */
  readonly friday?: number;
  /** Whether the service has the same clock. Default: it has that of the machine. */
  readonly withServer?: boolean;
  /** Rules of #admins and of #general besides, a line each. */
  readonly inAdmins?: string;
  readonly inGeneral?: string;
}

/** Starts it. `open`: of `useTowns`. */
export async function digestTown(
  open: (options?: TownOptions) => Promise<Town>,
  { friday = FRIDAY, inAdmins, inGeneral = "", withServer = false, ...options }: DigestTownOptions = {},
): Promise<DigestTown> {
  const clock = clockFrom(friday);
  const parts = { now: clock.now, patience: { digestEveryMs: 50 }, ...options.parts };
  const serverNow = withServer ? { serverNow: clock.now } : {};
  const place = await open(keepingTown({ ...options, ...serverNow, parts, env: { TZ: "UTC", ...options.env } }));
  const boss = place.workspace.addUser({ name: "boss", kind: "admin" });
  const admins = place.workspace.addChannel({ name: "admins", members: [boss.user.id], withApp: true });
  Object.assign(place.bot.context.config, { adminChannel: admins.id });
  place.setRules("digest_at: Mon 09:00 UTC\n");
  const theirs = inAdmins === undefined ? "" : `  ${admins.id}:\n    ${inAdmins}\n`;
  await withHelpers(place, `    ${inGeneral}\n${theirs}digest_at: Mon 09:00 UTC\n`);
  // It has looked once, and found that none is due.
  await expect.poll(() => place.bot.context.store.recall("digest of week")).toBeDefined();
  return Object.assign(place, { boss, admins, clock });
}

/** Digests that were posted, oldest first. */
export const digestsIn = ({ workspace, admins }: Pick<DigestTown, "workspace" | "admins">): readonly Message[] =>
  workspace.messages(admins.id).filter(({ text }) => text.includes("This week"));

/** Somebody waits for something, so that there is a digest in any case. */
export async function somebodyWaits(place: Town): Promise<void> {
  const ts = await place.ada.mention(place.general.id, "Where is the spare key of the boat house?");
  await place.answered(place.general.id, ts);
  await idle(place);
}

/** The digest of the next week, once it is posted. */
export async function nextDigest(place: DigestTown): Promise<Message> {
  const { clock, workspace } = place;
  const count = digestsIn(place).length;
  clock.advance((count === 0 ? 3 : 7) * DAY_MS);
  const digest = await workspace.until(() => digestsIn(place)[count]);
  await idle(place);
  return digest;
}

/** Presses the first button of such an action below a message. */
export const pressBelow = (who: Person, message: Message, action: string): Promise<unknown> =>
  who.press({ channel: message.channel, ts: message.ts }, action, buttonOf(message, action));

/** What somebody alone was told in a channel. */
export const toldTo = (who: Person, channel: string): string =>
  JSON.stringify(who.ephemerals(channel).map(({ text }) => text));
