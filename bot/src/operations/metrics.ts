import { type WebClient, WebClientEvent } from "@slack/web-api";
import { Counter, Gauge, Histogram, Registry } from "prom-client";
import type { Outcome, PinState } from "@threadlore/inbox";
import type { Entry } from "../rules/rules.ts";

/** What the bot counts. Labels come from small fixed sets: never a channel, a person or a text. Times are milliseconds. */
export type Metrics = ReturnType<typeof createMetrics>;

/** What is looked at whenever somebody reads the metrics. */
export interface Watched {
  backlog(): Promise<{ waiting: number; running: number }>;
  /** Connections to Slack that are up; undefined with the HTTP receiver. */
  sockets(): number | undefined;
}

const SECONDS = [0.1, 0.25, 0.5, 1, 2, 3, 5, 8, 13, 20, 30, 60, 120, 300];

/** Makes the metrics of one process, in a registry of their own. */
export function createMetrics({ backlog, sockets }: Watched) {
  const registry = new Registry();
  const registers = [registry];
  const counter = <Label extends string>(name: string, help: string, labelNames: readonly Label[]) =>
    new Counter<Label>({ name: `threadlore_bot_${name}`, help, labelNames, registers });
  const histogram = (name: string, help: string) =>
    new Histogram({ name: `threadlore_bot_${name}`, help, buckets: SECONDS, registers });

  const questions = counter("questions_total", "Questions that ended.", ["entry", "outcome"]);
  const firstPacket = histogram("first_packet_seconds", "From a question's arrival to the first packet of its answer.");
  const answer = histogram("answer_seconds", "From a question's arrival to its visible end.");
  const limits = counter("rate_limited_total", "Times Slack asked for a pause.", ["method"]);
  const ingestions = counter("ingestions_total", "Kept messages, by the state they came to.", ["state"]);
  const connections = counter("socket_connections_total", "Connections to Slack made, reconnects included.", []);
  const dropped = counter("events_dropped_total", "Times Slack said that it dropped events.", []);
  const refused = counter("not_accepted_total", "Times something that came in could not be kept.", []);
  const streams = new Gauge({ name: "threadlore_bot_open_streams", help: "Answers being streamed.", registers });
  const tasks = new Gauge({
    name: "threadlore_bot_tasks",
    help: "Tasks of all instances that wait, or run.",
    labelNames: ["state"],
    registers: [],
    async collect() {
      // A database that does not answer leaves the gauge out; its own line says so.
      const found = await backlog().catch(() => undefined);
      this.reset();
      if (found === undefined) return;
      this.set({ state: "waiting" }, found.waiting);
      this.set({ state: "running" }, found.running);
    },
  });
  const connected = new Gauge({
    name: "threadlore_bot_sockets",
    help: "Connections to Slack that are up.",
    registers: [],
    collect() {
      const up = sockets();
      if (up === undefined) this.reset();
      else this.set(up);
    },
  });
  for (const gauge of [tasks, connected]) registry.registerMetric(gauge);

  return {
    questionEnded: (question: { entry: Entry; outcome: Outcome }) => questions.inc(question),
    firstPacket: (ms: number) => firstPacket.observe(ms / 1_000),
    answered: (ms: number) => answer.observe(ms / 1_000),
    streamOpened: () => streams.inc(),
    streamClosed: () => streams.dec(),
    rateLimited: (method: string) => limits.inc({ method }),
    ingestion: (state: PinState) => ingestions.inc({ state }),
    connected: () => connections.inc(),
    eventsDropped: () => dropped.inc(),
    notAccepted: () => refused.inc(),
    /** Everything, as Prometheus reads it. */
    text: () => registry.metrics(),
    contentType: registry.contentType,
  };
}

/** Counts every pause Slack asks these clients for, by method. */
export function countRateLimits(clients: readonly WebClient[], metrics: Pick<Metrics, "rateLimited">): void {
  for (const client of clients) {
    client.on(WebClientEvent.RATE_LIMITED, (_, { url }: { url: string }) => {
      // The last segment is the method; an address that is none would be a label without end.
      const method = /\/(\w{1,30}(?:\.\w{1,30}){1,3})$/.exec(url)?.[1];
      metrics.rateLimited(method ?? "other");
    });
  }
}
