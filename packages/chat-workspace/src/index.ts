/** A chat workspace on loopback that speaks Slack's protocols: for tests, demonstrations, and to talk in. */
export { startWorkspace } from "./start.ts";
export type { Faults } from "./faults.ts";
export type { Person } from "./people.ts";
export type { Workspace } from "./running-workspace.ts";
export type { ApiCall, Attachment, Channel, ChannelKind, Message, User, WorkspaceOptions } from "./workspace.ts";
export { LIMITS } from "./validator/limits.ts";
export { markupIn, type Markup } from "./validator/markup.ts";
export { policyOf, type Breach } from "./validator/policy.ts";
export type { Refusal } from "./validator/refusal.ts";
export { refusalsOf } from "./validator/refusals.ts";
