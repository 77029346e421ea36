import {
  ChatFullResponse,
  ErrorPacket,
  MessageIdsPacket,
  PlacedPacket,
  SendMessageRequest,
  SessionPacket,
} from "@threadlore/client/models";
import * as z from "zod/mini";
import { turnOf } from "../http/authorize.ts";
import { type Route, route } from "../http/route.ts";
import { orderOf } from "../answer/chat-request.ts";
import { serverMade, type WirePacket } from "../answer/packets.ts";
import { Run } from "../answer/run.ts";
import { Runs } from "../answer/runs.ts";
import { noteOrigin } from "../audit/origin.ts";
import type { ServiceContext } from "../context.ts";
import { ChatBudgets } from "../http/limits.ts";
import { countOrigins } from "../store/sessions.ts";
import { sessionRoutes } from "./sessions.ts";

/** Sending a message (specification section 4), the sessions it lives in, and the count of where messages come from. */
export function chatRoutes(context: ServiceContext): readonly Route[] {
  const runs = new Runs(context);
  // Whoever stops an answer need not have reached the instance that writes it.
  context.instances?.hear("threadlore_stop", (sessionId) => runs.stop(sessionId));
  const budgets = new ChatBudgets(context.now);
  return [
    route("POST /chat/send-chat-message", "caller", "Send a chat message and get its answer, streamed or whole", {
      body: { SendMessageRequest },
      reply: { ChatFullResponse },
      events: { Packet },
      before: ({ caller }) => budgets.spend(context, caller),
      handle: async ({ caller, request }, sent) => {
        const { signal } = request;
        noteOrigin(request, sent.origin);
        const ticket = context.questions.join(turnOf(caller));
        try {
          const order = await context.store.read(orderOf(context, caller, sent));
          const run = new Run(context, runs, order, { enter: ticket.enter, isStreamed: sent.stream });
          if (signal.aborted) run.abandon();
          signal.addEventListener("abort", () => run.abandon(), { once: true });
          if (sent.stream) return eventStream(context, run, ticket.leave);
          return await fullResponse(run).finally(ticket.leave);
        } catch (error) {
          ticket.leave();
          throw error;
        }
      },
    }),
    route("GET /admin/origins", "admin", "How many messages came from where", {
      handle: async () => ({ origins: await context.store.read(countOrigins()) }),
    }),
    ...sessionRoutes(context, runs),
  ];
}

/** What a streamed answer consists of. */
const Packet = z.union([SessionPacket, MessageIdsPacket, PlacedPacket, ErrorPacket]);

async function fullResponse(run: Run): Promise<Response> {
  for await (const emission of run.packets()) void emission;
  const { failure } = run;
  // No answer is never told as one. What nobody foresaw is told as deployed servers tell it: in `error_msg`.
  const isForeseen = failure !== undefined && failure.body["error_code"] !== "INTERNAL_ERROR";
  if (isForeseen && run.fold.text.trim() === "") throw failure;
  return Response.json(run.fold.response());
}

/**
 * The packets as server-sent events. A run goes on at its own pace, and ends when nobody listens.
 * @param ended called once the run has ended
 */
function eventStream(context: ServiceContext, run: Run, ended: () => void): Response {
  const encoder = new TextEncoder();
  let open = true;
  let timer: NodeJS.Timeout | undefined;
  const end = () => {
    open = false;
    clearTimeout(timer);
  };
  const pump = async (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
    const send = (packet: WirePacket): void => {
      if (!open) return;
      controller.enqueue(encoder.encode(`data: ${JSON.stringify(packet)}\n\n`));
      timer?.refresh();
    };
    timer = setTimeout(() => send(HEARTBEAT), context.settings.heartbeatMs);
    try {
      for await (const { packet } of run.packets()) send(packet);
    } finally {
      // Whatever happens, nobody is left waiting for the end.
      ended();
      if (open) controller.close();
      end();
    }
  };
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => context.keepOpen(pump(controller)),
    cancel() {
      end();
      run.abandon();
    },
  });
  return new Response(body, {
    headers: {
      "Content-Type": "text/event-stream; charset=utf-8",
      "Cache-Control": "no-cache, no-transform",
      // Proxies that gather a reply before passing it on would turn a stream into a wait.
      "X-Accel-Buffering": "no",
    },
  });
}

const HEARTBEAT = serverMade(0, { type: "chat_heartbeat" }).packet;
