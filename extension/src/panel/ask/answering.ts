import { answers, answersAgain, answersOn } from "./answers.ts";
import { holdTurn, revivedTurn } from "./held.ts";

/** How questions come to their answers and answers are held, loaded with the first of them. */
export const answering = { answers, answersAgain, answersOn, holdTurn, revivedTurn };

/** What a conversation is held with. */
export type Answering = typeof answering;
