/**
 * What a person can make of a sign-in that failed. `unreachable`: later. `misconfigured`: the administrator has to do
 * something. `declined`: the identity provider said no. `stale`: begin again. `untrusted`: somebody may be forging, or the
 * provider is odd. `groups`: who they are is known, what they may see is not. `outsider`: their address is of no domain that
 * may sign in here.
 */
export type SignInFailureKind =
  | "unreachable"
  | "misconfigured"
  | "declined"
  | "stale"
  | "untrusted"
  | "groups"
  | "outsider";

const WORDS: Readonly<Record<SignInFailureKind, string>> = {
  unreachable: "Your company's sign-in does not answer right now. Try again in a minute.",
  misconfigured:
    "Sign-in with your company is not set up correctly yet. Tell your administrator: the service's log says why.",
  declined: "Your company's sign-in did not let you in. Ask your administrator if that surprises you.",
  stale: "This sign-in took too long, was used already, or was begun in another browser. Begin again.",
  untrusted:
    "What your company's sign-in said could not be verified, so nobody was signed in. Begin again, and tell your administrator if it stays that way.",
  outsider:
    "Your account is not one that may sign in here. Sign in with your company's account, or ask your administrator.",
  groups:
    "Your company's sign-in did not say which groups you are in, so nobody was signed in. Tell your administrator: the service's log says why.",
};

/** A sign-in that came to nothing. Holds no token, no secret, and no text that an identity provider or a browser sent. */
export class SignInFailure extends Error {
  override readonly name = "SignInFailure";
  readonly kind: SignInFailureKind;
  /** One sentence or two for whoever wanted to sign in: what happened and what to do, and nothing an attacker learns from. */
  readonly forPerson: string;
  /** One line for the log of the service, which says what did not hold. */
  readonly reason: string;

  /** @param reason a line for the log, from words of our own and the names of claims, never from their values */
  constructor(kind: SignInFailureKind, reason: string) {
    super(`${WORDS[kind]} (${reason})`);
    this.kind = kind;
    this.forPerson = WORDS[kind];
    this.reason = reason;
  }
}
