/**
 * The protocol's own suite, its newest version (`@modelcontextprotocol/conformance`): what a server does by itself against
 * the shipped service, over a socket; what it wants to find on a server against these fixtures, served as the service is.
 */
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { statelessEndpoint } from "@threadlore/mcp/http";
import { afterThisFile } from "@threadlore/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { failuresIn, type Outcome, outcomeOf, scenarios, SUITE_MS } from "./conformance.harness.ts";
import { fixtureServer } from "./suite-fixtures.harness.ts";
import { OWNER_KEY, overSocket } from "../service.harness.ts";

/** The stateless revision, and all else in the newest one it is in: the revision before. */
const REVISIONS = ["2026-07-28", undefined] as const;

/** Those that need nothing but a server of any kind: the shipped one passes them. */
const OF_ANY_SERVER = [
  "server-initialize",
  "server-session-lifecycle",
  "server-stateless",
  "ping",
  "tools-list",
  "server-sse-polling",
  "server-sse-multiple-streams",
  "resources-list",
  "sep-2164-resource-not-found",
  "sep-2640-skills-directory",
  "sep-2640-skills-enumeration",
  "sep-2640-skills-manifest",
  "prompts-list",
  "dns-rebinding-protection",
  "caching",
  "http-header-validation",
  "input-required-result-unsupported-methods",
];

interface Expected {
  readonly name: string;
  readonly reason: string;
}

/** Lines such as `scenario # why it fails`. */
const EXPECTED: readonly Expected[] = readFileSync(new URL("expected-failures.txt", import.meta.url), "utf8")
  .split("\n")
  .filter((line) => line.trim() !== "")
  .map((line) => {
    const [, name = line, reason = ""] = /^(\S+) +# +(.+)$/.exec(line) ?? [];
    return { name, reason };
  });

let all: string[];
let shipped: Outcome[];
let fixtures: Outcome[];

beforeAll(async () => {
  const { url, close } = await overSocket.open();
  afterThisFile(close);
  const served = await serveFixtures();
  // All at once: most of the time the suite waits for what must not come.
  [all, shipped, fixtures] = await Promise.all([
    scenarios(),
    Promise.all(REVISIONS.map((revision) => outcomeOf(`${url}/mcp`, OWNER_KEY, revision))),
    Promise.all(REVISIONS.map((revision) => outcomeOf(served, OWNER_KEY, revision))),
  ]);
}, SUITE_MS);

async function serveFixtures(): Promise<string> {
  const endpoint = statelessEndpoint(fixtureServer);
  const listener = getRequestListener((request) => endpoint.fetch(request, undefined), {
    overrideGlobalObjects: false,
  });
  // Never ends a connection by itself: a program that is slow to notice would send its next request into nothing.
  const server = createServer({ keepAliveTimeout: 0 }, (incoming, outgoing) => void listener(incoming, outgoing));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  afterThisFile(async () => {
    await endpoint.close();
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}

/** What failed, but for what is expected to. */
function unexpected(scenario: string, failed: ReadonlyMap<string, string>): [check: string, why: string][] {
  const names = EXPECTED.map(({ name }) => name);
  return names.includes(scenario) ? [] : [...failed].filter(([check]) => !names.includes(check));
}

describe("the protocol's suite for servers", () => {
  it("has run every scenario it knows, on either", () => {
    const known = (outcomes: readonly Outcome[]) => [...new Set(outcomes.flatMap((one) => [...one.keys()]))].toSorted();
    expect(all.length).toBeGreaterThan(60);
    expect(known(shipped)).toEqual(all.toSorted());
    expect(known(fixtures)).toEqual(all.toSorted());
  });

  it.each(OF_ANY_SERVER)("passes on the shipped service: %s", (scenario) => {
    expect(shipped.flatMap((outcome) => outcome.get(scenario) ?? [])).not.toEqual([]);
    // What needs a fixture is looked at with the fixtures.
    expect(unexpected(scenario, failuresIn(shipped, scenario, true))).toEqual([]);
  });

  it("passes on the fixtures, but for what is expected to fail", () => {
    const ours = all.filter((scenario) => !OF_ANY_SERVER.includes(scenario) || scenario === "server-stateless");
    expect(ours.flatMap((scenario) => unexpected(scenario, failuresIn(fixtures, scenario)))).toEqual([]);
  });

  it("is expected to fail nowhere without a reason, and nowhere that it passes", () => {
    expect(EXPECTED.filter(({ reason }) => reason.split(" ").length < 8)).toEqual([]);
    const passed = EXPECTED.filter(({ name }) => {
      const [scenario = "", check] = name.split(":");
      const failed = failuresIn([...shipped, ...fixtures], scenario);
      return check === undefined ? failed.size === 0 : !failed.has(name);
    });
    expect(passed).toEqual([]);
  });
});
