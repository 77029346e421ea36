import { monitorEventLoopDelay } from "node:perf_hooks";
import { Counter, Gauge, Histogram, Registry } from "prom-client";
import type { Witness } from "./witness.ts";

/** What is looked at whenever somebody reads the metrics. */
export interface Counted {
  counts(): { readonly connections: number; readonly requests: number };
}

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300];

/**
 * What a service that listens counts. Labels come from small fixed sets: patterns of routes, methods, statuses; never a path,
 * an address, a person or a text.
 */
export function createMetrics({ counts }: Counted) {
  const registry = new Registry();
  const registers = [registry];
  const counter = <Label extends string>(name: string, help: string, labelNames: readonly Label[]) =>
    new Counter<Label>({ name: `threadlore_service_${name}`, help, labelNames, registers });
  const gauge = (name: string, help: string, collect?: (this: Gauge) => void) =>
    new Gauge({ name: `threadlore_service_${name}`, help, registers, ...(collect && { collect }) });
  const requests = counter("requests_total", "Requests that ended.", ["method", "route", "status"]);
  const cut = counter("replies_cut_total", "Replies that broke off.", ["route"]);
  const turnedAway = counter("turned_away_total", "Connections ended for what they did.", ["why"]);
  const seconds = new Histogram({
    name: "threadlore_service_request_seconds",
    help: "From a request's head to the last byte of its reply.",
    labelNames: ["route"],
    buckets: SECONDS,
    registers,
  });
  const certificates = counter("certificates_total", "Times the certificate was read anew.", ["outcome"]);
  const validTo = gauge("certificate_valid_to_seconds", "Until when the certificate is valid, seconds since 1970.");
  gauge("connections", "Connections that are open.", function () {
    this.set(counts().connections);
  });
  gauge("open_requests", "Requests that are not answered yet.", function () {
    this.set(counts().requests);
  });
  gauge("resident_memory_bytes", "Memory of the service's process.", function () {
    this.set(process.memoryUsage.rss());
  });
  const delay = monitorEventLoopDelay({ resolution: 20 });
  delay.enable();
  gauge(
    "event_loop_delay_seconds",
    "How late the process came to its work, 99 of 100 times at most, since last read.",
    function () {
      this.set(delay.percentile(99) / 1e9);
      delay.reset();
    },
  );
  const witness: Witness = {
    ended: ({ method, route, status, ms, isCut }) => {
      requests.inc({ method, route, status });
      seconds.observe({ route }, ms / 1_000);
      if (isCut) cut.inc({ route });
    },
    turnedAway: (why) => turnedAway.inc({ why }),
    certificate: (outcome, until) => {
      certificates.inc({ outcome });
      validTo.set(until / 1_000);
    },
  };
  return {
    witness,
    /** Everything, as Prometheus reads it. */
    text: () => registry.metrics(),
    contentType: registry.contentType,
    stop: () => delay.disable(),
  };
}
