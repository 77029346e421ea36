import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { sharedFolder } from "../../shared-folder.ts";
import { validateTool } from "./tool-validator.ts";

interface Case {
  id: string;
  category: string;
  definition?: object;
  definitionFile?: string;
  body?: unknown;
  bodyFile?: string;
}

const definition = {
  openapi: "3.0.0",
  info: { title: "T", description: "D" },
  servers: [{ url: "https://api.example.com" }],
};

describe("the validation of tools", () => {
  it("lists what can be called, and says what is wrong first", () => {
    const operation = { operationId: "pets.get one", description: "Gets a pet" };
    expect(validateTool({ ...definition, paths: { "/pets": { get: operation } } })).toEqual([
      {
        name: "pets_get_one",
        raw_name: "pets.get one",
        summary: "Gets a pet",
        path: "/pets",
        method: "get",
        spec: operation,
      },
    ]);
    expect(validateTool({})).toBe("`info` section is required in OpenAPI schema");
    expect(validateTool({ ...definition, paths: { "/pets/{id}": { get: operation } } })).toBe(
      "Missing path parameter: 'id'",
    );
  });

  const folder = sharedFolder("wire/dev/validator");
  it.runIf(folder)("judges every document that people have published as the real one did", () => {
    const read = (file: string): unknown => JSON.parse(readFileSync(join(folder ?? "", file), "utf8"));
    const lines = readFileSync(join(folder ?? "", "cases.jsonl"), "utf8")
      .trimEnd()
      .split("\n");
    const cases = lines
      .map((line): Case => JSON.parse(line))
      .filter(({ category }) => /published|repaired/.test(category));
    expect(cases.length).toBeGreaterThan(100);
    for (const { id, body, bodyFile = "", ...one } of cases) {
      const result = validateTool(one.definition ?? Object(read(one.definitionFile ?? "")));
      const own = typeof result === "string" ? { detail: result } : { methods: result };
      expect(own, id).toEqual(body ?? read(bodyFile));
    }
  });
});
