import { messageMethods } from "../messages/methods.ts";
import { functionMethods } from "../lookups/functions.ts";
import { searchMethods } from "../lookups/search-context.ts";
import { previewMethods } from "../lookups/unfurl.ts";
import { agentMethods } from "./agents.ts";
import { appMethods } from "./apps.ts";
import { conversationMethods } from "./conversations.ts";
import { fileMethods } from "./files.ts";
import { manifestMethods } from "./manifest.ts";
import type { Methods } from "./method.ts";
import { oauthMethods } from "./oauth.ts";
import { pinMethods } from "./pins.ts";
import { reactionMethods } from "./reactions.ts";
import { userMethods } from "./users.ts";
import { viewMethods } from "./views.ts";

/** Every method this workspace knows. */
export const METHODS: Methods = {
  ...appMethods,
  ...messageMethods,
  ...conversationMethods,
  ...userMethods,
  ...pinMethods,
  ...reactionMethods,
  ...oauthMethods,
  ...manifestMethods,
  ...fileMethods,
  ...viewMethods,
  ...agentMethods,
  ...previewMethods,
  ...functionMethods,
  ...searchMethods,
};
