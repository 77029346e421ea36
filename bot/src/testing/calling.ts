import type { Message } from "@threadlore/chat-workspace";
import { buttonOf } from "./buttons.ts";
import type { Town } from "./running-bot.ts";

/** A question in #general below whose answer people were asked. */
interface Called {
  readonly threadTs: string;
  readonly answer: Message;
  /** The message that asks them. */
  readonly call: Message;
}

/** Ada asks in #general, and wants a person. */
export async function askForPerson(place: Town, words: string): Promise<Called> {
  const { ada, general, workspace } = place;
  const threadTs = await ada.mention(general.id, words);
  const answer = await place.answered(general.id, threadTs);
  await ada.press({ channel: general.id, ts: answer.ts }, "answer_human", buttonOf(answer, "answer_human"));
  const call = await workspace.until(() =>
    workspace.messages(general.id, threadTs).find(({ text }) => text.includes("needs a person")),
  );
  return { threadTs, answer, call };
}

/** What the button to keep the first reply stands for, once there is one. */
export const keepValue = ({ workspace, general }: Town, call: Message): Promise<string> =>
  workspace.until(() => buttonOf(workspace.message(general.id, call.ts), "help_keep_0"));

/** The press of "Keep as the answer" of whoever replied first, once it can be pressed. */
export async function keepFirst(place: Town, call: Message, who: Town["bo"]): Promise<void> {
  await who.press({ channel: place.general.id, ts: call.ts }, "help_keep_0", await keepValue(place, call));
}
