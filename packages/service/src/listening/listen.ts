import type { AddressInfo } from "node:net";
import { Connections } from "../http/connections.ts";
import type { Service } from "../index.ts";
import type { CertificatePair } from "./tls/certificate.ts";
import { doorServer, type DoorServer } from "./door-server.ts";
import { usualLimits, type SocketLimits } from "./limits.ts";
import { LeastPace } from "./pace.ts";
import type { Door, ListeningPlan } from "./plan.ts";
import { bindingError, PortTakenError } from "./ports.ts";
import { type Exchange, refuse, respondOf, starting, stopping } from "./respond.ts";
import { endingOf, stop } from "./stop.ts";
import { endedRequest, type Witness } from "./witness.ts";

/** What to listen with. */
export interface ListenOptions {
  readonly plan: ListeningPlan;
  /** Default: see `SocketLimits`. */
  readonly limits?: Partial<SocketLimits> | undefined;
  /** For doors with TLS. */
  readonly pair?: CertificatePair | undefined;
  readonly witness: Witness;
  /** Most bytes of any request's body. */
  readonly maxBody: number;
}

/** A service's doors, open. */
export interface Listeners {
  /** Of the first door. */
  readonly port: number;
  /** Where people find it; undefined: nobody but this machine does. */
  readonly publicUrl: string | undefined;
  /** Answers from now on; until then it says that it starts. */
  answer(service: Service): void;
  /** Connections from now on are made with this pair; those that are open stay. */
  use(pair: CertificatePair): void;
  /** Connections that are open, and requests that are not answered yet. */
  counts(): { readonly connections: number; readonly requests: number };
  /** Turns away what is new, and waits for what is being answered; `patienceMs` at most. */
  drain(patienceMs: number): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens every door of a plan, and says there that the service starts. Throws PortTakenError, and ListeningError where an
 * address is none of this machine's or the port is not for everybody.
 */
export async function listen({ plan, limits: given, pair, witness, maxBody }: ListenOptions): Promise<Listeners> {
  const limits = { ...usualLimits(plan.isReachable), ...given };
  const connections = new Connections(limits.connections);
  const unfinished = new Set<Exchange>();
  const pace = new LeastPace(limits.leastRate, limits.stretchMs, witness.turnedAway);
  let respond = starting;
  const create = (door: Door): DoorServer =>
    doorServer({ door, limits, pair, connections, trusted: plan.trusted, witness }, (incoming, outgoing, isWaiting) => {
      const { socket } = incoming;
      const exchange: Exchange = { incoming, outgoing, isWaiting };
      const begun = performance.now();
      connections.begin(incoming);
      unfinished.add(exchange);
      outgoing.once("close", () => {
        unfinished.delete(exchange);
        connections.end(socket);
        exchange.arrival?.span?.end();
        witness.ended(endedRequest(exchange, begun));
      });
      if (!door.isLoopback || plan.hasProxies) pace.watch(incoming, outgoing);
      // Whether the service is up is told in any case.
      if (!connections.isOver(socket) || incoming.url === "/health") respond(exchange);
      else {
        witness.turnedAway("connection");
        const headers = { "retry-after": "1" };
        refuse(outgoing, 503, "TOO_MANY_CONNECTIONS", "Too many connections. Try again in 1 s.", headers);
      }
    });
  const opened: DoorServer[] = [];
  const close = async (): Promise<void> => {
    // What still comes over a connection that is open would meet a database that is closed.
    respond = stopping;
    await stop(
      opened.map(({ server }) => server),
      new Set([...unfinished].map(({ outgoing }) => outgoing)),
    );
    pace.stop();
  };
  let port: number | undefined;
  try {
    for (const door of plan.doors) {
      const one = create(door);
      const wanted = door.port ?? port ?? 0;
      try {
        await bind(one, door, wanted);
      } catch (error) {
        // Without IPv6 there is no ::1. On a port of our own choosing, another program's ::1 does not matter either.
        if (!door.isOptional || (error instanceof PortTakenError && plan.doors[0]?.port !== 0)) throw error;
        continue;
      }
      opened.push(one);
      port ??= (one.server.address() as AddressInfo).port;
    }
  } catch (error) {
    await close();
    throw error;
  }
  const publicUrl = plan.publicUrl(portOnNetwork(opened) ?? port ?? 0);
  return {
    port: port ?? 0,
    publicUrl,
    answer: (service) => (respond = respondOf(service, { plan, limits, connections, publicUrl, maxBody })),
    use: (next) => opened.forEach((one) => one.use(next)),
    counts: () => ({ connections: connections.size, requests: unfinished.size }),
    drain: async (patienceMs) => {
      respond = stopping;
      await endingOf(
        [...unfinished].map(({ outgoing }) => outgoing),
        patienceMs,
      );
    },
    close,
  };
}

/** Of the first door others than this machine come to. */
function portOnNetwork(opened: readonly DoorServer[]): number | undefined {
  const one = opened.find(({ door }) => !door.isLoopback);
  return (one?.server.address() as AddressInfo | undefined)?.port;
}

function bind({ server }: DoorServer, { host, ipv6Only }: Door, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => reject(bindingError(error, host, port)));
    server.listen({ port, host, ipv6Only: host.includes(":") && ipv6Only }, () => resolve());
  });
}
