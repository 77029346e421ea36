/** A genuine identity provider on this machine, and a person who signs in there. */
export {
  type IdentityProvider,
  type IdentityProviderOptions,
  type KnownPerson,
  startIdentityProvider,
} from "./identity-provider.ts";
export { signInThere } from "./sign-in-there.ts";
