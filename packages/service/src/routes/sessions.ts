import { ChatSessionCreationRequest, parseMoment } from "@threadlore/client/models";
import { randomUUID } from "node:crypto";
import * as z from "zod/mini";
import { ownerOf, ownSession } from "../answer/chat-request.ts";
import { followUpsOf } from "../answer/follow-ups/follow-ups.ts";
import { forgetConversation } from "../gaps/book.ts";
import { askedBefore, ownQuestion, takeMarkBack } from "../gaps/own.ts";
import type { Runs } from "../answer/runs.ts";
import type { Caller, ServiceContext } from "../context.ts";
import { evenlyInTurn } from "../http/in-turn.ts";
import { invalid, refusal } from "../http/problem.ts";
import { type Route, route } from "../http/route.ts";
import { noteMark } from "../kept/marks.ts";
import { findPersona } from "../store/personas.ts";
import {
  createSession,
  deleteSession,
  findMessage,
  findSession,
  firstQuestion,
  listSessions,
  type Message,
  removeFeedback,
  renameSession,
  saveFeedback,
  type Session,
} from "../store/sessions.ts";
import { sendTranscript } from "./transcript.ts";
import type { Steps } from "../store/steps.ts";

/** Renaming a session. Without a name it gets the beginning of its first question. */
const RenameRequest = z.object({ chat_session_id: z.string(), name: z.optional(z.nullable(z.string())) });

/** What a person thought of an answer: a thumb, words, or both. */
const FeedbackRequest = z
  .object({
    chat_message_id: z.number().check(z.int("Input should be a whole number")),
    is_positive: z.optional(z.nullable(z.boolean())),
    feedback_text: z.optional(z.nullable(z.string())),
    predefined_feedback: z.optional(z.nullable(z.string())),
  })
  .check(
    z.refine(
      (feedback) => feedback.is_positive != null || (feedback.feedback_text ?? feedback.predefined_feedback) != null,
      { message: "Give is_positive or feedback_text", path: ["is_positive"] },
    ),
  );

/** A user's conversations, in the shapes of deployed servers (docs/wire.md, section 1.9). */
export function sessionRoutes(context: ServiceContext, runs: Runs): readonly Route[] {
  const { store } = context;
  return [
    route("POST /chat/create-chat-session", "caller", "Create a session before its first message", {
      body: { ChatSessionCreationRequest },
      handle: async ({ caller }, info) => ({
        chat_session_id: await store.write(() => newSession(context, caller, info)),
        incognito: false,
      }),
    }),
    route("GET /chat/get-user-chat-sessions", "caller", "The caller's sessions, newest first", {
      query: ["page_size", "before", "project_id", "only_non_project_chats"],
      handle: async (call) => {
        const limit = Math.max(1, call.queryNumber("page_size", { usual: 50, most: 100 }));
        const page = {
          limit: limit + 1,
          before: beforeOf(call.query("before")),
          projectId: call.query("project_id") === undefined ? undefined : call.queryNumber("project_id"),
          withoutProject: call.query("only_non_project_chats") === "true",
        };
        // Callers without a key are many people: what one of them asked is not listed to the others.
        const found =
          call.caller.role === "anonymous" ? [] : await store.read(listSessions(ownerOf(call.caller), page));
        return { sessions: found.slice(0, limit).map(sessionOnWire), has_more: found.length > limit };
      },
    }),
    route("GET /chat/get-chat-session/{id}", "caller", "A session with everything said in it", {
      handle: async ({ caller, param }) =>
        sendTranscript(context, await store.read(sessionOf(caller, param("id"))), caller),
    }),
    route("PUT /chat/rename-chat-session", "caller", "Name a session", {
      body: { RenameRequest },
      handle: async ({ caller }, { chat_session_id: id, name }) => ({
        new_name: await store.write(() => renamed(caller, id, name?.trim())),
      }),
    }),
    route("DELETE /chat/delete-chat-session/{id}", "caller", "Delete a session", {
      handle: async (call) => {
        const session = await store.read(sessionOf(call.caller, call.param("id")));
        runs.stop(session.id);
        await context.instances?.tell("threadlore_stop", session.id);
        // Questions of it that nobody could answer go with it; of hundreds the rest afterwards.
        await store.makeRoom(function* () {
          yield* deleteSession(session.id);
          yield* forgetConversation(session.id);
        });
        while (await store.makeRoom(() => forgetConversation(session.id)));
        return null;
      },
    }),
    route("POST /chat/stop-chat-session/{id}", "caller", "End the answer being written", {
      handle: async (call) => {
        const session = await store.read(sessionOf(call.caller, call.param("id")));
        runs.stop(session.id);
        await context.instances?.tell("threadlore_stop", session.id);
        return { message: "Chat session stopped" };
      },
    }),
    route("GET /chat/follow-ups", "caller", "Questions that the documents an answer cites answer, too", {
      query: ["chat_message_id"],
      handle: async ({ caller, queryNumber, request: { signal } }) => {
        const message = await store.read(ownAnswer(caller, queryNumber("chat_message_id")));
        const found = await evenlyInTurn(context, caller, signal, () => followUpsOf(context, caller, message, signal));
        return { follow_ups: found.map(({ question, documentId }) => ({ question, document_id: documentId })) };
      },
    }),
    ...feedbackRoutes(context),
  ];
}

function feedbackRoutes(context: ServiceContext): readonly Route[] {
  const { store, now } = context;
  return [
    route("POST /chat/create-chat-message-feedback", "ordinary", "Say what is thought of an answer", {
      body: { FeedbackRequest },
      handle: async ({ caller }, { chat_message_id, is_positive, feedback_text, predefined_feedback }) => {
        const message = await store.read(ownAnswer(caller, chat_message_id));
        const words = [predefined_feedback, feedback_text].filter((text) => text != null && text !== "");
        const moment = now();
        await store.write(function* () {
          yield* saveFeedback({
            messageId: message.id,
            user: ownerOf(caller),
            isPositive: is_positive ?? null,
            text: words.length === 0 ? null : words.join("\n"),
            now: moment,
          });
          yield* noteMark(caller, message, is_positive === false, moment);
        });
        noteMarkedGap(context, caller, message, is_positive === false);
        return null;
      },
    }),
    route("DELETE /chat/remove-chat-message-feedback", "ordinary", "Take feedback back", {
      query: ["chat_message_id"],
      handle: async (call) => {
        const message = await store.read(ownAnswer(call.caller, call.queryNumber("chat_message_id")));
        await store.makeRoom(function* () {
          yield* removeFeedback(message.id, ownerOf(call.caller));
          yield* noteMark(call.caller, message, false, 0);
        });
        noteMarkedGap(context, call.caller, message, false);
        return null;
      },
    }),
  ];
}

/** A question whose answer was marked as bad had none; one whose mark was taken back, or made good, had one as far as that goes. */
function noteMarkedGap({ gaps, store, now }: ServiceContext, caller: Caller, message: Message, isBad: boolean): void {
  gaps?.noteOwn(async () => {
    if (!isBad) {
      await store.makeRoom(() => takeMarkBack(message.id));
      return undefined;
    }
    const question = await store.read(askedBefore(message.id));
    const { sessionId, id: messageId } = message;
    if (question === undefined) return undefined;
    return ownQuestion("bad_mark", { caller, sessionId, messageId, question, now: now() });
  });
}

/** Makes a session, and says its id. */
function* newSession({ now }: ServiceContext, caller: Caller, info: z.output<typeof ChatSessionCreationRequest>) {
  if (info.incognito === true) {
    throw invalid(["body", "incognito"], "This service keeps every session");
  }
  if ((yield* findPersona(caller, info.persona_id)) === undefined) {
    throw invalid(["body", "persona_id"], `There is no persona ${info.persona_id}`);
  }
  const id = randomUUID();
  const { persona_id: personaId, description = null, project_id: projectId = null } = info;
  yield* createSession({ id, user: ownerOf(caller), personaId, description, projectId, createdAt: now() });
  return id;
}

/** Names a session, by its first question where no name is given; answers the name. */
function* renamed(caller: Caller, id: string, name: string | undefined): Steps<string> {
  const session = yield* ownSession(caller, id);
  const newName = name || titleOf(yield* firstQuestion(session.id));
  yield* renameSession(session.id, newName);
  return newName;
}

function* sessionOf(caller: Caller, id: string): Steps<Session> {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id)) {
    throw invalid(["path", "session_id"], "Input should be a UUID", "uuid_parsing");
  }
  return yield* ownSession(caller, id);
}

/** An answer in one of the caller's sessions. */
function* ownAnswer(caller: Caller, id: number): Steps<Message> {
  const message = yield* findMessage(id);
  if (message === undefined || (yield* findSession(message.sessionId))?.user !== ownerOf(caller)) {
    throw refusal(404, "MESSAGE_NOT_FOUND", "There is no such message.");
  }
  if (message.role === "user") {
    throw refusal(400, "VALIDATION_ERROR", "This is the id of a question; give that of an answer.");
  }
  return message;
}

function beforeOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const moment = parseMoment(text);
  if (moment === undefined) {
    throw invalid(["query", "before"], "Input should be an ISO 8601 date-time", "datetime_parsing");
  }
  return moment;
}

function titleOf(question: string): string {
  const first = question.replace(/\s+/g, " ").trim();
  if (first === "") return "New chat";
  if (first.length <= 60) return first;
  const whole = first.slice(0, 60).replace(/\s+\S*$/, "");
  return `${whole.toWellFormed()}…`;
}

function sessionOnWire(session: Session): Record<string, unknown> {
  return {
    id: session.id,
    name: session.description ?? "",
    persona_id: session.personaId,
    project_id: session.projectId,
    time_created: new Date(session.createdAt).toISOString(),
    time_updated: new Date(session.updatedAt).toISOString(),
    shared_status: "private",
    current_alternate_model: null,
    current_temperature_override: null,
  };
}
