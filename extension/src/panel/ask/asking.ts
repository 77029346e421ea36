import type { Service } from "../connection/service.ts";
import { allowedTools, hindrance, questionOf } from "./question.ts";
import { asked, firstAnswer, giveName, mayBeThere, restOf } from "./run.ts";

/** What it takes to ask, loaded with the wire: none of it is needed to draw the panel. */
export const asking = { allowedTools, asked, firstAnswer, giveName, hindrance, mayBeThere, questionOf, restOf };

/** A service, and what it takes to ask it. */
export interface AskedService extends Service {
  readonly asking: typeof asking;
}
