/** What a server is asked about itself and a key, for callers that want no answers and none of what those take. */
import { Calls } from "../deployment/calls.ts";
import type { DeploymentOptions } from "../deployment.ts";
import type { Resources } from "../deployment/operations.ts";
import { resourceOperations } from "../deployment/resources.ts";
import { createTransport } from "../http/transport.ts";
import { DEFAULT_PROFILE } from "../profile.ts";
import { withDefaults } from "../with-defaults.ts";

export type { Resources } from "../deployment/operations.ts";

/**
 * Makes the part of `createDeployment` that knows neither sessions nor streams: the account of the key, search, and what
 * the server lists. Throws InvalidRequestError for a base URL that can never work.
 */
export function createResources(options: DeploymentOptions): Resources {
  const { ingestionPath } = withDefaults(DEFAULT_PROFILE, options.profile);
  return resourceOperations(new Calls(createTransport(options)), ingestionPath);
}
