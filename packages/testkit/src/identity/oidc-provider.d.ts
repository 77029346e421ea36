/** What is used of oidc-provider, whose package carries no types. */
declare module "oidc-provider" {
  import type { RequestListener } from "node:http";

  /** An identity provider that speaks OpenID Connect, as a listener of Node's. */
  export class Provider {
    constructor(issuer: string, configuration: unknown);
    callback(): RequestListener;
  }
}
