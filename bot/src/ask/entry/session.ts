import * as z from "zod";
import type { BotContext, Register } from "../../context.ts";
import { rightsAlone } from "../../lookups/rights.ts";
import { conversationPlace, renameSession } from "../asking.ts";
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
      const { clients } = context;
      const prompts = await promptsFor(context, event.user);
      if (prompts === undefined) return;
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
    const { user = "" } = event;
    const own = await context.accounts.of(user);
    for (const key of ["dm", "channel", ...(own?.isGood === true ? [own.key] : [])] as const) {
      const session = (await context.store.conversations.get(conversationPlace(thread, key)))?.chatSessionId;
      if (session === undefined) continue;
      context.later("rename a session", async () =>
        renameSession(await context.accounts.server(key, user), session, event.title),
      );
    }
  });
};

/** The platform shows so many. */
const MAX_PROMPTS = 4;
const MAX_TITLE = 60;

/** As servers keep them with their assistants; the embedded service makes them of what it can answer. */
const Starters = z.array(z.object({ name: z.string().nullish(), message: z.string().min(1).max(1_000) }));

/** What stands on the button, and what is asked by it. */
interface Prompt {
  readonly title: string;
  readonly message: string;
}

/**
 * What the bot's own conversation offers to this person: questions the server can answer, as it tells them of the
 * assistant that direct messages go to. Undefined: the person may not ask, the server answers only from some of what those
 * questions are made of, or tells none.
 */
async function promptsFor(context: BotContext, user: string): Promise<[Prompt, ...Prompt[]] | undefined> {
  const decision = await rightsAlone(context, user);
  if (decision.kind !== "answer") return undefined;
  const { persona = 0, document_sets: sets, sources, own_account: rule } = decision.settings;
  // Told without regard to what the rules leave out: what cannot be answered then would be offered.
  if (sets.length > 0 || sources.length > 0) return undefined;
  const own = await context.accounts.of(user);
  const key = own?.isGood === true && rule !== "off" ? own.key : decision.key;
  const server = await context.accounts.server(key, user);
  const personas = await server.deployment.personas().catch(() => []);
  const chosen = personas.find(({ id }) => id === persona);
  const starters = Starters.safeParse(Reflect.get(chosen ?? {}, "starter_messages")).data ?? [];
  const [first, ...others] = starters.slice(0, MAX_PROMPTS).map(({ name, message }) => ({
    title: shortened(name?.trim() || message, MAX_TITLE),
    message,
  }));
  return first === undefined ? undefined : [first, ...others];
}
