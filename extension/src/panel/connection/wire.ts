/** What answers and sessions come over: loaded with the first question, or with the list of earlier ones. */
import { createConversations } from "@threadlore/client/conversations";
import type { DeploymentOptions } from "@threadlore/client/deployment";

/**
 * Makes both ways to a service, so that none waits for what the service has told the other. Nothing is sent yet. Throws the
 * client's InvalidRequestError, as `createResources` does.
 */
export function wireTo(options: DeploymentOptions) {
  return { client: createConversations(options), deployment: createConversations(options) };
}
