import { readFileSync } from "node:fs";
import { freshBrowser } from "../testing/fake-browser.ts";
import { beforeEach, describe, expect, it } from "vitest";
import { fakeBrowser } from "wxt/testing/fake-browser";
import { DEFAULT_SETTINGS, readSettings } from "./settings.ts";

const read = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8");

interface Schema {
  readonly properties: Record<string, { readonly type: string; readonly enum?: readonly string[] }>;
}

/** What IT may set, as the browser is told. */
const schema = JSON.parse(read("../../public/managed-policy.json")) as Schema;

interface Policy {
  readonly "3rdparty": { readonly extensions: Record<string, Record<string, unknown>> };
}

/** The example for administrators. */
function example(): Record<string, unknown> {
  const [, text = "{}"] = /```json managed-policy\n([\s\S]+?)```/.exec(read("../../../docs/administrators.md")) ?? [];
  return (JSON.parse(text) as Policy)["3rdparty"].extensions["EXTENSION_ID"] ?? {};
}

beforeEach(freshBrowser);

describe("what IT can set", () => {
  it("is every setting there is", () => {
    expect(Object.keys(schema.properties).toSorted()).toEqual(Object.keys(DEFAULT_SETTINGS).toSorted());
  });

  it("stands in the README's example, of the type the browser wants, and takes effect", async () => {
    expect(Object.keys(example())).toEqual(Object.keys(schema.properties));
    for (const [name, value] of Object.entries(example())) {
      const kind = Array.isArray(value) ? "array" : Number.isInteger(value) ? "integer" : typeof value;
      expect([name, kind]).toEqual([name, schema.properties[name]?.type]);
      expect(schema.properties[name]?.enum ?? [value]).toContain(value);
    }
    await fakeBrowser.storage.managed.set(example());
    expect(await readSettings()).toEqual({ ...example(), managed: new Set(Object.keys(example())) });
  });
});
