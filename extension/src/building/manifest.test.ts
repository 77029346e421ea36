import { describe, expect, it } from "vitest";
import { manifestOf, servedManifestOf } from "./manifest.ts";

/** The directives of a manifest's policy for extension pages. */
function directives({ content_security_policy: policy }: ReturnType<typeof manifestOf>): string[] {
  return (policy as { extension_pages: string }).extension_pages.split("; ");
}

describe("the policy of extension pages", () => {
  it("lets this machine's server push changes and styles while it is worked on, and nothing else", () => {
    const built = directives(manifestOf("chrome"));
    const served = directives(servedManifestOf("chrome"));
    expect(served.filter((one) => !built.includes(one))).toEqual([
      "style-src 'self' 'unsafe-inline' http://localhost:*",
      "connect-src 'self' ws://localhost:* https: http://127.0.0.1:* http://localhost:*",
    ]);
    expect(served).toHaveLength(built.length);
  });

  it("allows neither in what is built", () => {
    expect(directives(manifestOf("firefox")).join(" ")).not.toMatch(/unsafe|ws:/);
  });
});

describe("where the extension is offered", () => {
  it("is not Firefox for Android, which has neither sidebar nor menu", () => {
    expect(manifestOf("firefox").browser_specific_settings).not.toHaveProperty("gecko_android");
  });
});
