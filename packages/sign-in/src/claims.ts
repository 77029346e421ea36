import { SignInFailure } from "./failure.ts";

/** What a token or the userinfo endpoint says of a person. */
export type Claims = Readonly<Record<string, unknown>>;

/** What is told of a person by the company's identity provider, once it was verified. */
export interface CompanyIdentity {
  /** Who says so, as the provider names itself. With `subject` this is who somebody is; an e-mail address is not. */
  readonly issuer: string;
  /** The provider's own name for the person: at most 255 characters, never given to another. */
  readonly subject: string;
  /** As the provider has it; undefined where it tells none. */
  readonly email: string | undefined;
  /** Whether the provider says that the address is this person's. */
  readonly emailVerified: boolean;
  /** What the person is called, in any script; at most 200 characters. */
  readonly name: string | undefined;
  /** Groups or roles as the provider names them, each once; none where it tells none, and none of more than 200 letters. */
  readonly groups: readonly string[];
}

const MAX_SUBJECT = 255;
const MAX_NAME = 200;
const MAX_EMAIL = 320;
/** Letters of a group's name in the form rules have them: no rule is about a longer one. */
const MAX_GROUP_NAME = 200;
const MAX_GROUPS = 1_000;
// No white space, nothing that steers a terminal or a line's direction, one @.
const EMAIL = /^[^\s@\p{C}]+@[^\s@\p{C}]+$/u;
const STEERING = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/**
 * Who a person is, from the claims of their ID token and, where it was asked, of the userinfo endpoint.
 * @param groupsClaim the name of the claim with the groups, or names with dots between them where it is nested
 * @throws SignInFailure where a claim is of a kind it cannot be, and where the groups are left out because of their number
 */
export function identityOf(idToken: Claims, userInfo: Claims | undefined, groupsClaim: string): CompanyIdentity {
  const { iss, sub } = idToken;
  if (typeof iss !== "string") throw new SignInFailure("untrusted", 'the claim "iss" is no text');
  return {
    issuer: iss,
    subject: subjectOf(sub),
    ...emailOf(idToken, userInfo),
    name: nameOf(idToken) ?? (userInfo === undefined ? undefined : nameOf(userInfo)),
    groups: groupsOf(idToken, groupsClaim) ?? (userInfo && groupsOf(userInfo, groupsClaim)) ?? [],
  };
}

/** A person as the provider names them: OpenID Connect Core, section 2. */
export function subjectOf(sub: unknown): string {
  if (typeof sub === "string" && sub !== "" && sub.length <= MAX_SUBJECT) return sub;
  throw new SignInFailure("untrusted", 'the claim "sub" is no name of a person');
}

/** Whether the ID token leaves out something that the userinfo endpoint may tell. */
export function isIncomplete(idToken: Claims, groupsClaim: string): boolean {
  return (
    textOf(idToken, "email") === undefined ||
    idToken["email_verified"] === undefined ||
    nameOf(idToken) === undefined ||
    groupsOf(idToken, groupsClaim) === undefined
  );
}

/** An address and whether it is verified are of one source: one provider may know two addresses of a person. */
function emailOf(idToken: Claims, userInfo: Claims | undefined): Pick<CompanyIdentity, "email" | "emailVerified"> {
  const told = addressIn(idToken);
  const more = userInfo === undefined ? undefined : addressIn(userInfo);
  const best = told?.isVerified === undefined && more !== undefined ? more : (told ?? more);
  return { email: best?.email, emailVerified: best?.isVerified === true };
}

function addressIn(claims: Claims): { email: string; isVerified: boolean | undefined } | undefined {
  const isVerified = flagOf(claims, "email_verified");
  const email = textOf(claims, "email");
  if (email === undefined || email.length > MAX_EMAIL || !EMAIL.test(email)) return undefined;
  return { email, isVerified };
}

function nameOf(claims: Claims): string | undefined {
  const whole = textOf(claims, "name");
  const parts = [textOf(claims, "given_name"), textOf(claims, "family_name")].filter((part) => part !== undefined);
  const name = whole ?? (parts.length > 0 ? parts.join(" ") : textOf(claims, "preferred_username"));
  const shown = name?.replace(STEERING, " ").replace(/\s+/g, " ").trim().slice(0, MAX_NAME).toWellFormed();
  return shown === "" ? undefined : shown;
}

/** A claim that is a text. Providers send null and "" for what they do not know. */
function textOf(claims: Claims, name: string): string | undefined {
  const value = claims[name];
  if (value === undefined || value === null || value === "") return undefined;
  if (typeof value !== "string") throw new SignInFailure("untrusted", `the claim "${name}" is no text`);
  return value;
}

/** A claim that is yes or no; some providers send it as text. */
function flagOf(claims: Claims, name: string): boolean | undefined {
  const value = claims[name];
  if (value === undefined || value === null) return undefined;
  if (value === true || value === "true") return true;
  if (value === false || value === "false") return false;
  throw new SignInFailure("untrusted", `the claim "${name}" is neither yes nor no`);
}

/**
 * The groups told; undefined where none are. A name with dots may be a claim's own (`https://example.com/groups`), which
 * comes before a nested one (`realm_access.roles`).
 */
function groupsOf(claims: Claims, path: string): readonly string[] | undefined {
  const [outer = path] = path.split(".");
  // OpenID Connect Core, section 5.6.2. Entra does so above 200 groups, and leaves the rest to a call nobody here may make.
  const elsewhere = claims["_claim_names"];
  const isElsewhere = isRecord(elsewhere) && (Object.hasOwn(elsewhere, path) || Object.hasOwn(elsewhere, outer));
  if (isElsewhere || (outer === "groups" && claims["hasgroups"] === true)) {
    throw new SignInFailure(
      "groups",
      `the claim "${path}" was left out because there are too many groups: have the provider tell fewer, or roles of this application, and name their claim`,
    );
  }
  const value = Object.hasOwn(claims, path) ? claims[path] : path.split(".").reduce<unknown>(memberOf, claims);
  if (value === undefined || value === null) return undefined;
  // Some providers send one group as a text.
  const groups: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (groups.length > MAX_GROUPS) throw new SignInFailure("groups", `the claim "${path}" has ${groups.length} groups`);
  if (!groups.every((group) => typeof group === "string")) {
    throw new SignInFailure("groups", `the claim "${path}" is no list of names`);
  }
  return [...new Set(groups)].filter((group) => group !== "" && !isTooLong(group));
}

/** Groups only give: one that can be given nothing keeps nobody out. */
function isTooLong(group: string): boolean {
  return group.length > MAX_GROUP_NAME && [...group.normalize("NFC")].length > MAX_GROUP_NAME;
}

function memberOf(value: unknown, name: string): unknown {
  return isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

function isRecord(value: unknown): value is Claims {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
