import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startServing, type Serving } from "../embedded/serving.ts";
import { runIn } from "../testing/in-process.ts";
import { newHome } from "../testing/spawn-cli.ts";

/** A service in the `.threadlore` of a project, as `start` runs it. */
const project = newHome();
let serving: Serving;

beforeAll(async () => {
  serving = await startServing({ folder: join(project.folder, ".threadlore"), port: 0 });
});
afterAll(() => serving.close());

it.each([
  ["key", "list", "--json"],
  ["connector", "add", "web", "Site"],
  ["pair", "list"],
  ["backup", "copy.db"],
  ["serve", "--pair-extension"],
])("works on the service that `ask` finds here: %s %s", async (...args) => {
  const run = await runIn(project, args);
  expect(run).toMatchObject({ code: 0 });
});

it("swaps a credential of what was added here", async () => {
  const cli = async (...args: string[]) => {
    const run = await runIn(project, args);
    expect(run, args.join(" ")).toMatchObject({ code: 0 });
    return run.stdout;
  };
  const id = (json: string): string => String((JSON.parse(json) as { id: number }).id);
  const connector = id(await cli("connector", "add", "web", "Docs", "--json"));
  const first = id(await cli("credential", "add", "web", "one", "--json"));
  const second = id(await cli("credential", "add", "web", "two", "--json"));
  await cli("pair", "add", "Docs", "--connector", connector, "--credential", first, "--access", "private");
  expect(await cli("credential", "swap", second, connector)).toContain("swapped");
});
