/** Sign-in with a company's identity provider: OpenID Connect's authorization code flow, and nothing else of it. */
export type { CompanyIdentity } from "./claims.ts";
export { type CompanySignIn, companySignIn, type CompanySignInOptions, type PendingSignIn } from "./company-sign-in.ts";
export { SignInFailure, type SignInFailureKind } from "./failure.ts";
