import type { App } from "@slack/bolt";
import type { BotContext } from "../context.ts";
import type { Task } from "../inbox/store/store.ts";
import { QuestionBody } from "./question.ts";

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
}

/** Hears of a button, and acknowledges each press at once. */
export function onPress(app: App, action: string, pressed: (press: Press) => Promise<void> | void): void {
  app.action({ type: "block_actions", action_id: action }, async ({ body, action: element, ack }) => {
    await ack();
    const value: unknown = Reflect.get(element, "value");
    await pressed({
      user: body.user.id,
      channel: body.channel?.id ?? "",
      ref: typeof value === "string" ? value : "",
      responseUrl: body.response_url,
      triggerId: body.trigger_id,
    });
  });
}

/** A question by the reference its buttons carry; undefined: it is forgotten, or there never was one. */
export async function questionBehind(
  { store }: BotContext,
  ref: string,
): Promise<{ task: Task; question: QuestionBody } | undefined> {
  const task = await store.find(ref);
  if (task === undefined || (task.kind !== "question" && task.kind !== "regenerate")) return undefined;
  return { task, question: QuestionBody.parse(task.body) };
}
