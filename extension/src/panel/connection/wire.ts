/** What answers and sessions come over: loaded with the first question, or with the list of earlier ones. */
import { createConversations } from "@threadlore/client/conversations";
import type { DeploymentOptions } from "@threadlore/client/deployment";

/**
 * Makes both ways to a service, so that none waits for what the service has told the other. Nothing is sent yet. Throws the
 * client's InvalidRequestError, as `createResources` does.
 * @param isTraced whether the service takes `traceparent`, by now: where it does not, the browser would send nothing at all
 */
export function wireTo(options: DeploymentOptions, isTraced: () => boolean) {
  const traced: DeploymentOptions = {
    ...options,
    fetch(request) {
      // Not sampled: the panel keeps no spans, and whether the service does is for the service to say.
      if (isTraced()) request.headers.set("traceparent", `00-${digits()}-${digits().slice(16)}-00`);
      return fetch(request);
    },
  };
  return { client: createConversations(traced), deployment: createConversations(traced) };
}

/** 32 hexadecimal digits. The later half is never all zeros, which would be no id. */
function digits(): string {
  return crypto.randomUUID().replaceAll("-", "");
}
