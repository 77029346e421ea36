import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseMessagesFile } from "@wxt-dev/i18n/build";
import { describe, expect, it } from "vitest";
import config from "../../wxt.config.ts";
import { manifestOf } from "./manifest.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const read = (name: string) => readFileSync(`${ROOT}/${name}`, "utf8");

/** The part of a page below a heading. */
function partOf(page: string, heading: string): string {
  const [, part = ""] = page.split(new RegExp(`^## ${heading}\\n`, "m"));
  return part.split(/^## /m, 1)[0]?.trim() ?? "";
}

/** First cells of a table's rows that stand for permissions, and the reasons beside them. */
function reasonsIn(part: string): Map<string, string> {
  const rows = part.matchAll(/^\| `([^`]+)`\s*\| (.+?)\s*\|$/gm);
  return new Map(Array.from(rows, ([, name = "", reason = ""]) => [name, reason]));
}

/** Whatever either browser is asked for. */
function permissions(): string[] {
  const asked = ["chrome", "firefox"]
    .map(manifestOf)
    .flatMap((manifest) => [
      ...(manifest.permissions ?? []),
      ...(manifest.optional_permissions ?? []),
      ...(manifest.optional_host_permissions ?? []),
      ...(manifest.host_permissions ?? []),
    ]);
  return [...new Set(asked.map(String))].toSorted();
}

describe("what the stores are told", () => {
  const store = read("STORE.md");

  it("gives a reason for every permission, and for none that is not asked for", () => {
    const reasons = reasonsIn(partOf(store, "Permissions"));
    expect([...reasons.keys()].toSorted()).toEqual(permissions());
    for (const reason of reasons.values()) {
      expect(reason.length).toBeGreaterThan(40);
      // The form takes no more.
      expect(reason.length).toBeLessThanOrEqual(1_000);
    }
  });

  it("names every permission on the page about privacy too", () => {
    const named = reasonsIn(partOf(read("PRIVACY.md"), "Why each permission"));
    const hosts = ["http://*/*", "https://*/*"];
    expect([...named.keys(), ...hosts].toSorted()).toEqual(permissions());
  });

  it("says what Firefox says at installation", () => {
    const { gecko } = manifestOf("firefox").browser_specific_settings ?? {};
    expect(gecko?.data_collection_permissions).toEqual({ required: ["websiteContent"] });
    expect(partOf(store, "Privacy")).toContain("`websiteContent`, required");
    expect(read("PRIVACY.md")).toContain("website content");
  });

  it("names the folder the build writes, and the Node the project asks for", () => {
    const reviewers = partOf(store, "For reviewers").replaceAll("\n", " ");
    const { outDir } = JSON.parse(JSON.stringify(config)) as { outDir: string };
    expect(reviewers).toContain(`\`extension/${outDir}/firefox-mv3\``);
    const { engines } = JSON.parse(readFileSync(`${ROOT}/../package.json`, "utf8")) as { engines: { node: string } };
    const [, node] = /(\d+)/.exec(engines.node) ?? [];
    expect(reviewers).toContain(`Node ${node} or newer`);
  });

  it("promises no telemetry and limited use on both pages", () => {
    for (const page of [store, read("PRIVACY.md")]) {
      expect(page).toContain("No telemetry.");
      expect(page.replaceAll("\n", " ")).toContain("Limited Use requirements");
    }
  });

  /** What a language's listing says: name, summary, and the paragraphs of the description. */
  const listingOf = (language: string) => {
    const [head = "", ...paragraphs] = read(`store/${language}.txt`).trimEnd().split("\n\n");
    const [name, summary, ...more] = head.split("\n");
    return { name, summary, more, paragraphs };
  };
  const languages = readdirSync(`${ROOT}/locales`).map((file) => file.replace(".yml", ""));

  it("is there in every language of the extension, and linked", () => {
    expect(readdirSync(`${ROOT}/store`).toSorted()).toEqual(languages.map((language) => `${language}.txt`).toSorted());
    for (const language of languages) expect(store).toContain(`(store/${language}.txt)`);
  });

  it.each(languages)(
    "has the extension's own name, summary and menu, within what every store takes: %s",
    async (language) => {
      const messages = await parseMessagesFile(`${ROOT}/locales/${language}.yml`);
      const text = (key: string) => {
        const found = messages.find((one) => one.key.join(".") === key);
        return found?.type === "simple" ? found.message : "";
      };
      const { name, summary, more, paragraphs } = listingOf(language);
      expect({ name, summary, more }).toEqual({
        name: text("extension.name"),
        summary: text("extension.description"),
        more: [],
      });
      // Chrome takes 132 characters of a summary; of a description Edge takes 250 to 10,000, the others more.
      expect(summary?.length).toBeLessThanOrEqual(132);
      const description = paragraphs.join("\n\n");
      expect(description.length).toBeGreaterThanOrEqual(250);
      expect(description.length).toBeLessThanOrEqual(10_000);
      // As the browser shows them.
      expect(description).toContain(text("menu.page"));
      const { commands } = manifestOf("chrome");
      const shortcut = commands?.["keep-page"] as { suggested_key: { default: string } } | undefined;
      expect(description).toContain(shortcut?.suggested_key.default);
      // Plain text: no store takes Markdown.
      expect(description).not.toMatch(/\*\*|^#|\]\(/m);
    },
  );

  it("says the same in every language, paragraph by paragraph", () => {
    const shapes = languages.map((language) => listingOf(language).paragraphs.map((one) => one.split("\n").length));
    for (const shape of shapes) expect(shape).toEqual(shapes[0]);
  });
});
