import * as z from "zod";

/** Who asks through Slack's own assistant, as the signed request says. */
export interface SlackIdentity {
  readonly user: string;
  readonly team: string;
  /** Of the organisation the workspace belongs to, where there is one. */
  readonly organisation?: string | undefined;
}

/** What of an assistant's request decides how it is let in. */
export interface AssistantRequest {
  readonly method: string;
  /** Of the tool that is called; "" for everything else. */
  readonly tool: string;
  /** Absent where the platform names nobody: while it looks which tools there are. */
  readonly identity?: SlackIdentity | undefined;
}

const Identity = z.object({
  user_id: z.string().regex(/^[UW][A-Z0-9]{2,}$/),
  team_id: z.string().regex(/^T[A-Z0-9]{2,}$/),
  enterprise_id: z.string().nullish(),
});

const Message = z.object({
  method: z.string(),
  params: z
    .object({ name: z.unknown(), _meta: z.object({ slack: z.unknown() }).partial().optional() })
    .partial()
    .optional(),
});

/**
 * What a request says; undefined where it is no single message of the protocol. Slack puts user and workspace beside the
 * call (`_meta.slack`), inside what it signs.
 */
export function assistantRequest(body: string): AssistantRequest | undefined {
  const message = Message.safeParse(jsonOf(body)).data;
  if (message === undefined) return undefined;
  const { method, params } = message;
  const identity = Identity.safeParse(params?._meta?.slack).data;
  return {
    method,
    tool: method === "tools/call" && typeof params?.name === "string" ? params.name : "",
    ...(identity !== undefined && {
      identity: { user: identity.user_id, team: identity.team_id, organisation: identity.enterprise_id || undefined },
    }),
  };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
