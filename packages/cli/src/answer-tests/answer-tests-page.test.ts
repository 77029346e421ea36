import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot, runnableSections } from "@threadlore/testkit";
import { expect, it } from "vitest";
import { startEmbedded } from "../testing/embedded-service.ts";
import { runShell } from "../testing/spawn-cli.ts";
import { KNOWN_FIELDS } from "./test-model.ts";
import { parseTests } from "./tests-file.ts";

const text = readFileSync(join(repositoryRoot, "docs/answer-tests.md"), "utf8");

it("docs/answer-tests.md does what it says, as its commands stand there", async () => {
  const service = await startEmbedded();
  const [first, recording, pipeline] = runnableSections(text);
  const tried = await runShell(`set -euo pipefail\n${first?.commands}`, { home: service.home });
  expect(tried.stderr).toContain("2 added.");
  expect(tried.stdout).toMatch(/^3 passed, in [\d.]+ s\.\n/);
  const shown = /```text\n([\s\S]*?)```/.exec(text)?.[1] ?? "";
  const inGeneral = (said: string): string =>
    said.replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d/g, "NOW").replaceAll(/in [\d.]+ s/g, "in T");
  expect(inGeneral(tried.stdout)).toContain(inGeneral(shown));
  expect(tried.code).toBe(0);
  const recorded = await runShell(`set -euo pipefail\n${recording?.commands}`, { home: service.home });
  expect(recorded).toMatchObject({ code: 0, stderr: expect.stringContaining("There is nothing to record") });
  // Twice, as there is no report yet, and then there is.
  for (const said of ["There is no report last-run.json yet", "Wrote last-run.json."]) {
    const piped = await runShell(`set -euo pipefail\n${pipeline?.commands}`, { home: service.home });
    expect(piped).toMatchObject({ code: 0, stderr: expect.stringContaining(said) });
  }
  expect(existsSync(join(service.home.folder, "results.xml"))).toBe(true);
  await service.stop();
});

it("docs/answer-tests.md shows a file that can be read, and names every field there is", () => {
  const [shown = ""] = [...text.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, yaml]) => yaml);
  expect(parseTests(shown, "shown")).toHaveLength(3);
  expect(KNOWN_FIELDS.filter((field) => !text.includes(`\`${field}\``) && !text.includes(`\`${field}:\``))).toEqual([]);
});
