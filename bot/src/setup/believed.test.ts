import { chownSync, lchownSync, linkSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@threadlore/testkit";
import { describe, expect, it } from "vitest";
import { believed } from "./believed.ts";

const isRoot = process.getuid?.() === 0;
const ACCOUNT = isRoot ? 65_534 : (process.getuid?.() ?? 0);

/** An installation whose settings and secrets are the account's, as earlier versions made them; and a file of somebody else's. */
function installed() {
  const folder = temporaryFolder();
  const places = { account: "bot", folder, state: folder, units: folder };
  const secrets = join(folder, "secrets");
  mkdirSync(secrets);
  const written = (path: string, text: string, uid = ACCOUNT): string => {
    writeFileSync(path, text);
    if (isRoot) chownSync(path, uid, uid);
    return path;
  };
  if (isRoot) chownSync(secrets, ACCOUNT, ACCOUNT);
  const settings = written(join(folder, "environment"), "");
  const others = written(join(folder, "shadow"), "root's own", 0);
  return { places, secrets, settings, others, written };
}

describe.skipIf(process.platform === "win32")("what root believes of an earlier setup", () => {
  it("is the account's own files of secrets, and what stands in the settings themselves", () => {
    const { places, secrets, written } = installed();
    const key = written(join(secrets, "key"), "tl_kept\n");
    const said = { THREADLORE_KEY_FILE: key, THREADLORE_URL: "https://a.test", THREADLORE_CA_FILE: "/etc/ca.pem" };
    expect(believed(said, places, 0)).toEqual({
      settings: { THREADLORE_KEY: "tl_kept\n", THREADLORE_URL: "https://a.test", THREADLORE_CA_FILE: "/etc/ca.pem" },
      refused: [],
    });
  });

  it("is no file elsewhere that the account could have named, of no setting at all", () => {
    const { places, secrets, others } = installed();
    const around = join(secrets, "..", "shadow");
    const said = { DATABASE_URL_FILE: others, ADMIN_CHANNEL_FILE: others, THREADLORE_KEY_FILE: around };
    expect(believed(said, places, 0)).toEqual({ settings: {}, refused: [others, others, around] });
  });

  it.runIf(isRoot)("is no link among the secrets, no second name of another's file, and no file of another's", () => {
    const { places, secrets, others, written } = installed();
    const [link, name, foreign] = ["database", "signing", "key"].map((file) => join(secrets, file)) as [
      string,
      string,
      string,
    ];
    symlinkSync(others, link);
    lchownSync(link, ACCOUNT, ACCOUNT);
    linkSync(others, name);
    written(foreign, "root's own", 0);
    const said = { DATABASE_URL_FILE: link, SLACK_SIGNING_SECRET_FILE: name, THREADLORE_KEY_FILE: foreign };
    expect(believed(said, places, 0)).toEqual({ settings: {}, refused: [link, name, foreign] });
  });

  it.runIf(isRoot)("is any file where the settings are root's", () => {
    const { places, settings, others } = installed();
    chownSync(settings, 0, ACCOUNT);
    const said = { DATABASE_URL_FILE: others };
    expect(believed(said, places, 0)).toEqual({ settings: said, refused: [] });
  });

  it("is all of it for whoever is not root, and reads nothing that is not theirs anyway", () => {
    const { places, others } = installed();
    const said = { DATABASE_URL_FILE: others };
    expect(believed(said, places, 1000)).toEqual({ settings: said, refused: [] });
  });
});
