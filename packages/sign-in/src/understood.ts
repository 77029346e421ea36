import {
  AuthorizationResponseError,
  ClientError,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
} from "openid-client";
import { SignInFailure, type SignInFailureKind } from "./failure.ts";

/** What the words of OAuth mean for a person: RFC 6749, sections 4.1.2.1 and 5.2; OpenID Connect Core, section 3.1.2.6. */
const KINDS: Readonly<Record<string, SignInFailureKind>> = {
  access_denied: "declined",
  account_selection_required: "declined",
  consent_required: "declined",
  interaction_required: "declined",
  login_required: "declined",
  server_error: "unreachable",
  temporarily_unavailable: "unreachable",
  invalid_grant: "stale",
};

/** Any failure of a sign-in as one of ours. What the library keeps beside its errors (tokens, claims, answers) stays behind. */
export function understood(error: unknown): SignInFailure {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) {
    if (at instanceof SignInFailure) return at;
  }
  if (error instanceof AuthorizationResponseError) return fromWord(error.error, "came back with");
  if (error instanceof ResponseBodyError) return fromWord(error.error, "refused the code with");
  if (error instanceof WWWAuthenticateChallengeError) {
    return new SignInFailure("misconfigured", `the identity provider refused a call (${error.status})`);
  }
  if (error instanceof ClientError || isLibrarys(error)) return fromLibrary(error);
  return new SignInFailure("untrusted", `unexpected: ${error instanceof Error ? error.name : typeof error}`);
}

function fromWord(word: string, what: string): SignInFailure {
  // Of the callback's word only one that is known is repeated: whoever made the link chose it.
  const isWord = /^[a-z_]{1,40}$/.test(word);
  return new SignInFailure(
    KINDS[word] ?? "misconfigured",
    `the identity provider ${what} ${isWord ? word : "a word that is none"}`,
  );
}

function fromLibrary(error: Error & { readonly code?: unknown }): SignInFailure {
  const code = typeof error.code === "string" ? error.code : "no code";
  // Its sentences hold no values, but those of whatever else it wraps may.
  const words = [error, error.cause].find(isLibrarys)?.message ?? error.message;
  const { claim, attribute, status } = detailsOf(isLibrarys(error.cause) ? error.cause.cause : error.cause);
  if (code === "OAUTH_TIMEOUT" || code === "OAUTH_ABORT") {
    return new SignInFailure("unreachable", "the identity provider did not answer in time");
  }
  if (code === "OAUTH_RESPONSE_IS_NOT_CONFORM" && status !== undefined) {
    return new SignInFailure("misconfigured", `the identity provider answered ${status}`);
  }
  const isSetUp = /METADATA|NOT_JSON|FORBIDDEN/.test(code);
  const name = claim ?? attribute;
  return new SignInFailure(
    isSetUp ? "misconfigured" : "untrusted",
    `${words}${name === undefined ? "" : ` (${name})`}, ${code}`,
  );
}

function isLibrarys(error: unknown): error is Error {
  return error instanceof Error && /^(OperationProcessing|UnsupportedOperation)Error$/.test(error.name);
}

function detailsOf(value: unknown): { claim?: string; attribute?: string; status?: number } {
  if (value instanceof Response) return { status: value.status };
  const { claim, attribute } = (typeof value === "object" ? (value ?? {}) : {}) as Readonly<Record<string, unknown>>;
  return {
    ...(typeof claim === "string" && { claim }),
    ...(typeof attribute === "string" && { attribute }),
  };
}
