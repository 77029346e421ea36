import { fork } from "node:child_process";
import { once } from "node:events";
import { Agent, request } from "node:http";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { API_KEY } from "../filled-service.ts";

/** The name the service is called by; no name leads anywhere. */
const HOST = "knowledge.example.com";
/** A connection that is not used is given up after 75 s; each of them is used before. */
const BETWEEN_MS = 20_000;

/** What a service takes, by what holds it; MB of its process and its threads. */
export interface Taken {
  /** Started, before anybody asked. */
  readonly started: number;
  /** With the connections open, none of which asks. */
  readonly connected: number;
  /** With the connections open while the askers ask, the most of it that was seen. */
  readonly asked: number;
}

/** What became of connections and questions. */
export interface Held {
  readonly taken: Taken;
  readonly answered: number;
  /** Questions with another reply than a whole answer. */
  readonly refused: number;
  /** Connections that were ended, or on which health was refused. */
  readonly lost: number;
}

/** Opens connections, uses each now and then, and has so many askers ask meanwhile, each on a connection of its own. */
export async function holdConnections(
  database: string,
  questions: readonly string[],
  { connections, askers, lastsMs }: { readonly connections: number; readonly askers: number; readonly lastsMs: number },
): Promise<Held> {
  const child = fork(join(import.meta.dirname, "network-child.harness.ts"), [database, API_KEY, HOST]);
  const open: Agent[] = [];
  try {
    const [{ url }] = (await once(child, "message")) as [{ url: string }];
    const megabytes = async (): Promise<number> => {
      child.send("tell");
      const [told] = (await once(child, "message")) as [{ megabytes: number }];
      return told.megabytes;
    };
    const started = await megabytes();
    let lost = 0;
    const held = Array.from({ length: connections }, (_, index) => heldOpen(url, index, () => lost++));
    open.push(...held.map(({ agent }) => agent));
    await useAll(held);
    const connected = await megabytes();
    const until = performance.now() + lastsMs;
    let [answered, refused, asked, next] = [0, 0, connected, 0];
    const asking = Array.from({ length: askers }, async (_, index) => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      open.push(agent);
      while (performance.now() < until) {
        const body = JSON.stringify({ message: questions[next++ % questions.length], stream: true });
        const { status, text } = await sent(`${url}/chat/send-chat-message`, { agent, from: index, body });
        if (status === 200 && text.includes('"stop"')) answered++;
        else refused++;
      }
    });
    const watching = (async () => {
      while (performance.now() < until) {
        await pause(1_000);
        asked = Math.max(asked, await megabytes());
      }
    })();
    const using = (async () => {
      while (performance.now() + BETWEEN_MS < until) {
        await pause(BETWEEN_MS);
        await useAll(held);
      }
    })();
    await Promise.all([...asking, watching, using]);
    await useAll(held);
    return { taken: { started, connected, asked }, answered, refused, lost };
  } finally {
    for (const agent of open) agent.destroy();
    child.kill();
    await once(child, "exit");
  }
}

interface OpenConnection {
  readonly agent: Agent;
  /** Asks for health over it. */
  use(): Promise<void>;
}

/** One connection, which is the same one each time it is used, or is lost. */
function heldOpen(url: string, index: number, onLoss: () => void): OpenConnection {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let first = 0;
  const use = async (): Promise<void> => {
    const { status, port } = await sent(`${url}/health`, { agent, from: index });
    if (status !== 200 || (first !== 0 && first !== port)) onLoss();
    first = port;
  };
  return { agent, use };
}

/** Few at a time: a proxy has opened its connections one after the other, too. */
async function useAll(held: readonly OpenConnection[]): Promise<void> {
  const rest = held.values();
  const some = async (): Promise<void> => {
    for (const one of rest) await one.use();
  };
  await Promise.all(Array.from({ length: 32 }, some));
}

/** Sends as a proxy does, for somebody. Answers the reply, and the port it was sent from; a broken connection has the status 0. */
function sent(
  url: string,
  { agent, from, body }: { readonly agent: Agent; readonly from: number; readonly body?: string },
): Promise<{ status: number; text: string; port: number }> {
  const headers = {
    authorization: `Bearer ${API_KEY}`,
    host: HOST,
    "x-forwarded-for": `198.51.100.${from % 250}`,
    "x-forwarded-proto": "https",
    ...(body !== undefined && { "content-type": "application/json", "content-length": Buffer.byteLength(body) }),
  };
  return new Promise((resolve) => {
    const asked = request(url, { agent, method: body === undefined ? "GET" : "POST", headers }, (reply) => {
      const port = reply.socket.localPort ?? 0;
      let text = "";
      reply.setEncoding("utf8").on("data", (piece: string) => (text += piece));
      reply.on("end", () => resolve({ status: reply.statusCode ?? 0, text, port }));
      reply.on("error", () => resolve({ status: 0, text, port }));
    });
    asked.on("error", () => resolve({ status: 0, text: "", port: 0 })).end(body);
  });
}
