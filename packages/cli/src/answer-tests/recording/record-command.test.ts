import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createClient } from "@threadlore/client";
import { createDeployment } from "@threadlore/client/deployment";
import { createGaps } from "@threadlore/client/gaps";
import { createGoodAnswers } from "@threadlore/client/good-answers";
import { documentFromThread } from "@threadlore/documents";
import { temporaryFolder } from "@threadlore/testkit";
import { describe, expect, it } from "vitest";
import { InterruptedError } from "../../exit-codes.ts";
import { deployed, personAt } from "../../testing/deployed.ts";
import { type HereOptions, runHere } from "../../testing/in-process.ts";
import { byAddress, serve } from "../../testing/replaced-server.ts";
import { parseTests } from "../tests-file.ts";

const CANARY = "Kanarienvogel";
const LEAVE = "How many days of annual leave does everyone have?";
const BOAT = "Where is the spare key of the boat house?";
const TRAVEL = "Who signs the travel form for Norway?";
const FERRY = "When does the ferry to Bergen leave?";
const UNKNOWN = "Which insurance covers rented trombones abroad?";
const WRONG = "How heavy is the bronze anchor in the yard?";

/** A service in which people asked, marked, kept and pinned. */
async function company() {
  const home = temporaryFolder();
  const serving = await serve(join(home, "data"));
  const server = { baseUrl: serving.url, apiKey: serving.apiKey ?? "" };
  const client = createClient(server);
  const [gaps, good] = [createGaps(server), createGoodAnswers(server)];
  const put = async (id: string, text: string, title = `${id}.md`) =>
    client.ingest({ document: { id, semantic_identifier: title, source: "file", sections: [{ text }] } });
  const said = async (
    ts: string,
    kind: "public" | "private",
    how: "pinned" | "answer",
    title: string,
    text: string,
  ) => {
    const author = { name: "Ada" };
    const { document } = documentFromThread({
      team: "T",
      channel: { id: kind === "public" ? "C1" : "G1", name: "boats", kind },
      ts,
      title,
      how,
      keptBy: author,
      messages: [{ ts, text, author, permalink: `https://t.slack.com/archives/C1/p${ts.replace(".", "")}` }],
    });
    await client.ingest({ document });
    return document.id ?? "";
  };
  await put("leave", "Everyone has 28 days of annual leave a year.");
  await put("boat", "The spare key of the boat house hangs behind the door.");
  await put("tides", "The tides of the harbour stand in the blue book.");
  const pin = await said("1700000000.000100", "public", "pinned", FERRY, "The ferry to Bergen leaves at 7:40.");
  const kept = await said(
    "1700000001.000100",
    "public",
    "answer",
    TRAVEL,
    "The travel form for Norway is signed by Bo.",
  );
  await said("1700000002.000100", "private", "pinned", `${CANARY} pinned?`, `The ${CANARY} is pinned in private.`);
  await said("1700000003.000100", "private", "answer", `${CANARY} kept?`, `The ${CANARY} is kept in private.`);
  await serving.listening.service.drain();
  await good.note({ ref: "g1", question: LEAVE, asker: "T:U1", document_ids: ["leave"] });
  await good.note({ ref: "g2", question: WRONG, asker: "T:U1", document_ids: ["tides"] });
  const noted = { asker: "T:U2", reason: "nothing" as const };
  const closed = await gaps.note({ ...noted, ref: "q1", question: BOAT, is_shared: true });
  await gaps.note({ ...noted, ref: "q2", question: `${BOAT} ${CANARY}`, is_shared: false, asker: "T:U3" });
  await gaps.close(closed.gap_id, "boat");
  await gaps.note({ ...noted, ref: "q3", question: UNKNOWN, is_shared: true });
  await gaps.note({ ...noted, ref: "q4", question: `Is the ${CANARY} ill?`, is_shared: false });
  const run = (args: readonly string[], options: Partial<HereOptions> = {}) => {
    const at = byAddress(home, serving);
    return runHere(["test", ...args], { ...at, ...options, env: { ...at.env, ...options.env } });
  };
  const file = (): string => readFileSync(join(home, "answers.yaml"), "utf8");
  return { home, serving, server, run, file, pin, kept, good, gaps, put };
}

describe("threadlore test record", () => {
  it("writes what people marked, closed, kept and pinned as tests that pass, what fails now as a comment, and nothing private", async () => {
    const { run, file, pin, kept, server } = await company();
    const shown = await run(["record", "-"]);
    const first = await run(["record", "answers.yaml", "--open-gaps"]);
    expect([first.code, first.stdout]).toEqual([0, ""]);
    expect(first.stderr).toContain(`Fails now: ${WRONG}: must`);
    expect(first.stderr).toContain("2 messages are left out: not everybody in the company may read");
    expect(first.stderr).toContain("Wrote 5 tests to answers.yaml, and 1 that fails now as comments.");
    const text = file();
    expect(parseTests(text, "answers.yaml").map(({ id, ask, expected }) => [id.split("-")[0], ask, expected])).toEqual([
      ["good", LEAVE, expect.objectContaining({ cites: [["leave"]] })],
      ["gaps", BOAT, expect.objectContaining({ cites: [["boat"]] })],
      ["kept", TRAVEL, expect.objectContaining({ cites: [[kept]] })],
      ["pins", FERRY, expect.objectContaining({ cites: [[pin]] })],
      ["open", UNKNOWN, expect.objectContaining({ refuses: true, cites: [] })],
    ]);
    expect(text).toContain(`  #   ask: "${WRONG}"`);
    expect(text.startsWith(shown.stdout)).toBe(true);
    for (const told of [text, first.stderr, shown.stdout, shown.stderr]) expect(told).not.toContain(CANARY);
    expect(await run(["answers.yaml"])).toMatchObject({ code: 0, stdout: expect.stringMatching(/^5 passed/) });
    const { sessions } = await createDeployment(server).listSessions();
    expect(sessions).toEqual([]);
  });

  it("adds what is new behind what people wrote, and nothing twice", async () => {
    const { run, file, home, good } = await company();
    const mine = `# Ours\ntests:\n  - ask:   ${LEAVE}   # first\n    says: "28 days"\n`;
    writeFileSync(join(home, "answers.yaml"), mine);
    const dry = await run(["record", "answers.yaml", "--dry-run", "--from", "gaps", "--from", "pins"]);
    expect([dry.code, file()]).toEqual([0, mine]);
    expect(dry.stderr).toContain("2 tests would be added.");
    await run(["record", "answers.yaml"]);
    const once = file();
    expect(once.startsWith(mine)).toBe(true);
    expect(parseTests(once, "").filter(({ ask }) => ask === LEAVE)).toHaveLength(1);
    expect(await run(["record", "answers.yaml"])).toMatchObject({
      code: 0,
      stderr: expect.stringContaining("There is nothing to record that is not there already."),
    });
    expect(file()).toBe(once);
    await good.note({ ref: "g3", question: "- yes: no #1 'x'\u0007", asker: "T:U1", document_ids: ["leave"] });
    const json = await run(["record", "answers.yaml", "--no-check", "--json"]);
    expect(JSON.parse(json.stdout)).toMatchObject({
      ok: true,
      is_written: true,
      tests: [{ from: "good", ask: "- yes: no #1 'x'\u0007", cites: ["leave"] }],
      failing: [],
    });
    expect(parseTests(file(), "").at(-1)?.ask).toBe("- yes: no #1 'x'\u0007");
  });

  it("writes nothing where nothing passes, nothing can be added, or somebody stops it", async () => {
    const { run, home } = await company();
    const path = join(home, "answers.yaml");
    writeFileSync(path, "tests: [One?]\n");
    expect(await run(["record", "answers.yaml"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("Nothing can be added behind the tests of answers.yaml"),
    });
    expect(readFileSync(path, "utf8")).toBe("tests: [One?]\n");
    const stopped = await run(["record", "new.yaml"], { interrupted: AbortSignal.abort(new InterruptedError()) });
    expect([stopped.code, existsSync(join(home, "new.yaml"))]).toEqual([130, false]);
    expect(await run(["record", "new.yaml", "--from", "nobody"])).toMatchObject({ code: 2 });
  });

  it("says where there is nothing to make tests of, and makes the folder of a file", async () => {
    const { run, home, good } = await company();
    const nothing = await run(["record", "new.yaml", "--from", "gaps", "--from", "good"]);
    expect(nothing.stderr).not.toContain("There is nothing to record yet");
    for (const ref of ["g1", "g2"]) await good.forget(ref);
    const none = await run(["record", "none.yaml", "--from", "good"]);
    expect([none.code, existsSync(join(home, "none.yaml"))]).toEqual([0, false]);
    expect(none.stderr).toContain("There is nothing to record yet.");
    expect((await run(["record", "tests/of/gaps.yaml", "--from", "gaps"])).code).toBe(0);
    expect(readFileSync(join(home, "tests/of/gaps.yaml"), "utf8")).toContain(BOAT);
  });

  it("needs an admin key, and says of a server what it does not have", async () => {
    const { run, home, serving } = await company();
    const data = ["--data", join(home, "data")];
    const { stdout } = await runHere(["key", "add", "bot", "--role", "ordinary", ...data], { home });
    const key = stdout.trim().split(/\s/)[0] ?? "";
    const refused = await run(["record", "new.yaml"], { env: { THREADLORE_API_KEY: key } });
    expect(refused.code).toBe(4);
    expect(refused.stderr).toContain("what people asked is for administrators");
    expect(existsSync(join(home, "new.yaml"))).toBe(false);
    expect(serving.url).not.toBe("");
    const person = await personAt(await deployed());
    const { code, stderr } = await person.run(["test", "record", "new.yaml"]);
    expect(code).toBe(0);
    for (const what of ["good answers", "gaps", "kept answers"])
      expect(stderr).toContain(`This server has no ${what}.`);
  });
});
