/** What it takes to ask, loaded with the wire: none of it is needed to draw the panel. */
export { allowedTools, hindrance, questionOf } from "./question.ts";
export { asked, firstAnswer, giveName, mayBeThere, restOf } from "./run.ts";
