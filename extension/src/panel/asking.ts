/** What it takes to ask, loaded with the wire: none of it is needed to draw the panel. */
export { ask } from "@threadlore/ask";
export { allowedTools, hindrance, questionOf } from "./question.ts";
export { giveName, isQuiet, mayBeThere, resumed, settleStopped } from "./run.ts";
