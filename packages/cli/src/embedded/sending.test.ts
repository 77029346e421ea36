import { join } from "node:path";
import { createClient } from "@threadlore/client";
import { Database } from "@threadlore/service";
import { afterThisTest } from "@threadlore/testkit";
import { describe, expect, it } from "vitest";
import { deployed, personAt } from "../testing/deployed.ts";
import { runIn } from "../testing/in-process.ts";
import { newHome } from "../testing/spawn-cli.ts";
import { startServing } from "./serving.ts";

/** A home with an embedded service's data: three documents in two pairs, one of them with a picture. */
async function filledHome() {
  const home = newHome();
  const folder = join(home.folder, ".local/share/threadlore");
  const serving = await startServing({ folder, port: 0 });
  await runIn(home, ["connector", "add", "web", "Wiki"]);
  await runIn(home, ["credential", "add", "web", "Reader"]);
  const added = await runIn(home, ["pair", "add", "Site", "--connector", "2", "--credential", "2"]);
  const pair = Number(added.stdout);
  const client = createClient({ baseUrl: serving.url, apiKey: serving.apiKey });
  const add = (id: string, of: number, text: string) =>
    client.ingest({
      document: {
        id,
        semantic_identifier: `Page ${id}`,
        sections: [{ text, link: `https://wiki.example/${id}` }],
        source: "web",
        metadata: { team: "ops" },
        doc_updated_at: "2026-01-02T00:00:00Z",
      },
      cc_pair_id: of,
    });
  await add("pump", pair, "The pump runs at forty bar.");
  await add("valve", pair, "The valve 翻訳 opens at noon.");
  await add("roof", 1, "The roof is green.");
  await serving.close();
  const db = new Database(join(folder, "threadlore.db"));
  const picture = [{ text: "The pump runs at forty bar." }, { image_file_id: "picture" }];
  db.run("UPDATE documents SET sections = ? WHERE id = 'pump'", JSON.stringify(picture));
  db.close();
  return { home, folder, pair };
}

describe("threadlore migrate --url", () => {
  it("sends every pair's documents to another service, once, and says what that one lists", async () => {
    const { home, pair } = await filledHome();
    const other = newHome();
    const target = await startServing({ folder: join(other.folder, "data"), port: 0 });
    afterThisTest(target.close);
    const env = { THREADLORE_API_KEY: target.apiKey ?? "" };
    const migrate = (...args: string[]) => runIn(home, ["migrate", "--url", target.url, ...args], { env });
    const unsaid = await migrate("--pair", `${pair}=1`);
    expect(unsaid).toMatchObject({ code: 2, stderr: expect.stringContaining("not said of 1 (Default, 1 documents)") });
    const sent = await migrate("--pair", `${pair}=1`, "--pair", "1=none", "--json");
    expect(sent.code).toBe(0);
    expect(JSON.parse(sent.stdout)).toMatchObject({
      ok: true,
      pairs: [
        { from: 1, to: null, counts: { created: 1 }, listed: 1, withoutPictures: 0 },
        { from: pair, to: 1, counts: { created: 2 }, listed: 2, withoutPictures: 1 },
      ],
    });
    await target.listening.service.drain();
    const answer = await runIn(other, ["ask", "--url", target.url, "When does the valve open?"], { env });
    expect(answer.stdout).toContain("opens at noon");
    const again = await migrate("--pair", `${pair}=1`, "--pair", "1=none");
    expect(again.stdout.split("\n")[2]).toMatch(/^2 +1 +0 +0 +2 +0 +0 +2 +1/);
    expect(await migrate("--pair", "two=1")).toMatchObject({ code: 2 });
  });

  it("sends them to a deployed server, and finds there what it says it took", async () => {
    const { home, folder, pair } = await filledHome();
    const server = await deployed();
    const person = personAt(server, server.keys.admin, home.folder);
    const { code, stdout, stderr } = await person.run([
      "migrate",
      "--data",
      folder,
      "--url",
      server.origin,
      "--pair",
      `${pair}=1`,
      "--pair",
      "1=none",
      "--json",
    ]);
    expect({ code, stderr }).toMatchObject({ code: 0 });
    const { pairs } = JSON.parse(stdout) as { pairs: { counts: Record<string, number> }[] };
    expect(pairs.map(({ counts }) => counts["created"])).toEqual([1, 2]);
  });
});
