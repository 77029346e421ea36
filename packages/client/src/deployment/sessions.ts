import * as z from "zod/mini";
import { InvalidRequestError } from "../errors/errors.ts";
import { aboutId, pathSegment } from "../http/path-segment.ts";
import type { Call } from "../http/send.ts";
import { createPacketDecoder } from "../stream/packet-decoder.ts";
import { flatten, openLater, readBatches, STREAM_TYPES, type Batches } from "../stream/packet-stream.ts";
import { type Calls, get, post, remove } from "./calls.ts";
import { CreatedSession, FollowUps, RenamedSession, SessionDetail, SessionPage } from "./models.ts";
import type { Sessions } from "./operations.ts";

/** Sessions, the answers in them, and what people think of those. */
export function sessionOperations(calls: Calls): Sessions {
  return {
    listSessions({ pageSize, before } = {}, given) {
      const query = { page_size: pageSize, before };
      return calls.ask("listSessions", get("/chat/get-user-chat-sessions", query), SessionPage, given);
    },
    getSession: async (id, given) =>
      calls.askAbout(id, "getSession", get(session("get-chat-session", id)), SessionDetail, given),
    async createSession(wanted = {}, given) {
      const call = post("/chat/create-chat-session", wanted);
      return (await calls.ask("createSession", call, CreatedSession, given)).chat_session_id;
    },
    async renameSession(id, name, given) {
      const json = { chat_session_id: id, name };
      const call: Call = { method: "PUT", path: "/chat/rename-chat-session", json, repeatable: true };
      return (await calls.ask("renameSession", call, RenamedSession, given)).new_name;
    },
    async deleteSession(id, given) {
      const call = { ...remove(session("delete-chat-session", id)), repeatable: false };
      await calls.askAbout(id, "deleteSession", call, z.unknown(), given);
    },
    async stop(id, given) {
      const call = { ...post(session("stop-chat-session", id)), repeatable: true };
      await calls.askAbout(id, "stop", call, z.unknown(), given);
    },
    resume(id, { signal } = {}) {
      return flatten(openLater((ended) => resumed(calls, id, ended), signal));
    },
    async followUps(messageId, given) {
      const call = get("/chat/follow-ups", { chat_message_id: messageId });
      return (await calls.ask("followUps", call, FollowUps, given)).follow_ups;
    },
    async giveFeedback({ messageId, isPositive, text }, given) {
      if (isPositive === undefined && text === undefined) {
        const message = "Feedback needs a thumb or a text. Say whether the answer was good, or what was wrong with it.";
        throw InvalidRequestError.at(["body", "is_positive"], message, "missing");
      }
      const json = { chat_message_id: messageId, is_positive: isPositive, feedback_text: text };
      await calls.ask("giveFeedback", post("/chat/create-chat-message-feedback", json), z.unknown(), given);
    },
  };
}

const session = (verb: string, sessionId: string) => `/chat/${verb}/${pathSegment(sessionId)}`;

async function resumed({ transport, memory }: Calls, sessionId: string, signal: AbortSignal): Promise<Batches> {
  const path = `/chat/chat-session/${pathSegment(sessionId)}/resume-stream`;
  // The cursor counts the server's chunks, which say nothing here: from the first one the whole answer is rebuilt.
  const call: Call = { ...get(path, { cursor: 0 }), accept: STREAM_TYPES, signal };
  const reply = await transport.open(call).catch((error: unknown) => {
    throw aboutId(error, sessionId);
  });
  memory.answered("resume");
  const contentType = reply.headers.get("content-type") ?? "no content type";
  return readBatches(reply, createPacketDecoder({ host: transport.host, contentType }), transport.timeouts);
}
