import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@threadlore/testkit";
import { describe, expect, it } from "vitest";
import { databaseUrl } from "./database-url.ts";
import { modelFromEnvironment } from "./serve-settings.ts";

const URL = "postgres://threadlore:s3cret-word@db.example/threadlore";

/** A folder with a file that holds a secret, and what a command sees of it. */
function place(text: string, mode = 0o600) {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "secret"), text);
  chmodSync(join(folder, "secret"), mode);
  const hidden: string[] = [];
  const terminal = (env: Record<string, string>) => ({ env, folder, hide: (one: string) => void hidden.push(one) });
  return { hidden, terminal };
}

describe("a secret of the service", () => {
  it("may stand in a file that the variable with _FILE behind it names, relative to the folder, and is hidden alike", () => {
    const { terminal, hidden } = place(`${URL}\n`);
    expect(databaseUrl(terminal({ DATABASE_URL_FILE: "secret" }))).toBe(URL);
    expect(hidden).toContain("s3cret-word");
    const env = { MODEL_BASE_URL: "http://127.0.0.1:1/v1", MODEL_NAME: "small", MODEL_API_KEY_FILE: "secret" };
    expect(modelFromEnvironment(place("sk-of-the-model\n").terminal(env))?.apiKey).toBe("sk-of-the-model");
  });

  it("is refused in plain words where others can read it, where it is empty, missing, or said twice; never shown", () => {
    const said = (made: ReturnType<typeof place>, env: Record<string, string>): string => {
      try {
        return String(databaseUrl(made.terminal(env)));
      } catch (error) {
        return error instanceof Error ? error.message : "";
      }
    };
    const file = { DATABASE_URL_FILE: "secret" };
    expect(said(place(URL, 0o644), file)).toMatch(/^DATABASE_URL_FILE: others on this machine can read .* chmod 600 /);
    expect(said(place(" \n"), file)).toContain("is empty: write the secret into it");
    expect(said(place(URL), { DATABASE_URL_FILE: "nothing" })).toContain("cannot be read (ENOENT)");
    expect(said(place(URL), { ...file, DATABASE_URL: URL })).toBe(
      "DATABASE_URL and DATABASE_URL_FILE are both set: keep one.",
    );
    for (const env of [file, { ...file, DATABASE_URL: URL }]) {
      expect(said(place(URL, 0o644), env)).not.toContain("s3cret-word");
    }
  });
});
