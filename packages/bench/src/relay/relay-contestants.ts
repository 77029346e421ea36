import { ask, isFinal } from "@threadlore/ask";
import { createAnswerView, type Clients, createClients, Delivery, Pacer } from "@threadlore/bot/relay";
import { createClient } from "@threadlore/client";
import { type FetchFunction, LogLevel, WebClient } from "@slack/web-api";
import type { SimulatedTime } from "./relay-time.ts";

/** One question: where it was asked, and the server that answers it. */
export interface Asked {
  readonly team: string;
  readonly channel: string;
  readonly threadTs: string;
  /** The server, as the client's `fetch`. */
  readonly server: (request: Request) => Promise<Response>;
}

/** Carries one answer from the server to Slack; resolves when it is all there. */
export type Relay = (asked: Asked) => Promise<void>;

/** What relays are made of. */
export interface RelayParts {
  readonly time: SimulatedTime;
  readonly slack: { apiUrl(team: string): string; readonly fetch: FetchFunction };
}

/** The bot's token in every workspace; nobody checks it. */
const TOKEN = ["xoxb", "bench"].join("-");

/** The bot's own way, from packets to calls: the parts of `bot/src/ask/turn.ts` around its database. */
export function relayOurs({ time, slack }: RelayParts): Relay {
  const pacer = new Pacer({ clock: time });
  const clientsOf = perTeam((team): Clients =>
    createClients({ botToken: TOKEN, slackApiUrl: slack.apiUrl(team), fetch: slack.fetch }),
  );
  return async ({ team, channel, threadTs, server }) => {
    const delivery = new Delivery(
      { team, channel, threadTs, questionTs: threadTs, recipientUserId: "U1" },
      {
        clients: clientsOf(team),
        pacer,
        clock: time,
        self: { userId: "UBOT", botId: "BBOT" },
        taskId: `${channel}-${threadTs}`,
        save: () => Promise.resolve(),
        streamingOff: { has: () => Promise.resolve(false), set: () => Promise.resolve() },
      },
    );
    const view = createAnswerView();
    delivery.show(view.waiting());
    for await (const answer of ask(clientOf(server), { message: "When does the ferry leave?" })) {
      if (!isFinal(answer.status)) delivery.show(() => view.next(answer));
      else await delivery.finish(view.end(answer, { taskId: threadTs, private: false, remarks: [] }));
    }
  };
}

/** The SDK's own streamer, given each packet's text as it comes. `bufferSize` absent: its default, 256 characters. */
export function relaySdk({ slack }: RelayParts, bufferSize?: number): Relay {
  const clientFor = perTeam(
    (team) => new WebClient(TOKEN, { slackApiUrl: slack.apiUrl(team), fetch: slack.fetch, logLevel: LogLevel.ERROR }),
  );
  return async ({ team, channel, threadTs, server }) => {
    const streamer = clientFor(team).chatStream({
      channel,
      thread_ts: threadTs,
      recipient_team_id: team,
      recipient_user_id: "U1",
      ...(bufferSize === undefined ? {} : { buffer_size: bufferSize }),
    });
    for await (const packet of clientOf(server).streamMessage({ message: "When does the ferry leave?" })) {
      if (!("obj" in packet) || packet.obj.type !== "message_delta") continue;
      await streamer.append({ markdown_text: packet.obj.content });
    }
    await streamer.stop();
  };
}

const clientOf = (server: Asked["server"]) => createClient({ baseUrl: "http://127.0.0.1:1", fetch: server });

/** One of each per workspace, made when it is first needed. */
function perTeam<Made>(make: (team: string) => Made): (team: string) => Made {
  const made = new Map<string, Made>();
  return (team) => {
    const one = made.get(team) ?? make(team);
    made.set(team, one);
    return one;
  };
}

/** A server that answers one question with what it is given, behind a `fetch`: no socket. */
export function openFeed() {
  let controller: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>> | undefined;
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(given) {
      controller = given;
    },
  });
  return {
    server: () => Promise.resolve(new Response(body, { headers: { "content-type": "text/event-stream" } })),
    push: (bytes: Uint8Array<ArrayBuffer>) => controller?.enqueue(bytes),
    end: () => controller?.close(),
  };
}
