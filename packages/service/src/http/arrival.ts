import type { OpenSpan } from "@threadlore/tracing";

/** How a request came to this service, as whoever listens knows it. Requests made in this process have none. */
export interface Arrival {
  /** Of this request, for logs: our own, or the one a trusted proxy gave it. */
  readonly id: string;
  /** Of who asks, such as `192.0.2.7` or `2001:db8::1`. What a trusted proxy says of it is believed, of nobody else. */
  readonly address: string;
  /** It came from this very machine, past no proxy. */
  readonly isLocal: boolean;
  /** Where this service is, as who asks is told, such as `https://knowledge.example.com`. */
  readonly origin: string;
  /** Counts one more request of this user's keys; throws a Problem (429) where there were too many. */
  readonly spend?: (user: string) => void;
  /** Pattern of the route that took it, such as `/persona/:id`; noted by the app. */
  route?: string;
  /** What is traced of it, until its last byte is gone; noted by the app. */
  span?: OpenSpan;
  /** The user whose key it carried, once that was found right. */
  user?: string;
}

const ARRIVALS = new WeakMap<Request, Arrival>();

/** Says how a request came, to all who see this very object. */
export function noteArrival(request: Request, arrival: Arrival): void {
  ARRIVALS.set(request, arrival);
}

/** How a request came; undefined where it was made in this process. */
export function arrivalOf(request: Request): Arrival | undefined {
  return ARRIVALS.get(request);
}

/** Where this service is, as who sent the request is told: behind a proxy not where the proxy found it. */
export function toldOrigin(request: Request): string {
  return ARRIVALS.get(request)?.origin ?? new URL(request.url).origin;
}

/** Whether it came from elsewhere: whatever trusts this machine has to ask. */
export function isFromElsewhere(request: Request): boolean {
  return ARRIVALS.get(request)?.isLocal === false;
}
