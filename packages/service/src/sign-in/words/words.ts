import type { SignInFailureKind } from "@threadlore/sign-in";

/** What the pages for people say, in one language. Sentences are whole, and hold no markup. */
export interface Words {
  /** BCP 47. */
  readonly language: string;
  readonly signIn: string;
  readonly signInWith: (company: string) => string;
  readonly userName: string;
  readonly password: string;
  /** The same for a name that is unknown, disabled, or of somebody who signs in elsewhere. */
  readonly wrong: string;
  readonly tooMany: (minutes: number) => string;
  readonly busy: string;
  readonly device: string;
  readonly typeCode: string;
  readonly code: string;
  readonly goOn: string;
  readonly unknownCode: string;
  readonly somethingAsks: string;
  readonly callsItself: string;
  readonly saysItIsFor: string;
  readonly codeThere: string;
  readonly onlyIfYou: string;
  readonly whatItMay: string;
  readonly agree: string;
  readonly refuse: string;
  readonly agreed: string;
  readonly refused: string;
  readonly forSomebodyElse: (signedInAs: string) => string;
  /** To who has no address that is known, where one is wanted. */
  readonly noAddress: string;
  readonly extension: string;
  readonly extensionAsks: string;
  readonly extensionId: string;
  readonly onlyIfYouPressed: string;
  readonly anotherAccount: string;
  readonly extensionNotWhole: string;
  readonly account: string;
  readonly signedInAs: string;
  readonly signOut: string;
  readonly rights: string;
  readonly role: Readonly<Record<"ordinary" | "editor" | "admin", string>>;
  readonly seesAll: string;
  readonly seesNothing: string;
  readonly keys: string;
  readonly noKeys: string;
  readonly keyDates: (made: string, used: string | undefined, ends: string) => string;
  readonly endKey: string;
  readonly keyEnded: string;
  readonly changePassword: string;
  readonly currentPassword: string;
  readonly newPassword: string;
  readonly passwordRule: (least: number) => string;
  readonly wrongCurrent: string;
  readonly weak: (least: number) => string;
  readonly passwordChanged: string;
  /** Why nobody was signed in by the company's identity provider. */
  readonly companyFailed: Readonly<Record<SignInFailureKind | "disabled", string>>;
  readonly notDone: string;
  readonly notUnderstood: string;
  /** What was sent did not come from a page of this service, which is at this address. */
  readonly notFromHere: (address: string) => string;
  readonly later: string;
  readonly toAccount: string;
}
