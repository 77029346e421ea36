import { setTimeout as delay } from "node:timers/promises";
import { type OwnConnection, ownConnection } from "@threadlore/postgres";
import { SCHEMA } from "./migrate.ts";

/** What instances say to each other. */
export type Signal = "threadlore_changes" | "threadlore_stop";

type Hear = (payload: string) => void;

/** Locks of processes are of this class, so that they are nobody else's. */
const PROCESS_LOCKS = 720411;

const RECONNECT_MS = 500;
/** A connection over which nothing comes is asked whether it still stands, so often: a dead network says nothing. */
const PULSE_MS = 5_000;
/** An answer that took longer says too little of the moment it was given at. */
const EXACT_MS = 1_000;

/**
 * A connection of a process's own. It holds a lock as long as the process lives, by which others know that what it began
 * still runs, and hears what other instances tell. When it is lost it is made anew, and whoever listens is told so.
 */
export class Presence {
  /** This process's number among all that work on the database. */
  readonly number: number;
  readonly #url: string;
  readonly #hearers = new Map<Signal, Set<Hear>>();
  readonly #ended = new AbortController();
  #client: OwnConnection | undefined;
  /** A moment by the database's clock, and when that was by the time that passes here. Milliseconds. */
  #told: { readonly moment: number; readonly passed: number } | undefined;

  /** @param number nobody else's, see `begin` */
  constructor(url: string, number: number) {
    this.#url = url;
    this.number = number;
  }

  /** Throws where the server cannot be reached. */
  static async begin(url: string): Promise<Presence> {
    const client = await connect(url);
    const { rows } = await client.query<{ number: number }>("SELECT nextval('processes')::integer AS number");
    const presence = new Presence(url, rows[0]?.number ?? 0);
    await presence.#settle(client);
    return presence;
  }

  /** @param hear called with what was said, and with "" when something may have been missed. Answers what ends it. */
  hear(signal: Signal, hear: Hear): () => void {
    const hearers = this.#hearers.get(signal) ?? new Set();
    this.#hearers.set(signal, hearers.add(hear));
    return () => void hearers.delete(hear);
  }

  /** Tells every instance, this one too; nothing where nobody can be told: whoever wants to be sure asks the truth. */
  async tell(signal: Signal, payload: string): Promise<void> {
    await this.#client?.query("SELECT pg_notify($1, $2)", [signal, payload]).catch(() => undefined);
  }

  /**
   * Milliseconds since 1970 by the database's clock, which all instances share: what one counts, notes or lets end must not
   * be over for another whose own clock is ahead. From the last answer, a few seconds ago, it goes on with the time that passes
   * here: this machine's clock may be set.
   */
  now(): number {
    if (this.#told === undefined) return Date.now();
    const { moment, passed } = this.#told;
    return Math.round(moment + performance.now() - passed);
  }

  async #askForTime(client: OwnConnection): Promise<void> {
    const begun = performance.now();
    const { rows } = await client.query<{ now: number }>(
      "SELECT CAST(floor(extract(epoch FROM clock_timestamp()) * 1000) AS BIGINT) AS now",
    );
    const took = performance.now() - begun;
    const moment = rows[0]?.now;
    if (moment === undefined || (took > EXACT_MS && this.#told !== undefined)) return;
    this.#told = { moment: moment + took / 2, passed: begun + took };
  }

  async end(): Promise<void> {
    this.#ended.abort();
    await this.#client?.end().catch(() => undefined);
  }

  async #settle(client: OwnConnection): Promise<void> {
    try {
      // It may have ended while the connection was being made, and nobody else closes that.
      this.#ended.signal.throwIfAborted();
      // Shared: after a cut of the network the server may hold the former connection, and its lock, for hours.
      await client.query(`SELECT pg_advisory_lock_shared(${PROCESS_LOCKS}, $1)`, [this.number]);
      await client.query("LISTEN threadlore_changes; LISTEN threadlore_stop");
      await this.#askForTime(client);
    } catch (error) {
      await client.end().catch(() => undefined);
      throw error;
    }
    this.#client = client;
    client.onNotification((channel, payload) => this.#tell(channel as Signal, payload));
    const pulse = setInterval(() => {
      // Where no answer comes in time the connection is given up.
      this.#askForTime(client).catch(() => client.end().catch(() => undefined));
    }, PULSE_MS).unref();
    client.onEnd(() => {
      clearInterval(pulse);
      if (!this.#ended.signal.aborted) void this.#again();
    });
  }

  async #again(): Promise<void> {
    while (!this.#ended.signal.aborted) {
      await delay(RECONNECT_MS, undefined, { ref: false });
      try {
        await this.#settle(await connect(this.#url));
        for (const signal of this.#hearers.keys()) this.#tell(signal, "");
        return;
      } catch {
        // The server is away: it is tried until it is back.
      }
    }
  }

  #tell(signal: Signal, payload: string): void {
    for (const hear of this.#hearers.get(signal) ?? []) hear(payload);
  }
}

const connect = (url: string): Promise<OwnConnection> =>
  ownConnection({ url, application: "threadlore presence", schema: SCHEMA });

/** A condition in SQL: that the process of this number is gone. Locks of two numbers have the objsubid 2. */
export const isGone = (process: string): string => `
  ${process} NOT IN (
    SELECT objid::integer FROM pg_locks
    WHERE locktype = 'advisory' AND classid = ${PROCESS_LOCKS} AND objsubid = 2 AND granted
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))`;
