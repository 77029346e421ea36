import { postSigned, SignedHttp } from "./delivery/signed-http.ts";
import type { Sockets } from "./delivery/sockets.ts";
import type { FaultBook } from "./faults.ts";
import type { InteractionParts } from "./interactions.ts";
import { WorkspacePerson } from "./people.ts";
import { channelNow, seenBy } from "./seen.ts";
import type { State } from "./state.ts";
import { isObject, parseJson } from "./fields.ts";
import type {
  ApiCall,
  AppResponse,
  Channel,
  ChannelKind,
  Faults,
  Message,
  Person,
  SigningOptions,
  User,
  Workspace,
} from "./workspace.ts";

/** What a running workspace is made of. */
export interface WorkspaceParts extends InteractionParts {
  readonly sockets: Sockets;
  readonly faults: FaultBook;
  readonly calls: readonly ApiCall[];
  readonly ackTimeoutMs: number;
  readonly close: () => Promise<void>;
}

/** How often a condition is looked at when nothing changes here: it may be about the app, milliseconds. */
const LOOK_MS = 25;

/** After this the platform ends a status line, and a session's `processing`, by itself; milliseconds. */
const STATUS_LINE_MS = 2 * 60_000;
const PROCESSING_MS = 60 * 60_000;

/** A workspace that listens. */
export class RunningWorkspace implements Workspace {
  readonly url: string;
  readonly slackApiUrl: string;
  readonly credentials: Workspace["credentials"];
  readonly team: Workspace["team"];
  readonly app: Workspace["app"];
  readonly calls: readonly ApiCall[];
  readonly offers: Workspace["offers"];
  readonly faults: Faults;
  readonly #state: State;
  readonly #parts: WorkspaceParts;
  readonly #people = new Map<string, Person>();
  #closed: Promise<void> | undefined;

  constructor(parts: WorkspaceParts) {
    this.#parts = parts;
    this.#state = parts.state;
    const { url, credentials, team, app, options } = parts.state;
    this.url = `${url}/`;
    this.slackApiUrl = `${url}/api/`;
    this.credentials = credentials;
    this.team = team;
    this.app = app;
    this.calls = parts.calls;
    const { commands = [], shortcuts = [] } = options.app ?? {};
    this.offers = { commands, shortcuts };
    this.faults = faultsOf(parts);
  }

  addUser(user: { name: string; realName?: string; kind?: User["kind"]; email?: string }): Person {
    const { name, kind = "member", email } = user;
    const stored: User = {
      id: this.#state.id("U"),
      name,
      realName: user.realName ?? name,
      ...(email !== undefined && { email }),
      kind,
      // A stranger comes from the other company of a shared channel.
      teamId: kind === "stranger" ? this.#state.partnerTeamId : this.#state.team.id,
      deactivated: false,
    };
    this.#state.users.set(stored.id, stored);
    const person = new WorkspacePerson(this.#parts, stored);
    this.#people.set(stored.id, person);
    this.#state.changed();
    return person;
  }

  person(userId: string): Person {
    const person = this.people().find(({ user }) => user.id === userId);
    if (person === undefined) throw new Error(`There is nobody with the id ${userId}.`);
    return person;
  }

  people(): readonly Person[] {
    // Those of a file that was read have no person yet.
    for (const user of this.#state.users.values()) {
      if (user.kind === "bot" || this.#people.has(user.id)) continue;
      this.#people.set(user.id, new WorkspacePerson(this.#parts, user));
    }
    return [...this.#people.values()];
  }

  addChannel(channel: { name: string; kind?: ChannelKind; members?: readonly string[]; withApp?: boolean }): Channel {
    const { name, kind = "public", withApp = true } = channel;
    const everybody = this.people().filter(({ user }) => user.kind !== "stranger" && !user.kind.endsWith("guest"));
    const people = channel.members ?? everybody.map(({ user }) => user.id);
    const members = withApp ? [...people, this.#state.app.botUserId] : people;
    const stored = this.#state.addChannel({ name, kind, members });
    this.#state.changed();
    return channelNow(stored);
  }

  channel(id: string): Channel {
    return channelNow(this.#state.channel(id));
  }

  channels(): readonly Channel[] {
    return [...this.#state.channels.values()].map(channelNow);
  }

  archive(channel: string): void {
    this.#parts.acts.archive(this.#state.channel(channel), [...this.#people.keys()][0] ?? this.#state.app.botUserId);
  }

  share(channel: string, state: Channel["shared"]): void {
    this.#parts.acts.share(this.#state.channel(channel), state);
  }

  removeApp(channel: string): void {
    this.#parts.acts.leave(this.#state.channel(channel), this.#state.app.botUserId);
  }

  deactivate(userId: string): void {
    this.#parts.acts.deactivate(this.person(userId).user.id);
  }

  inviteApp(channel: string, inviter?: string): void {
    this.#parts.acts.join(this.#state.channel(channel), this.#state.app.botUserId, inviter);
  }

  dmOf(userId: string): Channel {
    return channelNow(this.#state.directOf(this.#state.app.botUserId, userId));
  }

  messages(channel: string, threadTs?: string): readonly Message[] {
    return this.#state
      .messagesIn(channel)
      .filter((one) => !one.deleted && one.only === undefined)
      .filter((one) =>
        threadTs === undefined
          ? one.threadTs === undefined || one.threadTs === one.ts || one.broadcast === true
          : one.ts === threadTs || one.threadTs === threadTs,
      )
      .map((one) => seenBy(this.#state, one));
  }

  message(channel: string, ts: string): Message | undefined {
    const found = this.#state.messagesIn(channel).find((one) => one.ts === ts);
    return found === undefined ? undefined : seenBy(this.#state, found);
  }

  session(channel: string, threadTs: string): ReturnType<Workspace["session"]> {
    const session = this.#state.sessions.get(`${channel}:${threadTs}`);
    if (session === undefined) return undefined;
    const age = this.#state.now() - (session.statusAt ?? this.#state.now());
    const lineOver = session.line !== "" && age > STATUS_LINE_MS;
    const over = lineOver || (session.status === "processing" && age > PROCESSING_MS);
    const status = over ? "active" : session.status;
    return { status, words: over ? "" : session.line, title: session.title ?? "" };
  }

  prompts(channel: string): ReturnType<Workspace["prompts"]> {
    const prompts = this.#state.prompts.get(channel)?.prompts ?? [];
    return prompts.map((one) => ({ title: String(one["title"]), message: String(one["message"]) }));
  }

  file(id: string): ReturnType<Workspace["file"]> {
    const file = this.#state.files.get(id);
    return file?.content && { name: file.name, mimetype: file.mimetype, content: file.content };
  }

  sockets(): number {
    return this.#parts.sockets.connected;
  }

  until<Found>(condition: () => Found | undefined | false, timeoutMs = 10_000): Promise<Found> {
    return new Promise((resolve, reject) => {
      let soon: NodeJS.Immediate | undefined;
      const end = (): void => {
        clearImmediate(soon);
        clearInterval(looking);
        clearTimeout(late);
        unfollow();
      };
      const look = (): void => {
        soon = undefined;
        try {
          const found = condition();
          if (found === undefined || found === false) return;
          end();
          resolve(found);
        } catch (error) {
          end();
          reject(error instanceof Error ? error : new Error(String(error)));
        }
      };
      // Not in the middle of a call: what it changed and its record are to be seen together.
      const unfollow = this.#state.onChange(() => {
        soon ??= setImmediate(look);
      });
      const looking = setInterval(look, LOOK_MS);
      const late = setTimeout(() => {
        end();
        reject(new Error(`Waited ${timeoutMs} ms in vain for: ${String(condition)}\n${this.#lately()}`));
      }, timeoutMs);
      look();
    });
  }

  /** The last calls, for whoever reads why a wait was in vain. */
  #lately(): string {
    const last = this.calls.slice(-8).map(({ method, status, response, refusals }) => {
      const why = response["error"] === undefined ? "" : ` ${String(response["error"])}`;
      return `  ${method} ${status}${why} ${refusals.join("; ")}`.trimEnd();
    });
    return `Last calls of the app:\n${last.join("\n") || "  none"}`;
  }

  onChange(listener: () => void): () => void {
    return this.#state.onChange(listener);
  }

  async deliver(event: Record<string, unknown>, envelope?: Record<string, unknown>): Promise<void> {
    await this.#parts.delivery.event(event, envelope);
  }

  async useRequestUrl(url: string): Promise<void> {
    const { signingSecret, verificationToken: token } = this.#state.credentials;
    const challenge = this.#state.hex(32);
    const body = JSON.stringify({ token, challenge, type: "url_verification" });
    const { status, text } = await postSigned(url, signingSecret, body);
    const parsed = parseJson(text);
    const echoed = isObject(parsed) ? parsed["challenge"] : text;
    if (status !== 200 || echoed !== challenge) {
      throw new Error(`${url} did not answer the challenge: it said ${status} ${text.slice(0, 200)}`);
    }
    this.#parts.delivery.through(new SignedHttp(this.#state, url, this.#parts.ackTimeoutMs));
  }

  async postSigned(url: string, body: string, options: SigningOptions = {}): Promise<AppResponse> {
    return postSigned(url, this.#state.credentials.signingSecret, body, options);
  }

  close(): Promise<void> {
    this.#closed ??= this.#parts.close();
    return this.#closed;
  }
}

function faultsOf({ state, acts, delivery, sockets, faults }: WorkspaceParts): Faults {
  return {
    rateLimit: (method, { retryAfterS = 1, times } = {}) =>
      faults.plan(method, { kind: "rateLimit", retryAfterS }, times),
    fail: (method, { status = 500, times } = {}) => faults.plan(method, { kind: "fail", status }, times),
    refuse: (method, error, { times, fields = {} } = {}) =>
      faults.plan(method, { kind: "refuse", error, fields }, times),
    dropResponse: (method, { times } = {}) => faults.plan(method, { kind: "dropResponse" }, times),
    delay: (method, ms, { times, before = false } = {}) => faults.plan(method, { kind: "delay", ms, before }, times),
    duplicateEvents: (copies) => {
      delivery.copies = copies;
    },
    shuffleEvents: (withinMs) => {
      delivery.shuffleMs = withinMs;
    },
    disconnectSockets: (reason, { all = false } = {}) => sockets.disconnect(reason, all),
    killSockets: ({ all = false } = {}) => sockets.kill(all),
    silenceSockets: ({ all = false } = {}) => sockets.silence(all),
    appRateLimited: () => delivery.appRateLimited(),
    revokeToken: () => {
      const token = state.tokens.get(state.credentials.botToken);
      if (token !== undefined) token.revoked = true;
      acts.tell({ type: "tokens_revoked", tokens: { oauth: [], bot: [state.app.botUserId] }, event_ts: state.ts() });
    },
    uninstall: () => {
      acts.tell({ type: "tokens_revoked", tokens: { oauth: [], bot: [state.app.botUserId] }, event_ts: state.ts() });
      acts.tell({ type: "app_uninstalled", event_ts: state.ts() });
      state.installed = false;
    },
    clear: () => {
      faults.clear();
      delivery.copies = 1;
      delivery.shuffleMs = 0;
    },
  };
}
