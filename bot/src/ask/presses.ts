import type { App } from "@slack/bolt";
import type { BotContext } from "../context.ts";
import { tell, tellSeldom } from "../tell.ts";
import { settingsFor } from "../rules/rules.ts";
import type { Settings } from "../rules/settings.ts";
import type { Account } from "../slack/read/people.ts";
import { mrkdwnText } from "../slack/render/escape.ts";
import { keptQuestion } from "./question.ts";
import { progressOf } from "./turn.ts";

/** Somebody pressed a button of ours. */
export interface Press {
  readonly user: string;
  readonly channel: string;
  /** Id of the task the button belongs to; everything else is looked up, never believed (docs/threats.md, T16). */
  readonly ref: string;
  /** For half an hour something can be shown there to whoever pressed. */
  readonly responseUrl?: string | undefined;
  /** For three seconds a form can be opened with it. */
  readonly triggerId: string;
  /** The workspace of whoever pressed, where the platform says it. */
  readonly userTeam?: string | undefined;
}

/** Hears of a button, or of what is chosen in a menu, and acknowledges each press at once. */
export function onPress(app: App, action: string | RegExp, pressed: (press: Press) => Promise<void> | void): void {
  app.action({ type: "block_actions", action_id: action }, async ({ body, action: element, ack }) => {
    await ack();
    const chosen: unknown = Reflect.get(element, "selected_option") ?? element;
    const value: unknown = typeof chosen === "object" && chosen !== null ? Reflect.get(chosen, "value") : undefined;
    await pressed({
      user: body.user.id,
      userTeam: body.user.team_id,
      channel: body.channel?.id ?? "",
      ref: typeof value === "string" ? value : "",
      responseUrl: body.response_url,
      triggerId: body.trigger_id,
    });
  });
}

/** A question by the reference its buttons carry; undefined: it is forgotten, or there never was one. */
export async function questionBehind(context: BotContext, ref: string) {
  const task = await context.store.find(ref);
  if (task === undefined || (task.kind !== "question" && task.kind !== "regenerate")) return undefined;
  return { task, question: keptQuestion(context, task.body), progress: progressOf(task.progress) };
}

/**
 * The question a button belongs to, if this person may press it: whoever asked, and else whom `whyNot` has no words for.
 * Others are told why not, once a minute, or, where it was forged, nothing. `what`: what the button was about, where nobody knows any more.
 */
export async function pressedOn(
  context: BotContext,
  { user, channel, ref }: Pick<Press, "user" | "channel" | "ref">,
  { what, whyNot }: { what: string; whyNot: () => Promise<string | undefined> },
) {
  const found = await questionBehind(context, ref);
  if (found === undefined) {
    await tellSeldom(context, { channel, user }, `I no longer know ${what} was about. Please ask again.`);
    return undefined;
  }
  const { question, progress } = found;
  // A button of another channel's answer can only have been forged.
  if (channel !== question.channel) return undefined;
  if (user === question.user) return found;
  // Nobody else sees a private answer, so nobody else can have pressed anything below it.
  if (question.private || progress.private === true) return undefined;
  const words = await whyNot();
  if (words === undefined) return found;
  await tellSeldom(context, { channel, user }, mrkdwnText(words));
  return undefined;
}

/** What a button below an answer is about. */
export type AnswerBehind = NonNullable<Awaited<ReturnType<typeof answerBehind>>>;

/** The answer a button belongs to, if this person may have a say in it: whoever of the channel may read its answers. */
export async function answerBehind(context: BotContext, press: Pick<Press, "user" | "channel" | "ref">) {
  const { user, channel } = press;
  const whyNot = async (): Promise<string | undefined> => {
    const account = await context.people.account(user);
    const { settings } = await placeSettings(context, channel);
    return mayRead(account, settings) ? undefined : "Only members of this workspace can do this.";
  };
  const found = await pressedOn(context, press, { what: "which answer this", whyNot });
  if (found === undefined) return undefined;
  const { task, progress } = found;
  const { key = "channel", conversation, began } = progress;
  // What the bot began itself is the answer's thread; who sees it may be up to the place's rules.
  const { threadTs, private: isPrivate } = found.question;
  const question = { ...found.question, threadTs: began ?? threadTs, private: progress.private ?? isPrivate };
  // `key`: the one it was asked with. `messageId`: the server's number of the answer; absent where it gave none.
  return { taskId: task.id, question, key, byAsker: user === question.user, messageId: conversation?.messageId };
}

/** A channel as far as Slack tells of it, and what holds there. */
export async function placeSettings({ people, rules }: BotContext, channel: string) {
  const place = await people.place(channel);
  return { place, settings: settingsFor(rules(), { id: channel, kind: place?.kind ?? "private" }) };
}

function mayRead(account: Account | undefined, { guests, slack_connect: others }: Settings): boolean {
  if (account === undefined || account.kind === "bot") return false;
  if (account.kind === "guest") return guests === "allow";
  return account.kind !== "stranger" || others === "allow";
}

/** In place of what was asked, so that nobody presses twice; where that cannot be, below it. */
export async function sayInstead(
  context: BotContext,
  { channel, user, responseUrl }: Pick<Press, "channel" | "user" | "responseUrl">,
  text: string,
): Promise<void> {
  try {
    if (responseUrl === undefined) throw new Error("no address");
    const response = await context.fetch(responseUrl, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ response_type: "ephemeral", replace_original: true, text: mrkdwnText(text) }),
    });
    if (!response.ok) throw new Error(`status ${response.status}`);
  } catch {
    await tell(context, channel, user, text);
  }
}
