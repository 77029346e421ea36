import { fileURLToPath } from "node:url";
import { diagnose, type ServerFinding } from "@threadlore/client/diagnose";
import { afterThisTest, type DeployedServer, startDeployedServer } from "@threadlore/testkit";
import { parseMessagesFile } from "@wxt-dev/i18n/build";
import { describe, expect, it } from "vitest";
import { SUBJECTS } from "./subjects.ts";

const LOCALES = fileURLToPath(new URL("../../locales/", import.meta.url));

async function findingsOf(break_: (server: DeployedServer) => void = () => {}): Promise<readonly ServerFinding[]> {
  const server = await startDeployedServer();
  afterThisTest(() => server.close());
  break_(server);
  const keys = [server.keys.admin, server.keys.service];
  const all = keys.map((apiKey) => diagnose({ baseUrl: server.url, apiKey, needs: ["ask", "ingest"], ccPairId: 1 }));
  return (await Promise.all(all)).flat();
}

describe("what a diagnosis looks at has a name in each language", () => {
  it.each(["de", "en", "es", "fr", "ja"])("%s", async (language) => {
    const texts = await parseMessagesFile(`${LOCALES}${language}.yml`);
    for (const subject of Object.values(SUBJECTS)) {
      const text = texts.find(({ key }) => key.join(".") === subject);
      expect(text?.type === "simple" && text.message, subject).toBeTruthy();
    }
  });

  it("whatever it finds on a server, in order or not", async () => {
    const whole = await findingsOf();
    const broken = await findingsOf((server) => (server.faults.database = "down"));
    const found = [...new Set([...whole, ...broken].map(({ what }) => what))];
    expect(found).toEqual(expect.arrayContaining(["memory", "server", "base URL", "key"]));
    expect(found.filter((what) => !Object.hasOwn(SUBJECTS, what))).toEqual([]);
  });
});
