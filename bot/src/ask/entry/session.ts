import * as z from "zod";
import type { Register } from "../../context.ts";
import type { Server } from "../../knowledge-server/servers.ts";
import { conversationPlace, renameSession } from "../asking.ts";
import { OWN_PROMPTS, type Prompt } from "../../settings/manifest.ts";
import { shortened } from "../../slack/render/escape.ts";
import { openChannelOf } from "../../slack/read/message-event.ts";
import { platformError } from "../../slack/read/people.ts";

/** The conversation with the bot in its own tab: prompts, what is open beside it, and its title. */
export const registerSessions: Register = (app, context) => {
  /** An app without its own agent may not, which only an installation anew changes. */
  let maySuggest = true;
  /** The channel somebody has open beside the conversation with the bot, until they open another. */
  const rememberOpen = (user: string, open: unknown) =>
    context.store.remember(`looks at:${user}`, openChannelOf(open) ?? "");
  app.event("app_home_opened", async ({ event }) => {
    if (event.tab !== "messages") return;
    await rememberOpen(event.user, event.context);
    if (!maySuggest) return;
    context.later("suggest prompts", async () => {
      const { rules, servers, clients } = context;
      const prompts = await promptsFor(servers.dm, rules().directMessages.persona);
      const title = "Ask about what this workspace knows";
      await clients.posts.assistant.threads
        .setSuggestedPrompts({ channel_id: event.channel, prompts, title })
        .catch((error: unknown) => {
          if (platformError(error) !== "missing_scope") throw error;
          maySuggest = false;
        });
    });
  });
  app.event("app_context_changed", ({ event }) => rememberOpen(event.user, event.context));
  app.event("agent_session_title_changed", async ({ event }) => {
    const thread = { team: context.self.teamId, channel: event.channel, threadTs: event.thread_ts };
    for (const key of ["dm", "channel"] as const) {
      const session = (await context.store.conversations.get(conversationPlace(thread, key)))?.chatSessionId;
      if (session === undefined) continue;
      context.later("rename a session", () => renameSession(context.servers[key], session, event.title));
    }
  });
};

/** The platform shows so many. */
const MAX_PROMPTS = 4;
const MAX_TITLE = 60;

/** As servers keep them with their assistants. */
const Starters = z.array(z.object({ name: z.string().nullish(), message: z.string().min(1).max(1_000) }));

/**
 * What the bot's own conversation offers: the beginnings whoever set up the assistant has written for it, where the
 * server has some, then the bot's own.
 */
async function promptsFor({ deployment }: Server, persona: number | undefined): Promise<[Prompt, ...Prompt[]]> {
  // A server that does not answer now keeps nobody from the bot's own.
  const personas = await deployment.personas().catch(() => []);
  const chosen = personas.find(({ id }) => id === (persona ?? 0));
  const starters = Starters.safeParse(Reflect.get(chosen ?? {}, "starter_messages")).data ?? [];
  const [first, ...own] = OWN_PROMPTS;
  const theirs = starters.map(({ name, message }) => ({
    title: shortened(name?.trim() || message, MAX_TITLE),
    message,
  }));
  return [first, ...[...theirs, ...own].slice(0, MAX_PROMPTS - 1)];
}
