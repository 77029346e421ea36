import type { Words } from "./words.ts";

export const EN: Words = {
  language: "en",
  signIn: "Sign in",
  signInWith: (company) => `Sign in with ${company}`,
  userName: "User name",
  password: "Password",
  wrong: "The user name or the password is wrong.",
  tooMany: (minutes) =>
    `Too many attempts. Try again in ${minutes === 1 ? "a minute" : `${minutes} minutes`}; the account stays as it is.`,
  busy: "Many people are signing in at this moment. Try again.",
  device: "Connect a program",
  typeCode: "Type the code the program shows.",
  code: "Code",
  goOn: "Go on",
  unknownCode: "This code is wrong, too old, or was answered already. Look at the program, or begin anew there.",
  somethingAsks: "A program asks for a key to your account. What it says of itself is in its own words:",
  callsItself: "It calls itself",
  saysItIsFor: "It says the key is for",
  codeThere: "The code it must show now",
  onlyIfYou:
    "Agree only if you began this yourself just now and the program shows this very code. If somebody sent you a link or a code, refuse.",
  whatItMay:
    "With the key it can ask in your name and see what you may see, until you end the key on your account page.",
  agree: "Agree",
  refuse: "Refuse",
  agreed: "The program gets a key to your account. You can close this page.",
  refused: "Refused. The program gets nothing.",
  forSomebodyElse: (signedInAs) =>
    `This was begun for the account of somebody else; you are signed in as ${signedInAs}. If it is yours, sign out and sign in with the right account. If not, close this page.`,
  noAddress:
    "This was begun for one e-mail address, and of your account none is known that was verified. So it is not known whether this is for you. Tell your administrator, and close this page.",
  extension: "Connect a browser extension",
  extensionAsks: "A browser extension asks for a key to your account. What it says of itself is in its own words:",
  extensionId: "The browser tells it from others as",
  onlyIfYouPressed:
    "Agree only if you pressed “Sign in” in your extension just now. If a link, a message or a web page brought you here, refuse.",
  anotherAccount: "Use another account",
  extensionNotWhole:
    "This is not a whole request of a browser extension, so nothing was done. Close this page and press “Sign in” in the extension again.",
  account: "Your account",
  signedInAs: "Signed in as",
  signOut: "Sign out",
  rights: "What you may see",
  role: { ordinary: "may ask", editor: "may ask and add documents", admin: "may administer" },
  seesAll: "All documents",
  seesNothing: "No documents yet. An administrator gives your groups document sets.",
  keys: "Keys to your account",
  noKeys: "No program has a key to your account.",
  keyDates: (made, used, ends) =>
    `Made ${made}, ${used === undefined ? "not used yet" : `used ${used}`}, ends ${ends} or after 90 days without use`,
  endKey: "End this key",
  keyEnded: "The key is ended.",
  changePassword: "Change the password",
  currentPassword: "Password until now",
  newPassword: "New password",
  passwordRule: (least) => `At least ${least} characters. All browsers are signed out; keys stay.`,
  wrongCurrent: "The password until now is wrong.",
  weak: (least) => `The new password must have at least ${least} characters, at most 256, and be more than your name.`,
  passwordChanged: "The password is changed. Sign in with it.",
  companyFailed: {
    unreachable: "Your company's sign-in does not answer right now. Try again in a minute.",
    misconfigured:
      "Sign-in with your company is not set up correctly yet. Tell your administrator: the service's log says why.",
    declined: "Your company's sign-in did not let you in. Ask your administrator if that surprises you.",
    stale: "This sign-in took too long, was used already, or was begun in another browser. Begin again.",
    untrusted:
      "What your company's sign-in said could not be verified, so nobody was signed in. Begin again, and tell your administrator if it stays that way.",
    groups:
      "Your company's sign-in did not say which groups you are in, so nobody was signed in. Tell your administrator: the service's log says why.",
    outsider:
      "Your account is not one that may sign in here. Sign in with your company's account, or ask your administrator.",
    disabled: "Your account was closed here. Ask your administrator.",
  },
  notDone: "That was not done",
  notUnderstood: "What was sent cannot be understood. Go back and try again.",
  notFromHere: (address) =>
    `This was not sent from a page of this service. Open ${address} in your browser, and go on from there.`,
  later: "The service cannot do this at the moment. Try again in a while.",
  toAccount: "To your account",
};
