import type { BotContext, Register } from "../../context.ts";
import { tellMarkup, tellSeldom } from "../../tell.ts";
import { findShown } from "../changes/offers.ts";
import { beginRetiring, beginStill } from "../still-true/still-tasks.ts";
import { CarriedGap, openSomebody, questionToAsk, SOMEBODY_FIELDS, SOMEBODY_VIEW } from "./ask-somebody.ts";
import { DIGEST_ACTIONS } from "./digest-message.ts";

interface DigestPress {
  readonly user: string;
  readonly channel: string;
  readonly triggerId: string;
  readonly value: string;
}

const NOT_YOURS = "Only administrators of this workspace can do this.";
const FORGOTTEN = "It is too long ago that I told of this. Ask whoever gave the answer yourself, please.";

/** The buttons of the digest: for administrators, wherever it stands. */
export const registerDigest: Register = (app, context) => {
  const on = (action: string, pressed: (press: DigestPress) => Promise<unknown>): void => {
    app.action({ type: "block_actions", action_id: action }, async ({ body, action: element, ack }) => {
      const value: unknown = Reflect.get(element, "value");
      const press = {
        user: body.user.id,
        channel: body.channel?.id ?? "",
        triggerId: body.trigger_id,
        value: typeof value === "string" ? value : "",
      };
      if (await isAdmin(context, press.user)) await pressed(press);
      else await tellSeldom(context, press, NOT_YOURS);
      await ack();
    });
  };
  on(DIGEST_ACTIONS.ask, ({ triggerId, value: gap, channel }) => {
    context.later("open a form", () => openSomebody(context, triggerId, { gap, channel }));
    return Promise.resolve();
  });
  on(DIGEST_ACTIONS.dismiss, (press) => {
    context.later("dismiss a gap", () => dismiss(context, press));
    return Promise.resolve();
  });
  on(DIGEST_ACTIONS.again, async ({ value: id, triggerId, user, channel }) => {
    const doubt = await context.store.findDoubt(id);
    const isOpen = doubt !== undefined && doubt.state !== "over";
    if (isOpen) await beginStill(context, { do: "ask", doubt: id, again: true }, triggerId);
    const words = isOpen ? "They are asked again, at an hour of their work." : "Nothing speaks against it any more.";
    await tellMarkup(context, { channel, user }, words);
  });
  on(DIGEST_ACTIONS.retire, async ({ value: id, triggerId, user, channel }) => {
    const doubt = await context.store.findDoubt(id);
    const isOpen = doubt !== undefined && doubt.state !== "over";
    if (isOpen) await beginRetiring(context, { channel: doubt.channel, ts: doubt.ts, by: user }, triggerId);
    await tellMarkup(context, { channel, user }, isOpen ? "It is retired." : "Nothing speaks against it any more.");
  });
  on(DIGEST_ACTIONS.changed, async ({ value: ref, triggerId, user, channel }) => {
    const shown = await findShown(context, ref);
    if (shown === undefined) return tellSeldom(context, { channel, user }, FORGOTTEN);
    // What becomes of it is said once the server knows it.
    const { kept, newer } = shown;
    return beginStill(context, { do: "doubted", channel, kept, newer, ref, by: user }, triggerId);
  });
  // A link alone: there is nothing to do but to say that it was heard.
  app.action({ type: "block_actions", action_id: DIGEST_ACTIONS.open }, ({ ack }) => ack());
  app.view(SOMEBODY_VIEW, async ({ view, body, ack }) => {
    const { gap, channel: from } = CarriedGap.parse(JSON.parse(view.private_metadata));
    const field = (name: string) => view.state.values[name]?.[name];
    const channel = field(SOMEBODY_FIELDS.place)?.selected_option?.value ?? "";
    const person = field(SOMEBODY_FIELDS.person)?.selected_user ?? undefined;
    const question = (await isAdmin(context, body.user.id)) ? await questionToAsk(context, gap) : undefined;
    if (question !== undefined) {
      const work = { do: "call" as const, gap, ref: question.ref, channel, person, by: body.user.id, from };
      const key = `digest:call:${question.ref}:${view.id}`;
      // In the order of what else is done about that call.
      await context.inbox.accept({ key, kind: "digest", partitionKey: `call:${question.ref}`, body: work });
    }
    await ack();
  });
};

async function isAdmin({ people }: BotContext, user: string): Promise<boolean> {
  return (await people.account(user))?.kind === "admin";
}

async function dismiss(context: BotContext, { user, channel, value: gap }: DigestPress): Promise<void> {
  const done = await context.gaps.dismiss(gap).catch(() => undefined);
  const words =
    done === "done"
      ? "It is not asked after any more: it stands on no list, and nobody is told."
      : done === "forbidden"
        ? "The knowledge server lets only an administrator’s key say so: use `threadlore gaps dismiss`."
        : "The knowledge server cannot be told right now. Try again in a minute.";
  await tellMarkup(context, { channel, user }, words);
}
