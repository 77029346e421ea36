/**
 * Asks: questions that somebody agreed to have read by people of their company, who answer in the chat. The embedded service
 * offers them where a bot stands beside it; the specification has nothing of them.
 */
import * as z from "zod/mini";
import { integer } from "./values.ts";

/**
 * `waiting`: nobody has shown it to people yet; `asked`: it stands in the chat; `answered`: a document answers it;
 * `dismissed`: whoever looks after the knowledge says that it is no question for it.
 */
export const AskState = z.literal(["waiting", "asked", "answered", "dismissed"]);
export type AskState = z.infer<typeof AskState>;

/** What answers an ask, as far as its asker may see it. */
export const AskAnswer = z.looseObject({
  document_id: z.string(),
  title: z.string(),
  /** Where it stands. */
  link: z.optional(z.nullable(z.string())),
  /** How it begins. */
  beginning: z.string(),
  updated_at: z.string(),
});
export type AskAnswer = z.infer<typeof AskAnswer>;

/** An ask, for whoever asked. */
export const Ask = z.looseObject({
  ask_id: z.string(),
  question: z.string(),
  name: z.optional(z.nullable(z.string())),
  asked_at: z.string(),
  state: AskState,
  /** Null although it is answered: the asker may not see the document. */
  answer: z.optional(z.nullable(AskAnswer)),
  /** Its asker was shown what became of it. */
  is_told: z.boolean(),
});
export type Ask = z.infer<typeof Ask>;

/** Somebody's asks, the newest first. */
export const AskList = z.looseObject({ asks: z.array(Ask) });
export type AskList = z.infer<typeof AskList>;

/** An ask that waits to be shown to people. */
export const WaitingAsk = z.looseObject({
  ask_id: z.string(),
  /** The gap it is part of. */
  gap_id: integer,
  question: z.string(),
  name: z.optional(z.nullable(z.string())),
  asked_at: z.string(),
});
export type WaitingAsk = z.infer<typeof WaitingAsk>;

/** What whoever shows asks to people has to do: show some, and take away what was shown of those that were withdrawn. */
export const WaitingAsks = z.looseObject({
  asks: z.array(WaitingAsk),
  withdrawn: z.array(z.looseObject({ ask_id: z.string(), where: z.optional(z.nullable(z.string())) })),
});
export type WaitingAsks = z.infer<typeof WaitingAsks>;

/** Who else keeps a document. */
export const Keepers = z.looseObject({
  document_id: z.string(),
  /** How many others. */
  others: integer,
  /** Names of some of them, to whoever has signed in; of the rest only that they are there. */
  names: z.array(z.string()),
  /** When one of them sent it last; null: none did since the caller. */
  updated_by_others_at: z.optional(z.nullable(z.string())),
});
export type Keepers = z.infer<typeof Keepers>;

/** What of documents was asked that the caller may see. */
export const KeepersList = z.looseObject({ documents: z.array(Keepers) });
export type KeepersList = z.infer<typeof KeepersList>;
