import type { ClientOptions } from "./client.ts";
import { Calls } from "./deployment/calls.ts";
import type { Deployment } from "./deployment/operations.ts";
import { resourceOperations } from "./deployment/resources.ts";
import { sessionOperations } from "./deployment/sessions.ts";
import { uploadOperation } from "./deployment/upload.ts";
import { createTransport } from "./http/transport.ts";
import { DEFAULT_PROFILE } from "./profile.ts";
import { withDefaults } from "./with-defaults.ts";

export type {
  Credential,
  DocumentSet,
  DocumentText,
  FollowUps,
  FoundPassage,
  IngestedDocument,
  Me,
  Pair,
  Persona,
  Personalization,
  Session,
  SessionDetail,
  SessionPage,
  StoredMessage,
  Tool,
} from "./deployment/models.ts";
export type {
  Deployment,
  Feedback,
  FileToUpload,
  ListedPair,
  NewSession,
  SearchQuery,
  TextRange,
  Upload,
  UploadedFile,
} from "./deployment/operations.ts";
export { keyChange, type KeyChange } from "./deployment/key-change.ts";
export { accountOf, type Account, permissionsOf, type Permissions } from "./deployment/permissions.ts";
export type { Support } from "./deployment/support.ts";

/** How to reach a server. */
export type DeploymentOptions = Omit<ClientOptions, "limits">;

/** Makes the client of everything beyond the four operations. Throws InvalidRequestError for a base URL that can never work. */
export function createDeployment(options: DeploymentOptions): Deployment {
  const calls = new Calls(createTransport(options));
  const { ingestionPath } = withDefaults(DEFAULT_PROFILE, options.profile);
  return {
    ...resourceOperations(calls, ingestionPath),
    ...sessionOperations(calls),
    ...uploadOperation(calls),
    supports: (operation) => calls.memory.of(operation),
  };
}
