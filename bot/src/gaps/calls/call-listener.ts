import type { App } from "@slack/bolt";
import { visibleLine } from "@threadlore/ask";
import type { BotContext, Register } from "../../context.ts";
import { questionBehind } from "../../ask/presses.ts";
import { isDirect } from "../../ask/question.ts";
import { ACTIONS } from "../../slack/render/answer-actions.ts";
import { CALL_ACTIONS } from "./call-message.ts";
import { beginCallTask, type CallWork } from "./call-tasks.ts";
import { ANSWER_VIEW, CarriedAnswer } from "../keep/keep-form.ts";
import { CALL_FIELDS, CALL_VIEW, CarriedCall, openCallForm, UNNAMED } from "./private-form.ts";

/** What is known of a press at once. */
interface Pressed {
  readonly user: string;
  readonly userTeam?: string | undefined;
  readonly channel: string;
  readonly value: string;
  readonly triggerId: string;
}

/**
 * "Ask a person", and the buttons of the message that asks. A press is kept before it is acknowledged: whatever happens to
 * this process, what somebody agreed to is done, and once.
 */
export const registerCalls: Register = (app, context) => {
  registerForm(app, context);
  registerOwnAnswer(app, context);
  const on = (
    action: string | RegExp,
    workOf: (pressed: Pressed) => Promise<CallWork | undefined> | CallWork,
  ): void => {
    app.action({ type: "block_actions", action_id: action }, async ({ body, action: element, ack }) => {
      const value: unknown = Reflect.get(element, "value");
      const pressed: Pressed = {
        user: body.user.id,
        userTeam: body.user.team_id,
        channel: body.channel?.id ?? "",
        value: typeof value === "string" ? value : "",
        triggerId: body.trigger_id,
      };
      const work = await workOf(pressed);
      if (work !== undefined) await beginCallTask(context, pressed.channel, work, pressed.triggerId);
      await ack();
    });
  };
  on(ACTIONS.human, async (pressed) => {
    if (await isPrivate(context, pressed.value)) {
      context.later("open a form", () => openCallForm(context, { ...pressed, ref: pressed.value }));
      return undefined;
    }
    return { do: "ask", task: pressed.value, press: pressOf(pressed) };
  });
  on(CALL_ACTIONS.resolve, (pressed) => ({ do: "resolve", task: pressed.value, press: pressOf(pressed) }));
  on(CALL_ACTIONS.keep, (pressed) => {
    const [task = "", replier = "", shown] = pressed.value.split(":");
    return { do: "keep", task, replier, press: pressOf(pressed), ...(shown && { shown }) };
  });
};

/** The form was sent: kept before it is acknowledged, as the presses are. */
function registerForm(app: App, context: BotContext): void {
  app.view(CALL_VIEW, async ({ view, body, ack }) => {
    const { task, channel: from } = CarriedCall.parse(JSON.parse(view.private_metadata));
    const field = (name: string) => view.state.values[name]?.[name];
    const words = visibleLine(field(CALL_FIELDS.words)?.value ?? "").trim();
    if (words === "") return ack({ response_action: "errors", errors: { [CALL_FIELDS.words]: "Write the question." } });
    const channel = field(CALL_FIELDS.place)?.selected_option?.value ?? "";
    const named = field(CALL_FIELDS.name)?.selected_option?.value !== UNNAMED;
    const press = { user: body.user.id, channel: from };
    await beginCallTask(context, channel, { do: "publish", task, press, channel, words, named }, view.id);
    return ack();
  });
}

/** By the shortcut on a message of one's own. */
function registerOwnAnswer(app: App, context: BotContext): void {
  app.view(ANSWER_VIEW, async ({ view, body, ack }) => {
    const { task, channel, shown } = CarriedAnswer.parse(JSON.parse(view.private_metadata));
    const press = { user: body.user.id, channel };
    await beginCallTask(context, channel, { do: "keep", task, press, replier: press.user, shown }, view.id);
    await ack();
  });
}

const pressOf = ({ user, userTeam, channel }: Pressed) => ({ user, channel, ...(userTeam && { userTeam }) });

/** Whether nobody but its asker knows of the answer a button stands below. */
async function isPrivate(context: BotContext, ref: string): Promise<boolean> {
  const found = await questionBehind(context, ref);
  return found !== undefined && (found.question.private || found.progress.private === true || isDirect(found.question));
}
