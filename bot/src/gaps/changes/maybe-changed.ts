import type { MaybeChangedList } from "@threadlore/client/kept";
import type { MaybeChanged } from "@threadlore/client/models";
import { withoutHeading } from "@threadlore/documents";
import type { BotContext } from "../../context.ts";

/** Kept answers that a newer document may change, as people read them. Throws the client's errors. */
export async function maybeChanged(
  { servers }: Pick<BotContext, "servers">,
  which: MaybeChangedList,
): Promise<readonly MaybeChanged[]> {
  const { kept_answers: answers } = await servers.ingest.kept.maybeChanged(which);
  return answers.map(({ says, ...rest }) => ({ ...rest, says: withoutHeading(says) }));
}
