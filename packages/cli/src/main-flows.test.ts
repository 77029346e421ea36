import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@threadlore/testkit";
import { describe, expect, it } from "vitest";
import { deployed, personAt } from "./testing/deployed.ts";
import { runHere } from "./testing/in-process.ts";
import { serve } from "./testing/replaced-server.ts";

/** A server as an administrator of it knows it. */
interface Place {
  /** As somebody types it. */
  readonly address: string;
  readonly key: string;
  readonly pair: string;
  /** A credential, and the connector that is to use it from now on. */
  readonly swap: readonly [string, string];
}

const PLACES: readonly (readonly [string, () => Promise<Place>])[] = [
  [
    "a deployed server",
    async () => {
      const server = await deployed();
      return { address: server.origin, key: server.keys.admin, pair: "3", swap: ["2", "1"] };
    },
  ],
  [
    "the embedded service",
    async () => {
      const data = temporaryFolder();
      const serving = await serve(data);
      const made = async (...args: string[]) =>
        (await runHere([...args, "--data", data], { home: data })).stdout.trim().split(/\s/)[0] ?? "";
      const connector = await made("connector", "add", "web", "Wiki");
      const [first, second] = [
        await made("credential", "add", "web", "Reader"),
        await made("credential", "add", "web", "Reader 2"),
      ];
      await made("pair", "add", "Wiki", "--connector", connector, "--credential", first);
      return { address: serving.url, key: serving.apiKey ?? "", pair: "1", swap: [second, connector] };
    },
  ],
];

const TOOL = {
  openapi: "3.0.0",
  info: { title: "Tides", description: "Tide tables" },
  servers: [{ url: "https://api.example.com" }],
  paths: { "/tides": { get: { operationId: "list.tides", summary: "List tides" } } },
};

describe.each(PLACES)("the terminal and %s", (_name, open) => {
  it("log in, look, add documents, ask, follow up, add what changed, swap a credential, check a tool", async () => {
    const { address, key, pair, swap } = await open();
    const home = temporaryFolder();
    // Nothing of the environment: all that follows lives on what login kept.
    const run = (args: readonly string[], input?: string) =>
      runHere(args, { home, ...(input !== undefined && { input }) });
    const person = personAt({ origin: address, keys: { admin: key, member: "", scoped: "", service: "" } }, key, home);

    const login = await run(["login", address, "--pair", pair], `${key}\n`);
    expect([login.code, login.stderr.trimEnd().split("\n").at(-1)]).toEqual([
      0,
      expect.stringContaining("Logged in to"),
    ]);
    expect(existsSync(join(home, ".config/threadlore/config.json"))).toBe(true);

    const doctor = await run(["doctor"]);
    expect([doctor.code, doctor.stdout]).toEqual([0, expect.stringMatching(/^ok {3}ingestion: /m)]);

    person.write("docs/gate.md", "# Gate\n\nThe harbour gate opens at 06:40.\n");
    person.write("docs/lamp.md", "# Lamp\n\nThe lamp on the breakwater burns colza oil.\n");
    const first = await run(["ingest", "docs"]);
    expect([first.code, first.stderr]).toEqual([0, expect.stringContaining("2 added.")]);

    const asked = await run(["ask", "When does the harbour gate open?"]);
    expect([asked.code, asked.stdout]).toEqual([0, expect.stringMatching(/06:40.*\[1\][^]*\nSources\n\[1\] Gate/)]);
    const begun = readFileSync(join(home, ".local/state/threadlore/conversations.json"), "utf8");

    const followed = await run(["ask", "-c", "--json", "Which oil does the lamp burn?"]);
    const document = JSON.parse(followed.stdout) as {
      answer: string;
      conversation: { chat_session_id: string };
      notes: [];
    };
    expect(document).toMatchObject({ answer: expect.stringContaining("colza"), notes: [] });
    expect(begun).toContain(document.conversation.chat_session_id);

    expect((await run(["ingest", "docs"])).stderr).toContain("2 unchanged.");
    person.write("docs/gate.md", "# Gate\n\nThe harbour gate opens at 07:10.\n");
    expect((await run(["ingest", "docs"])).stderr).toContain("1 updated, 1 unchanged.");
    expect((await run(["ask", "When does the harbour gate open?"])).stdout).toContain("07:10");

    const swapped = await run(["credential", "swap", ...swap]);
    expect([swapped.code, swapped.stdout]).toEqual([0, "Credential swapped successfully\n"]);

    const checked = await run(["tool", "validate", "-"], JSON.stringify(TOOL));
    expect([checked.code, checked.stdout]).toEqual([0, expect.stringContaining("list_tides  GET     /tides")]);
    const refused = await run(["tool", "validate", "-"], JSON.stringify({ ...TOOL, servers: [] }));
    expect([refused.code, refused.stderr]).toEqual([5, expect.stringMatching(/exactly one .*URL/i)]);
  });
});
