import type { Route } from "../http/route.ts";

/** What kind of thing was done. */
export type AuditKind =
  | "ask"
  | "search"
  | "read document"
  | "list documents"
  | "send document"
  | "delete document"
  | "upload file"
  | "read conversations"
  | "change conversations"
  | "mark answer"
  | "note question"
  | "read gaps"
  | "change gaps"
  | "confirm answer"
  | "doubt answer"
  | "sign in"
  | "sign out"
  | "change own account"
  | "pair extension"
  | "change keys"
  | "change people"
  | "change rules"
  | "administer";

/**
 * What each route does, as the audit log has it; null: it tells what anybody may know, or asks on in this very process, and
 * that is noted. Each line of the table of routes is here.
 */
const KINDS: Readonly<Record<string, AuditKind | null>> = {
  "GET /health": null,
  "GET /version": null,
  "GET /auth/type": null,
  "GET /openapi.json": null,
  "GET /.well-known/oauth-protected-resource/mcp": null,
  "GET /metrics": null,
  "GET /me": null,
  "GET /persona": null,
  "GET /persona/{id}": null,
  "GET /tool": null,
  "GET /manage/document-set": null,
  "POST /mcp": null,
  "GET /sign-in": null,
  "POST /sign-in": "sign in",
  "GET /sign-in/company": null,
  "GET /sign-in/callback": "sign in",
  "POST /account/sign-out": "sign out",
  "GET /account": null,
  "POST /account/keys/{id}/end": "change own account",
  "POST /account/password": "change own account",
  "GET /me/keys": null,
  "DELETE /me/keys/{id}": "change own account",
  "GET /sign-in/device": null,
  "POST /sign-in/device": null,
  "POST /sign-in/device/answer": "change own account",
  "POST /sign-in/token": null,
  "GET /sign-in/authorize": null,
  "POST /sign-in/authorize/answer": "change own account",
  "POST /pairing": "pair extension",
  "POST /chat/send-chat-message": "ask",
  "GET /chat/follow-ups": null,
  "POST /search": "search",
  "GET /query/valid-tags": "search",
  "GET /document/text": "read document",
  "GET /chat/get-user-chat-sessions": "read conversations",
  "GET /chat/get-chat-session/{id}": "read conversations",
  "POST /chat/create-chat-session": "change conversations",
  "PUT /chat/rename-chat-session": "change conversations",
  "DELETE /chat/delete-chat-session/{id}": "change conversations",
  "POST /chat/stop-chat-session/{id}": "change conversations",
  "POST /chat/create-chat-message-feedback": "mark answer",
  "DELETE /chat/remove-chat-message-feedback": "mark answer",
  "POST /user/file/upload": "upload file",
  "POST /user/projects/file/upload": "upload file",
  "POST /service-api/ingestion": "send document",
  "GET /service-api/ingestion": "list documents",
  "GET /service-api/connector-docs/{pair}": "list documents",
  "GET /manage/admin/connector/status": "list documents",
  "GET /manage/admin/cc-pair/{id}": "list documents",
  "DELETE /service-api/ingestion/{document_id}": "delete document",
  "POST /gaps/questions": "note question",
  // A program asks of itself what became of what it told.
  "POST /gaps/questions/standings": null,
  "DELETE /gaps/questions/{ref}": "note question",
  "DELETE /gaps/askers/{asker}": "note question",
  "POST /gaps/asks": "ask",
  "GET /gaps/mine": "read conversations",
  "POST /gaps/mine/{id}/told": null,
  "DELETE /gaps/mine/{id}": "change conversations",
  // A program looks every few seconds; what it takes is noted.
  "GET /gaps/asks": null,
  "POST /gaps/asks/{id}/taken": "note question",
  "DELETE /gaps/asks/{id}": "note question",
  "POST /document/keepers": "list documents",
  "POST /good-answers": "note question",
  "DELETE /good-answers/{ref}": "note question",
  "DELETE /good-answers": "note question",
  "GET /good-answers": "read gaps",
  "GET /gaps": "read gaps",
  "GET /gaps/{id}": "read gaps",
  "POST /gaps/{id}/close": "change gaps",
  "POST /gaps/{id}/same": "note question",
  "POST /gaps/{id}/reopen": "change gaps",
  "POST /gaps/{id}/dismiss": "change gaps",
  "GET /kept-answers": "list documents",
  "GET /kept-answers/near": "list documents",
  "GET /kept-answers/maybe-changed": "list documents",
  "POST /kept-answers/confirmed": "confirm answer",
  "POST /kept-answers/doubted": "doubt answer",
  "GET /admin/origins": "administer",
  "GET /admin/audit": "administer",
  "POST /admin/tool/custom": "administer",
  "POST /admin/tool/custom/validate": "administer",
  "PUT /manage/admin/credential/swap": "administer",
  "GET /manage/admin/credential": "administer",
};

/** What kind of thing a route does. A route nobody said it of counts as administration, so that it is noted. */
export function kindOf({ method, path }: Pick<Route, "method" | "path">): AuditKind | null {
  const kind = KINDS[`${method} ${path}`];
  return kind === undefined ? "administer" : kind;
}

/** Whether somebody said it. */
export function isKnownKind({ method, path }: Pick<Route, "method" | "path">): boolean {
  return `${method} ${path}` in KINDS;
}
