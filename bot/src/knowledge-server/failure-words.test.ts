import { WebAPIHTTPError, WebAPIPlatformError, WebAPIRateLimitedError, WebAPIRequestError } from "@slack/web-api";
import { AuthError, UnavailableError } from "@threadlore/client";
import { describe, expect, it } from "vitest";
import { failureWords } from "./failure-words.ts";

const SECRET = "canary-in-the-body";
const system = (code: string, words = SECRET) => Object.assign(new Error(words), { code });
const slack = (error: string) => new WebAPIPlatformError({ ok: false, error });

describe("a failure in words", () => {
  it.each([
    { error: slack("token_revoked"), what: "This token was revoked", fix: "Install the app", transient: false },
    { error: slack("not_in_channel"), what: "not in this channel", fix: "/invite", transient: false },
    { error: slack("ratelimited"), what: "asks for a pause", fix: "tried again", transient: true },
    { error: slack("brand_new_word"), what: "Slack refused: brand_new_word", fix: "", transient: false },
    { error: slack(`<html>${SECRET}`), what: "Slack refused:", fix: "", transient: false },
    { error: new WebAPIRateLimitedError(30), what: "a pause of 30 s", fix: "tried again", transient: true },
    { error: new WebAPIHTTPError(503, SECRET, { a: SECRET }, SECRET), what: "HTTP 503", fix: "", transient: true },
    { error: new WebAPIRequestError(system("ECONNREFUSED")), what: "nothing answers", fix: "address", transient: true },
    {
      error: new TypeError("fetch failed", { cause: system("ENOTFOUND") }),
      what: "name does not exist",
      fix: "",
      transient: false,
    },
    { error: new AggregateError([system("ECONNREFUSED")], SECRET), what: "nothing answers", fix: "", transient: true },
    { error: system("28P01"), what: "refused the password", fix: "DATABASE_URL", transient: false },
    { error: system("EACCES"), what: "may not use that file", fix: "account", transient: false },
    {
      error: new AuthError("The key is not known. Have one made."),
      what: "The key is not known.",
      fix: "",
      transient: false,
    },
    { error: new UnavailableError("No answer came.", false), what: "No answer came.", fix: "", transient: true },
    {
      error: new RangeError(SECRET),
      what: "something unexpected happened (RangeError)",
      fix: "report",
      transient: false,
    },
    { error: SECRET, what: "something unexpected happened (unknown)", fix: "report", transient: false },
  ])("$what", ({ error, what, fix, transient }) => {
    const words = failureWords(error);
    expect(words.what).toContain(what);
    expect(words.fix).toContain(fix);
    expect(words.transient).toBe(transient);
    expect(JSON.stringify(words)).not.toContain(SECRET);
  });
});
