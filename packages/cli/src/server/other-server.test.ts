import { startFaultServer } from "@threadlore/testkit";
import { expect, it } from "vitest";
import { newHome, runCli } from "../testing/spawn-cli.ts";

it("sends THREADLORE_API_KEY to no other origin than THREADLORE_URL names", async () => {
  const other = await startFaultServer([{ status: 401, json: { detail: "no key" } }]);
  const env = { THREADLORE_URL: "http://127.0.0.1:9/api", THREADLORE_API_KEY: "tl_TESTcanary" };
  const args = ["ask", "--url", `${other.url}/api`, "Who keeps the kettle?"];
  const refused = await runCli(args, { home: newHome(), env });
  expect(refused.code).toBe(4);
  expect(other.requests.map((request) => request.headers["authorization"])).toEqual(
    other.requests.map(() => undefined),
  );
  expect(other.requests.length).toBeGreaterThan(0);
  await other.close();
});

it("escapes in --json what a terminal would act on", async () => {
  const server = await startFaultServer([{ status: 400, json: { detail: "a\u009b31m b\u202e c\u2028" } }]);
  const env = { THREADLORE_URL: `${server.url}/api`, THREADLORE_API_KEY: "tl_TESTkey" };
  const run = await runCli(["ask", "--json", "x\u009bx"], { home: newHome(), env });
  expect(run.stdout).not.toMatch(/[\u007f-\u009f\u2028-\u202e]/);
  expect(JSON.parse(run.stdout)).toMatchObject({ ok: false });
  await server.close();
});
