import { setTimeout as wait } from "node:timers/promises";
import type { State } from "../state.ts";
import { Undelivered, type Envelope, type Transport } from "./envelope.ts";

/** After a failed attempt, how long until the next, milliseconds: at once, a minute, five minutes. */
const SLACK_REDELIVERY_MS: readonly number[] = [0, 60_000, 300_000];

/** Brings events, commands and interactions to the app, again where it must. */
export class Delivery {
  /** Each event is sent this many times. */
  copies = 1;
  /** Events are sent in a shuffled order within this many milliseconds. */
  shuffleMs = 0;
  /** The way everything goes. */
  transport: Transport;
  readonly #state: State;
  readonly #closing = new AbortController();

  constructor(state: State, transport: Transport) {
    this.#state = state;
    this.transport = transport;
  }

  /** An event of now, when the app is subscribed to its type and a member of the channel it happened in. */
  tell(happened: Record<string, unknown>, channel?: string): void {
    const event = { event_ts: happened["event_ts"] ?? this.#state.ts(), ...happened };
    if (!this.#state.installed || !this.#isSubscribed(event)) return;
    if (channel !== undefined && !this.#state.appIsIn(channel)) return;
    void this.event(event, this.#envelopeFields(event, channel));
  }

  /** An event as it is. Resolves when the app acknowledged every copy, or it is not tried again. */
  async event(event: Record<string, unknown>, fields: Record<string, unknown> = {}): Promise<void> {
    const { team, app, credentials } = this.#state;
    const body = {
      token: credentials.verificationToken,
      team_id: team.id,
      context_team_id: team.id,
      context_enterprise_id: null,
      api_app_id: app.appId,
      event,
      type: "event_callback",
      event_id: this.#state.id("Ev"),
      event_time: Math.floor(this.#state.now() / 1000),
      authorizations: [
        { enterprise_id: null, team_id: team.id, user_id: app.botUserId, is_bot: true, is_enterprise_install: false },
      ],
      is_ext_shared_channel: false,
      event_context: `4-${this.#state.id("")}`,
      ...fields,
    };
    await Promise.all(Array.from({ length: this.copies }, () => this.#deliver(body)));
  }

  async #deliver(body: Record<string, unknown>): Promise<void> {
    const delays = this.#state.options.redeliverAfterMs ?? SLACK_REDELIVERY_MS;
    let reason = "";
    try {
      if (this.shuffleMs > 0) await this.#wait(this.#state.random() * this.shuffleMs);
      for (let attempt = 0; attempt <= delays.length; attempt += 1) {
        if (attempt > 0) await this.#wait(delays[attempt - 1] ?? 0);
        try {
          await this.transport({ kind: "events_api", body, attempt, reason });
          return;
        } catch (error) {
          if (!(error instanceof Undelivered)) throw error;
          if (error.final) return;
          ({ reason } = error);
        }
      }
    } catch (error) {
      if (!this.#closing.signal.aborted) throw error;
    }
  }

  async #wait(ms: number): Promise<void> {
    await wait(ms, undefined, { signal: this.#closing.signal });
  }

  /** A command or an interaction: one attempt. Rejects with {@link Undelivered}. */
  send(kind: Exclude<Envelope["kind"], "events_api">, body: Record<string, unknown>): Promise<Record<string, unknown>> {
    if (!this.#state.installed) return Promise.reject(new Undelivered("app_uninstalled", { final: true }));
    return this.transport({ kind, body, attempt: 0, reason: "" });
  }

  /** Whether events of this type are delivered; messages are subscribed to by the kind of their channel. */
  isSubscribed(type: string): boolean {
    return this.#state.options.app?.events?.includes(type) ?? true;
  }

  #isSubscribed(event: Record<string, unknown>): boolean {
    if (event["type"] !== "message") return this.isSubscribed(String(event["type"]));
    const kind = { channel: "channels", group: "groups", im: "im", mpim: "mpim" }[String(event["channel_type"])];
    return this.isSubscribed(`message.${kind}`) || (this.#state.options.app?.events?.includes("message") ?? false);
  }

  #envelopeFields(event: Record<string, unknown>, channelId?: string): Record<string, unknown> {
    const channel = channelId === undefined ? undefined : this.#state.channels.get(channelId);
    if (channel === undefined || channel.shared !== "yes") return {};
    const user = this.#state.users.get(String(event["user"]));
    return {
      is_ext_shared_channel: channel.kind !== "im",
      ...(user !== undefined && user.teamId !== this.#state.team.id && { team_id: this.#state.team.id }),
    };
  }

  /** Says that events were lost because there were too many; a body without an event. */
  appRateLimited(): void {
    const { team, app, credentials } = this.#state;
    const minute_rate_limited = Math.floor(this.#state.now() / 60_000) * 60;
    const token = credentials.verificationToken;
    const body = { token, type: "app_rate_limited", minute_rate_limited, team_id: team.id, api_app_id: app.appId };
    // Apps are known not to acknowledge it, so it is not sent again.
    this.transport({ kind: "events_api", body, attempt: 0, reason: "" }).catch(() => undefined);
  }

  /** Nothing is tried again from now on. */
  close(): void {
    this.#closing.abort();
  }
}
