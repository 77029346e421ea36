import type { IncomingMessage, ServerResponse } from "node:http";
import type { Arrival } from "../http/arrival.ts";

/** One request, as it is told of once it has ended. Nothing in it is of anybody's wording. */
export interface EndedRequest {
  readonly id: string | undefined;
  /** Of the trace it belongs to: the same in the log of whoever asked. */
  readonly trace: string | undefined;
  /** Of a short list, or `OTHER`. */
  readonly method: string;
  /** Pattern of the route, such as `/persona/:id`; `none`: it came to no route. */
  readonly route: string;
  /** 499 where who asked was gone before there was one. */
  readonly status: number;
  /** From its head to the last byte of its reply, milliseconds. */
  readonly ms: number;
  /** Whose key it carried. */
  readonly user: string | undefined;
  readonly address: string | undefined;
  /** Whether the reply broke off. */
  readonly isCut: boolean;
}

/** What a service that listens tells of itself, for logs and metrics. */
export interface Witness {
  ended(request: EndedRequest): void;
  /** Something was ended or turned away: `body`, `reply`, `connection`. */
  turnedAway(what: "body" | "reply" | "connection"): void;
  /** The certificate is another now, or stays although its files changed. */
  certificate(outcome: "used" | "kept", validTo: number): void;
}

/** Tells several of everything. */
export function witnessOf(witnesses: readonly Partial<Witness>[]): Witness {
  return {
    ended: (request) => witnesses.forEach((one) => one.ended?.(request)),
    turnedAway: (what) => witnesses.forEach((one) => one.turnedAway?.(what)),
    certificate: (outcome, validTo) => witnesses.forEach((one) => one.certificate?.(outcome, validTo)),
  };
}

const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

interface EndedExchange {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly arrival?: Arrival;
  readonly address?: string;
}

/** What is told of a request whose reply has ended. @param begun when it began, on the clock of `performance` */
export function endedRequest(exchange: EndedExchange, begun: number): EndedRequest {
  const { incoming, outgoing, arrival, address } = exchange;
  const { method = "" } = incoming;
  return {
    id: arrival?.id,
    trace: arrival?.span?.traceId,
    method: METHODS.has(method) ? method : "OTHER",
    route: arrival?.route ?? "none",
    status: outgoing.headersSent ? outgoing.statusCode : 499,
    ms: Math.round(performance.now() - begun),
    user: arrival?.user,
    address,
    isCut: !outgoing.writableFinished,
  };
}
