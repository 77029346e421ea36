/** A chat workspace on loopback that speaks Slack's protocols: for tests, demonstrations, and to talk in. */
export { startWorkspace } from "./start.ts";
export type {
  ApiCall,
  Attachment,
  Channel,
  ChannelKind,
  Faults,
  Message,
  Person,
  User,
  Workspace,
  WorkspaceOptions,
} from "./workspace.ts";
export { LIMITS } from "./oracle/limits.ts";
export { markupIn, type Markup } from "./oracle/markup.ts";
export { policyOf, type Breach } from "./oracle/policy.ts";
export type { Refusal } from "./oracle/refusal.ts";
export { refusalsOf } from "./oracle/refusals.ts";
