/** A question as it is sent: what it may use, and what keeps it from being sent. */
import type { ConversationRef, Failure } from "@threadlore/ask";
import type { SendMessageInput } from "@threadlore/client/models";
import { markedName } from "./run.ts";
import type { SearchTools, Service } from "../connection/service.ts";
import { ownFailure, type Scope, type Turn } from "./turn.ts";

/** How old what the service said of the key may be for a question without a page, milliseconds. */
const KEY_MS = 5_000;

/**
 * The tools a question may use; undefined: the service's own choice. A page is not trusted, so with one along no tool
 * may act: with the page alone none is allowed at all, and beside the company's knowledge only its search is, where the
 * service says which tool that is (docs/threats.md, T6).
 */
export async function allowedTools(
  service: Service,
  scope: Scope,
  withPage: boolean,
  stopped: AbortSignal,
): Promise<Partial<SearchTools>> {
  if (!scope.company) return { ids: [] };
  return withPage ? service.searchTools(stopped) : {};
}

/**
 * Why a question is not sent; undefined: it may be. A key that is not known any more asks nothing, since servers that
 * admit visitors would answer as one; and where nobody answers, what was sent would be waited for in vain. With a page
 * along nothing is sent before it is known that no memory is written from it: the service adds that tool whatever tools
 * a question allows.
 */
export async function hindrance(
  service: Service,
  withPage: boolean,
  stopped: AbortSignal,
): Promise<Failure | undefined> {
  const { failure, isThere, memory } = await service.key.look(withPage ? 0 : KEY_MS, stopped);
  if (failure !== undefined && (withPage || !isThere || failure.code === "auth")) return failure;
  if (!withPage || memory === "off" || memory === "agreed") return undefined;
  return ownFailure(memory === "on" ? "memory_on" : "memory_unknown");
}

interface QuestionParts {
  readonly parent: SendMessageInput["parent_message_id"];
  readonly context: string;
  readonly allowed: readonly number[] | undefined;
}

/** A question as it is sent. */
export function questionOf(
  service: Service,
  turn: Pick<Turn, "question" | "scope" | "mark" | "isPrivate">,
  place: ConversationRef,
  { parent, context, allowed }: QuestionParts,
): SendMessageInput {
  const { chatSessionId } = place;
  const session =
    chatSessionId === undefined
      ? { chat_session_info: { persona_id: service.personaId ?? 0, description: markedName(turn) } }
      : { chat_session_id: chatSessionId, parent_message_id: parent };
  return {
    message: turn.question,
    origin: service.extensionOrigin,
    ...session,
    additional_context: context || undefined,
    allowed_tool_ids: allowed && [...allowed],
    internal_search_filters:
      service.documentSets.length > 0 && turn.scope.company ? { document_set: [...service.documentSets] } : undefined,
  };
}
