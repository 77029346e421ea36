import type { BotContext, Register } from "../../context.ts";
import { taskKey } from "@threadlore/inbox";
import { acceptQuestion, type NewQuestion } from "../question.ts";

/** A word that, as the whole text of `/ask`, means something else than a question. */
export interface Subcommand {
  /** Lower case. */
  readonly word: string;
  /** For the usage text: what it does. */
  readonly does: string;
  /** Does it; what it resolves with is shown to the person alone. */
  readonly run: (
    context: BotContext,
    from: { user: string; channel: string; triggerId: string; responseUrl: string },
  ) => Promise<string>;
}

/** Answered by usage, not by the server. */
const HELP: ReadonlySet<string> = new Set(["", "help", "?"]);

/** `/ask`: an answer only the asker sees, and can share. */
export function registerCommand(subcommands: readonly Subcommand[]): Register {
  return (app, context) => {
    app.command(/^\/.+/, async ({ command, ack }) => {
      const words = command.text.trim();
      if (HELP.has(words.toLowerCase()))
        return ack({ response_type: "ephemeral", text: usage(command.command, subcommands) });
      const from = {
        user: command.user_id,
        channel: command.channel_id,
        triggerId: command.trigger_id,
        responseUrl: command.response_url,
      };
      const sub = subcommands.find(({ word }) => word === words.toLowerCase());
      if (sub !== undefined) return ack({ response_type: "ephemeral", text: await sub.run(context, from) });
      const question: NewQuestion = {
        ...unwritten(context, from.user, words),
        entry: "command",
        channel: from.channel,
        private: true,
        responseUrl: from.responseUrl,
      };
      // The trigger is new for each use of the command and the same when it is sent again.
      await acceptQuestion(context, question, taskKey("question", { ...question, ts: from.triggerId }));
      await ack({ response_type: "ephemeral", text: "_Looking for an answer. Only you will see it._" });
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
