import type { Subcommand } from "../../ask/entry/command.ts";
import { gatherDigest, saysNothing } from "./digest-facts.ts";
import { digestMessage, unknownLines } from "./digest-message.ts";
import { digestSince } from "./digest-work.ts";

const SAID_MS = 10_000;
const NOTHING = "There is nothing to say: nobody waits, and no kept answer is in doubt.";

/** `/ask digest`: what the next digest would say, at once, for an administrator alone. */
export const digestCommand: Subcommand = {
  word: "digest",
  does: "shows what people ask and nobody answered, and which answers may be old (only for administrators).",
  async run(context, { user, channel, responseUrl }) {
    if ((await context.people.account(user))?.kind !== "admin")
      return "Only administrators of this workspace see this.";
    context.later("show the digest", async () => {
      const digest = { since: await digestSince(context), at: context.now(), channel };
      const facts = await gatherDigest(context, digest).catch((error: unknown) => {
        context.log.warn("digest not gathered", { error });
        return undefined;
      });
      const said =
        facts === undefined
          ? { text: "The knowledge server cannot be asked right now. Try again in a minute." }
          : saysNothing(facts)
            ? { text: [NOTHING, ...unknownLines(facts)].join("\n") }
            : digestMessage(facts);
      await context.fetch(responseUrl, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ response_type: "ephemeral", replace_original: false, ...said }),
        signal: AbortSignal.timeout(SAID_MS),
      });
    });
    return "_One moment. Only you will see it._";
  },
};
