import * as z from "zod";
import type { AskingKey } from "../rules/settings.ts";

/** A key of somebody's own account: `own:` and the id of its connection, which nobody else has and no later one gets. */
export type OwnKey = `own:${string}`;

/** With which key a question is asked: one of the configuration, or its asker's own. */
export type QuestionKey = AskingKey | OwnKey;

/** A {@link QuestionKey} as it is kept. */
export const QuestionKey = z.union([z.enum(["channel", "dm"]), z.templateLiteral(["own:", z.string()])]);

export const isOwn = (key: QuestionKey | undefined): key is OwnKey => key?.startsWith("own:") === true;

/** The id of the connection an own key is of. */
export const connectionIn = (key: OwnKey): string => key.slice("own:".length);
