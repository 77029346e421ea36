import { ChatSessionCreationRequest, parseMoment } from "@threadlore/client/models";
import { randomUUID } from "node:crypto";
import * as z from "zod/mini";
import { ownerOf, ownSession } from "../answer/order.ts";
import type { Runs } from "../answer/runs.ts";
import { parseBody, requireRole, type ServiceApp } from "../http/app.ts";
import type { Caller, ServiceContext } from "../context.ts";
import { invalid, refusal, validationError } from "../http/problem.ts";
import { findPersona, seesPersona } from "../store/personas.ts";
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
import { wholeNumber } from "../http/whole-number.ts";
import { sendTranscript } from "./transcript.ts";

/** Renaming a session. Without a name it gets the beginning of its first question. */
export const RenameRequest = z.object({
  chat_session_id: z.string(),
  name: z.optional(z.nullable(z.string())),
});

/** What a person thought of an answer: a thumb, words, or both. */
export const FeedbackRequest = z
  .object({
    chat_message_id: z.number().check(z.int("Input should be a whole number")),
    is_positive: z.optional(z.nullable(z.boolean())),
    feedback_text: z.optional(z.nullable(z.string())),
    predefined_feedback: z.optional(z.nullable(z.string())),
  })
  .check(
    z.refine(
      (feedback) => feedback.is_positive != null || (feedback.feedback_text ?? feedback.predefined_feedback) != null,
      {
        message: "Give is_positive or feedback_text",
        path: ["is_positive"],
      },
    ),
  );

/** A user's conversations, in the shapes of deployed servers (docs/wire.md, section 1.9). */
export function sessionRoutes(app: ServiceApp, context: ServiceContext, runs: Runs): void {
  const { db, now } = context;

  app.post("/chat/create-chat-session", async (c) => {
    const caller = c.get("caller");
    const info = await parseBody(context, c.req.raw, ChatSessionCreationRequest);
    if (info.incognito === true) {
      throw invalid(validationError(["body", "incognito"], "This service keeps every session"));
    }
    const persona = findPersona(db, info.persona_id);
    if (persona === undefined || !seesPersona(db, caller, persona)) {
      throw invalid(validationError(["body", "persona_id"], `There is no persona ${info.persona_id}`));
    }
    const id = randomUUID();
    const { persona_id: personaId, description = null, project_id: projectId = null } = info;
    createSession(db, { id, user: ownerOf(caller), personaId, description, projectId, createdAt: now() });
    return Response.json({ chat_session_id: id, incognito: false });
  });

  app.get("/chat/get-user-chat-sessions", (c) => {
    const limit = Math.max(1, wholeNumber(c.req.query("page_size"), ["query", "page_size"], { usual: 50, most: 100 }));
    const before = beforeOf(c.req.query("before"));
    const project = c.req.query("project_id");
    const page = {
      limit: limit + 1,
      before,
      projectId: project === undefined ? undefined : wholeNumber(project, ["query", "project_id"]),
      withoutProject: c.req.query("only_non_project_chats") === "true",
    };
    // Callers without a key are many people: what one of them asked is not listed to the others.
    const found = c.get("caller").role === "anonymous" ? [] : listSessions(db, ownerOf(c.get("caller")), page);
    return Response.json({ sessions: found.slice(0, limit).map(sessionOnWire), has_more: found.length > limit });
  });

  app.get("/chat/get-chat-session/:id", (c) => {
    return sendTranscript(context, sessionOf(context, c.get("caller"), c.req.param("id")), c.get("caller"));
  });

  app.put("/chat/rename-chat-session", async (c) => {
    const { chat_session_id: id, name } = await parseBody(context, c.req.raw, RenameRequest);
    const session = ownSession(context, c.get("caller"), id);
    const newName = name?.trim() || titleOf(firstQuestion(db, session.id));
    renameSession(db, session.id, newName);
    return Response.json({ new_name: newName });
  });

  app.delete("/chat/delete-chat-session/:id", (c) => {
    const session = sessionOf(context, c.get("caller"), c.req.param("id"));
    runs.stop(session.id);
    deleteSession(db, session.id);
    return Response.json(null);
  });

  app.post("/chat/stop-chat-session/:id", (c) => {
    runs.stop(sessionOf(context, c.get("caller"), c.req.param("id")).id);
    return Response.json({ message: "Chat session stopped" });
  });

  app.post("/chat/create-chat-message-feedback", async (c) => {
    requireRole(c.get("caller"), "ordinary");
    const feedback = await parseBody(context, c.req.raw, FeedbackRequest);
    const message = ownAnswer(context, c.get("caller"), feedback.chat_message_id);
    const words = [feedback.predefined_feedback, feedback.feedback_text].filter((text) => text != null && text !== "");
    saveFeedback(db, {
      messageId: message.id,
      user: ownerOf(c.get("caller")),
      isPositive: feedback.is_positive ?? null,
      text: words.length === 0 ? null : words.join("\n"),
      now: now(),
    });
    return Response.json(null);
  });

  app.delete("/chat/remove-chat-message-feedback", (c) => {
    requireRole(c.get("caller"), "ordinary");
    const id = wholeNumber(c.req.query("chat_message_id"), ["query", "chat_message_id"]);
    removeFeedback(db, ownAnswer(context, c.get("caller"), id).id, ownerOf(c.get("caller")));
    return Response.json(null);
  });
}

function sessionOf(context: ServiceContext, caller: Caller, id: string): Session {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id)) {
    throw invalid(validationError(["path", "session_id"], "Input should be a UUID", "uuid_parsing"));
  }
  return ownSession(context, caller, id);
}

/** An answer in one of the caller's sessions. */
function ownAnswer({ db }: ServiceContext, caller: Caller, id: number): Message {
  const message = findMessage(db, id);
  if (message === undefined || findSession(db, message.sessionId)?.user !== ownerOf(caller)) {
    throw refusal(404, "MESSAGE_NOT_FOUND", "There is no such message.");
  }
  if (message.role === "user") {
    throw refusal(400, "VALIDATION_ERROR", "Only answers can be judged; this is the id of a question.");
  }
  return message;
}

function beforeOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const moment = parseMoment(text);
  if (moment === undefined) {
    throw invalid(validationError(["query", "before"], "Input should be an ISO 8601 date-time", "datetime_parsing"));
  }
  return moment;
}

function titleOf(question: string): string {
  const first = question.replace(/\s+/g, " ").trim();
  if (first === "") return "New chat";
  return first.length <= 60
    ? first
    : `${first
        .slice(0, 60)
        .replace(/\s+\S*$/, "")
        .toWellFormed()}…`;
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
