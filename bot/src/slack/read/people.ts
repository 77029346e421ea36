import type { ConversationsInfoResponse, UsersInfoResponse } from "@slack/web-api";
import { delay } from "@threadlore/client/delay";
import type { Clients } from "../transport/clients.ts";
import type { Pacer } from "../transport/pacing.ts";
import { field } from "@threadlore/documents/slack";
import type { Self } from "./self.ts";

/** What the bot needs to know of an account. */
export interface Account {
  readonly id: string;
  /** How people call them: display name, else real name, else the account's name. */
  readonly name: string;
  readonly email?: string;
  /**
   * Full `member` of this workspace, an `admin` (or owner) of it, a `guest` (of one channel or several), a `stranger` of
   * another company, a `bot`.
   */
  readonly kind: "member" | "admin" | "guest" | "stranger" | "bot";
  /** IANA name, such as `Europe/Berlin`; absent where the account has none. */
  readonly timezone?: string;
}

/** What the bot needs to know of a channel. */
export type Place = Readonly<ReturnType<typeof placeOf>>;

/** How long an account and a channel are remembered, milliseconds. A channel's sharing can change at any time. */
const ACCOUNT_MS = 30 * 60_000;
const PLACE_MS = 60_000;
const MAX_REMEMBERED = 10_000;

/** What the platform is read with. */
export interface Reading {
  readonly clients: Pick<Clients, "reads">;
  readonly pacer: Pacer;
  readonly self: Self;
}

/** Accounts and channels by id, remembered for a while. */
export type People = ReturnType<typeof createPeople>;

/** Makes {@link People}. Lookups of the same id at the same time are one call. */
export function createPeople({ clients, pacer, self, now }: Reading & { readonly now: () => number }) {
  const { reads } = clients;
  const { teamId: team } = self;
  const paced = <Result>(method: string, call: () => Promise<Result>) => pacer.call({ team, method }, call);
  const accounts = remembered(now, ACCOUNT_MS, async (id): Promise<Account | undefined> => {
    const reply = await found(paced("users.info", () => reads.users.info({ user: id })));
    return reply?.user && accountOf(id, reply.user, self);
  });
  const places = remembered(now, PLACE_MS, async (id): Promise<Place | undefined> => {
    const reply = await found(paced("conversations.info", () => reads.conversations.info({ channel: id })));
    return reply?.channel && placeOf(id, reply.channel);
  });
  const groups = remembered(now, PLACE_MS, async (id) => {
    const reply = await paced("usergroups.users.list", () => reads.usergroups.users.list({ usergroup: id }));
    return new Set(reply.users);
  });
  const lookAgain = sharedLooks((id) => {
    places.forget(id);
    return places.look(id);
  });

  return {
    /** Undefined: there is no such account, or it cannot be looked at. */
    account: accounts.look,
    /**
     * `fresh`: asked after this call, whatever is remembered; many at once share one look. Undefined: the app cannot see
     * it.
     */
    place: (id: string, { fresh = false } = {}) => (fresh ? lookAgain(id) : places.look(id)),
    /** Which of these user groups the account is in; undefined where the platform would not say. */
    async groupsOf(id: string, wanted: readonly string[]): Promise<readonly string[] | undefined> {
      try {
        const members = await Promise.all(wanted.map(groups.look));
        return wanted.filter((_, index) => members[index]?.has(id) === true);
      } catch {
        return undefined;
      }
    },
    /** Whether the account is deactivated, asked now. Rejects where the platform does not say. */
    async hasLeft(id: string): Promise<boolean> {
      const reply = await found(paced("users.info", () => reads.users.info({ user: id })));
      return reply?.user?.deleted === true;
    },
    /** Forgets what is known of an account or a channel: an event told that it changed. */
    forget(id: string): void {
      accounts.forget(id);
      places.forget(id);
    },
  };
}

/** What `look` found by id, for `lifeMs`. What rejects is not remembered. */
function remembered<Value>(now: () => number, lifeMs: number, look: (id: string) => Promise<Value>) {
  const known = new Map<string, { readonly value: Promise<Value>; readonly until: number }>();
  return {
    look(id: string): Promise<Value> {
      const entry = known.get(id);
      if (entry !== undefined && entry.until > now()) return entry.value;
      const value = look(id);
      known.set(id, { value, until: now() + lifeMs });
      value.catch(() => known.delete(id));
      const [oldest] = known.keys();
      if (known.size > MAX_REMEMBERED && oldest !== undefined) known.delete(oldest);
      return value;
    },
    forget: (id: string) => void known.delete(id),
  };
}

/** So many looks of a minute are made at once; 50 are allowed, and other questions need some. */
const LOOKS_AT_ONCE = 10;
/** Beyond that a channel is looked at once in so long, for everybody who waits by then, milliseconds. */
const LOOK_EVERY_MS = 2_000;
const MINUTE = 60_000;

/**
 * In a burst of questions each would ask for its channel once more before its answer is shown. A look that begins after
 * all of them have asked is as good for all.
 */
function sharedLooks<Found>(look: (id: string) => Promise<Found>): (id: string) => Promise<Found> {
  let begun: { readonly id: string; readonly at: number }[] = [];
  const next = new Map<string, Promise<Found>>();
  const begin = (id: string): Promise<Found> => {
    begun.push({ id, at: performance.now() });
    return look(id);
  };
  return (id) => {
    const waiting = next.get(id);
    if (waiting !== undefined) return waiting;
    const now = performance.now();
    begun = begun.filter(({ at }) => at > now - MINUTE);
    const last = begun.findLast((one) => one.id === id);
    if (last === undefined || last.at + LOOK_EVERY_MS <= now || begun.length < LOOKS_AT_ONCE) return begin(id);
    const shared = delay(last.at + LOOK_EVERY_MS - now).then(() => {
      next.delete(id);
      return begin(id);
    });
    next.set(id, shared);
    return shared;
  };
}

/** Errors that say "there is no such thing for this app"; everything else is thrown on. */
const NOT_THERE: ReadonlySet<string> = new Set([
  "user_not_found",
  "user_not_visible",
  "users_not_found",
  "channel_not_found",
  "not_in_channel",
  "missing_scope",
]);

/** What a call found; undefined where the platform refused it with one of these words. */
export async function found<Reply>(call: Promise<Reply>, missing = NOT_THERE): Promise<Reply | undefined> {
  try {
    return await call;
  } catch (error) {
    if (missing.has(platformError(error) ?? "")) return undefined;
    throw error;
  }
}

/** The platform's own word for why it refused a call; undefined when the call failed otherwise. */
export function platformError(error: unknown): string | undefined {
  const word = field(field(error, "data"), "error");
  return typeof word === "string" ? word : undefined;
}

function accountOf(
  id: string,
  user: NonNullable<UsersInfoResponse["user"]>,
  { teamId, organisation }: Pick<Self, "teamId" | "organisation">,
): Account {
  const { profile = {} } = user;
  const names = [profile.display_name, profile.real_name, user.real_name, user.name];
  const isOfOrganisation = organisation !== undefined && user.enterprise_user?.enterprise_id === organisation;
  const elsewhere = user.team_id !== undefined && user.team_id !== teamId && !isOfOrganisation;
  const guest = user.is_restricted === true || user.is_ultra_restricted === true;
  const kind = user.is_stranger === true || elsewhere ? "stranger" : user.is_bot === true ? "bot" : undefined;
  return {
    id,
    name: names.find((one) => one !== undefined && one !== "") ?? id,
    email: profile.email,
    kind: kind ?? (guest ? "guest" : user.is_admin === true || user.is_owner === true ? "admin" : "member"),
    timezone: user.tz,
  };
}

function placeOf(id: string, channel: NonNullable<ConversationsInfoResponse["channel"]>) {
  const hidden = channel.is_private === true || channel.is_group === true;
  const kind: "public" | "private" | "mpim" | "im" =
    channel.is_im === true ? "im" : channel.is_mpim === true ? "mpim" : hidden ? "private" : "public";
  return {
    id,
    /** Without `#`; empty for direct conversations. */
    name: channel.name ?? "",
    kind,
    /** Shared with another company, or about to be. */
    shared: channel.is_ext_shared === true || channel.is_pending_ext_shared === true,
    archived: channel.is_archived === true,
  };
}
