import { join } from "node:path";
import { expect, it } from "vitest";
import { startServing } from "./serving.ts";
import { runIn } from "../testing/in-process.ts";
import { newHome } from "../testing/spawn-cli.ts";

it("warns when keys of one user, who share conversations, see different document sets", async () => {
  const home = newHome();
  const first = await startServing({ folder: join(home.folder, ".local/share/threadlore"), port: 0 });
  await first.close();
  await runIn(home, ["document-set", "add", "open", "--pair", "1"]);
  const add = (...args: string[]) => runIn(home, ["key", "add", ...args]);
  const plain = await add("dm", "--user", "bot");
  expect(plain).toMatchObject({ code: 0, stderr: expect.not.stringContaining("share conversations") });
  expect((await add("same", "--user", "bot")).stderr).not.toContain("share conversations");
  expect((await add("channel", "--user", "channel-bot", "--document-set", "open")).stderr).not.toContain("share");
  const shared = await add("channel 2", "--user", "bot", "--document-set", "open");
  expect(shared.stderr).toContain("give it a user of its own with --user");
});
