import type { BotContext, Register } from "../../context.ts";
import { taskKey } from "@threadlore/inbox";
import { acceptQuestion } from "../question.ts";

/** A word that, as the whole text of `/ask`, means something else than a question. */
export interface Subcommand {
  /** Lower case. */
  readonly word: string;
  /** For the usage text: what it does. */
  readonly does: string;
  /** Does it; what it resolves with is shown to the person alone. */
  readonly run: (context: BotContext, from: { user: string; channel: string; responseUrl: string }) => Promise<string>;
}

/** Answered by usage, not by the server. */
const HELP: ReadonlySet<string> = new Set(["", "help", "?"]);

/** `/ask`: an answer only the asker sees, and can share. */
export function registerCommand(subcommands: readonly Subcommand[]): Register {
  return (app, context) => {
    app.command(/^\/.+/, async ({ command, ack }) => {
      const { user_id: user, channel_id: channel, response_url: responseUrl, trigger_id: trigger } = command;
      const words = command.text.trim();
      const say = (text: string) => ack({ response_type: "ephemeral", text });
      if (HELP.has(words.toLowerCase())) return say(usage(command.command, subcommands));
      const sub = subcommands.find(({ word }) => word === words.toLowerCase());
      if (sub !== undefined) return say(await sub.run(context, { user, channel, responseUrl }));
      const asked = { ...unwritten(context, user, words), entry: "command" as const, channel };
      // The trigger is new for each use of the command and the same when it is sent again.
      const key = taskKey("question", { ...asked, ts: trigger });
      await acceptQuestion(context, { ...asked, private: true, responseUrl }, key);
      return say("_Looking for an answer. Only you will see it._");
    });
  };
}

/** A timestamp for a question that is no message: in its form, and of its moment. */
export function madeUpTs(now: number): string {
  return (now / 1000).toFixed(6);
}

/** What every question that is no message has. */
export function unwritten({ self, now }: BotContext, user: string, text: string) {
  const ts = madeUpTs(now());
  return { team: self.teamId, ts, isMessage: false, threadTs: ts, inThread: false, user, text };
}

function usage(command: string, subcommands: readonly Subcommand[]): string {
  return [
    `*${command} How do I claim travel expenses?* answers from the knowledge of this workspace. Only you see the answer, and you can share it.`,
    ...subcommands.map(({ word, does }) => `*${command} ${word}* ${does}`),
    "In a channel you can also mention me, and in a direct message just write. Threads remember what was said.",
  ].join("\n");
}
