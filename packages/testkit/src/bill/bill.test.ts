import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { Ajv } from "ajv";
import formats from "ajv-formats";
import { beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { repositoryRoot } from "../shared-folder.ts";
import { workspacePackages } from "../repo/workspace.ts";
import { type Bill, billOfWorkspace, type Component, mergedBill } from "./bill.ts";

interface Locked {
  readonly resolution: { readonly integrity?: string };
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
}

const locked = Object.entries(
  (parse(readFileSync(join(repositoryRoot, "pnpm-lock.yaml"), "utf8")) as { packages: Record<string, Locked> })
    .packages,
);
const nameOf = ({ group, name, version }: Component): string =>
  `${group === undefined ? "" : `${group}/`}${name}@${version}`;

describe("the bill of materials", () => {
  let bill: Bill;
  beforeAll(async () => {
    bill = await billOfWorkspace();
  });

  it("is CycloneDX by its own schema", () => {
    const folder = join(
      dirname(createRequire(import.meta.url).resolve("@cyclonedx/cyclonedx-library/package.json")),
      "res/schema",
    );
    const schema = (name: string): object =>
      JSON.parse(readFileSync(join(folder, `${name}.SNAPSHOT.schema.json`), "utf8")) as object;
    const ajv = new Ajv({ strict: false, allErrors: true, formats: { "iri-reference": true, "idn-email": true } });
    formats.default(ajv);
    for (const name of ["spdx", "jsf-0.82"]) {
      ajv.addSchema({ ...schema(name), $id: `http://cyclonedx.org/schema/${name}.SNAPSHOT.schema.json` });
    }
    const isValid = ajv.compile(schema(`bom-${bill.specVersion}`));
    expect(isValid(bill) ? [] : isValid.errors).toEqual([]);
    expect(isValid({ ...bill, components: [{ name: "without a type" }] })).toBe(false);
  });

  it("has every package of the lockfile with its version and hash, and the workspace's own", () => {
    const parts = new Map(bill.components.map((one) => [nameOf(one), one]));
    const wrong = locked.filter(([name, { resolution }]) => {
      const hashes = parts.get(name)?.externalReferences?.flatMap((one) => one.hashes ?? []) ?? [];
      const expected = Buffer.from(resolution.integrity?.replace("sha512-", "") ?? "", "base64").toString("hex");
      return !hashes.some(({ alg, content }) => alg === "SHA-512" && content === expected);
    });
    expect(wrong.map(([name]) => name)).toEqual([]);
    const manifests = workspacePackages().map(({ manifest }) => manifest);
    const used = new Set(
      manifests.flatMap(({ dependencies, devDependencies }) => Object.keys({ ...dependencies, ...devDependencies })),
    );
    const own = manifests.filter(({ name }) => used.has(name)).map(({ name, version }) => `${name}@${version}`);
    expect(own.filter((name) => !parts.has(name))).toEqual([]);
  });

  it("has the licence of everything that is installed, and what ships has one that may be used", () => {
    const without = bill.components.filter(({ licenses = [], scope }) => scope !== "optional" && licenses.length === 0);
    expect(without.map(nameOf)).toEqual([]);
    const shipped = bill.components.filter(({ scope }) => scope === "required");
    expect(shipped.length).toBeGreaterThan(50);
    const others = shipped.filter(
      ({ licenses }) =>
        !/"(?:MIT|BSD|MIT-0|ISC|0BSD|BSD-[23]-Clause|Apache-2\.0|Unlicense|BlueOak-1\.0\.0|CC0-1\.0|Python-2\.0)"|MIT OR |OR MIT|AND MIT|MIT AND/.test(
          JSON.stringify(licenses),
        ),
    );
    expect(others.map((one) => `${nameOf(one)} ${JSON.stringify(one.licenses)}`)).toEqual([]);
    // What nobody could look into is for other systems, or belongs to what is.
    const unseen = new Set(bill.components.filter(({ scope }) => scope === "optional").map(nameOf));
    const bound = locked.filter(([name, { os, cpu, libc }]) => unseen.has(name) && (os ?? cpu ?? libc) !== undefined);
    expect(unseen.size - bound.length).toBeLessThan(20);
  });

  it("guesses no licence, and tells what ships from what only tests need", () => {
    const part = (name: string, more: Partial<Component> = {}): Component => ({
      name,
      version: "1.0.0",
      purl: `pkg:npm/${name}@1.0.0`,
      ...more,
    });
    const of = (...components: Component[]): Bill => ({ specVersion: "1.6", components });
    const merged = mergedBill(
      of(part("c"), part("a"), part("b")),
      of(part("a", { licenses: ["MIT"] }), part("b", { licenses: ["ISC"] })),
      of(part("a")),
    );
    expect(merged.components.map(({ name, scope, licenses }) => [name, scope, licenses])).toEqual([
      ["a", "required", ["MIT"]],
      ["b", "excluded", ["ISC"]],
      ["c", "optional", undefined],
    ]);
  });
});
