import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseMessagesFile } from "@wxt-dev/i18n/build";
import { describe, expect, it } from "vitest";
import { adviceFor, causeOf, WORDS } from "./failure-words.ts";

const LOCALES = fileURLToPath(new URL("../../../locales/", import.meta.url));
const english = await parseMessagesFile(`${LOCALES}en.yml`);
const textOf = (key: string): string => {
  const found = english.find((one) => one.key.join(".") === key);
  return found?.type === "simple" ? found.message : "";
};
const HERE = { isManaged: false, isOnline: true };
const failure = (code: string) => ({ message: "As the server says it.", code, retryable: true });

describe("a failure's words", () => {
  it("are there for every one of them", () => {
    for (const [title, what] of Object.values(WORDS)) {
      expect(textOf(title)).not.toBe("");
      expect(what === undefined || textOf(what) !== "").toBe(true);
    }
  });

  it("give no advice on an address that IT has set", () => {
    const cause = causeOf(failure("unavailable"), false);
    expect(textOf(adviceFor(cause, HERE) ?? "")).toContain("its address may be wrong");
    const managed = textOf(adviceFor(cause, { ...HERE, isManaged: true }) ?? "");
    expect(managed).toContain("IT department");
    expect(managed).not.toContain("wrong");
    expect(textOf(adviceFor(cause, { ...HERE, isOnline: false }) ?? "")).toContain("offline");
    const website = causeOf(failure("website"), false);
    expect(textOf(adviceFor(website, HERE) ?? "")).toContain("Correct the address");
    expect(textOf(adviceFor(website, { ...HERE, isManaged: true }) ?? "")).toBe(
      "Your IT department has set this address; tell them.",
    );
  });

  it("say of a key what its owner can do, whoever has set the address", () => {
    for (const isManaged of [false, true]) {
      expect(textOf(adviceFor(causeOf(failure("auth"), false), { ...HERE, isManaged }) ?? "")).toContain(
        "Connect again",
      );
    }
  });

  it.each([
    ["RATE_LIMIT", "The language model is busy"],
    ["RATE_LIMITED", "The limit for questions is reached"],
    ["rate_limited", "The limit for questions is reached"],
    ["BUDGET_EXCEEDED", "The language model's budget is used up"],
    ["AUTH_ERROR", "The service cannot use its language model"],
    ["EMPTY_LLM_RESPONSE", "The language model sent an empty answer"],
    ["VALIDATION_ERROR", "The service could not use this question"],
    ["CONTENT_POLICY", "The language model declined to answer"],
    ["INSUFFICIENT_PERMISSIONS", "The key may not do this"],
    ["forbidden", "The key may not do this"],
    ["partial", "The answer broke off"],
    ["ECONNREFUSED", "The service did not answer as it should"],
    ["SOMETHING_NEW", "There is no answer"],
  ])("of %s are: %s", (code, title) => {
    expect(textOf(WORDS[causeOf(failure(code), false)][0])).toBe(title);
  });

  it("call an answer that broke off for a reason nobody knows just that", () => {
    expect(textOf(WORDS[causeOf(failure("SOMETHING_NEW"), true)][0])).toBe("The answer broke off");
  });

  it("name no host, key or file in any language", () => {
    for (const file of ["de", "en", "es", "fr", "ja"]) {
      const written = readFileSync(`${LOCALES}${file}.yml`, "utf8");
      const failures = written.slice(written.indexOf("  failure:"), written.indexOf("  keep:"));
      expect(failures).not.toMatch(/https?:|127\.0|tl_|onyx/);
    }
  });
});
