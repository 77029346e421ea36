import { domainToASCII } from "node:url";
import type { Claims } from "./claims.ts";
import { SignInFailure } from "./failure.ts";

/** Providers at which anybody may have an account, as they name themselves: Google, and Microsoft's for private accounts. */
const OPEN_TO_ALL = new Set([
  "https://accounts.google.com/",
  "https://login.microsoftonline.com/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0",
]);

/** Whether a company's own people are told from all others by their address alone. */
export function isOpenToAll(issuer: URL): boolean {
  return OPEN_TO_ALL.has(issuer.href);
}

/**
 * Domains as they are compared: small letters, as the DNS writes them. `@example.com` is taken for `example.com`.
 * @throws TypeError in plain words where one is none
 */
export function domainsOf(domains: readonly string[]): ReadonlySet<string> {
  return new Set(
    domains.map((domain) => {
      const ascii = domainToASCII(domain.trim().replace(/^@/, ""));
      if (!/^[^.]+(\.[^.]+)+$/.test(ascii))
        throw new TypeError(`${domain} is no domain of addresses, such as example.com.`);
      return ascii;
    }),
  );
}

/**
 * Lets in whose verified address is of one of these domains, and nobody else; everybody where there are none. At a provider
 * that is open to all the domain has to be vouched for: whoever left a company keeps an account there whose address was
 * verified once. Google tells the domain that manages the account (`hd`).
 * @throws SignInFailure for all others
 */
export function admit(
  {
    issuer,
    email,
    emailVerified,
  }: { readonly issuer: string; readonly email?: string | undefined; readonly emailVerified: boolean },
  domains: ReadonlySet<string>,
  claims: Claims,
): void {
  if (domains.size === 0) return;
  if (email === undefined)
    throw new SignInFailure("outsider", 'no address was told ("email"), so its domain is not known');
  if (!emailVerified) throw new SignInFailure("outsider", 'the address is not verified ("email_verified")');
  const domain = domainToASCII(email.slice(email.lastIndexOf("@") + 1));
  if (!domains.has(domain)) throw new SignInFailure("outsider", "the address is of another domain");
  const url = URL.parse(issuer);
  if (url === null || !isOpenToAll(url)) return;
  const { hd } = claims;
  if (typeof hd === "string" && domainToASCII(hd) === domain) return;
  throw new SignInFailure("outsider", 'the account is a private one, not managed by the domain of its address ("hd")');
}
