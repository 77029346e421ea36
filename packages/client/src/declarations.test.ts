import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { temporaryFolder } from "@threadlore/testkit";
import { describe, expect, it } from "vitest";

const home = dirname(import.meta.dirname);
const tsc = join(home, "../../node_modules/typescript/bin/tsc");

/** What somebody writes who has neither the page's types nor Node's; an import from every entry. */
const CONSUMER = `
import { createClient, RateLimitError, resolveBaseUrl, type ClientOptions } from "@threadlore/client";
import { acknowledge, type SentDocument } from "@threadlore/client/acknowledgement";
import { createAdminClient } from "@threadlore/client/admin";
import { createConversations } from "@threadlore/client/conversations";
import { delay } from "@threadlore/client/delay";
import { createDeployment, permissionsOf } from "@threadlore/client/deployment";
import { diagnose } from "@threadlore/client/diagnose";
import { SendMessageRequest, type SendMessageInput } from "@threadlore/client/models";
import { createResources } from "@threadlore/client/resources";

const options: ClientOptions = { baseUrl: "https://service.test/api", apiKey: "key", timeouts: { idleMs: 5 } };

export async function ask(question: SendMessageInput, sent: SentDocument): Promise<string> {
  let text = "";
  await delay(1);
  try {
    for await (const packet of createClient(options).streamMessage(question)) {
      if ("obj" in packet && packet.obj.type === "message_delta") text += packet.obj.content;
    }
  } catch (error) {
    if (error instanceof RateLimitError) return error.retryAt?.toISOString() ?? "";
  }
  const found = await diagnose({ ...options, needs: ["ask"] });
  const { state } = await resolveBaseUrl({ baseUrl: options.baseUrl });
  const { methods } = await createAdminClient(options).validateTool({ definition: {} });
  const { chat } = permissionsOf(await createDeployment(options).whoami());
  await createConversations(options).renameSession("id", (await createResources(options).version()).trim());
  SendMessageRequest.parse(question);
  return [text, state, found.length, methods.length, chat, await acknowledge(sent)].join();
}
`;

/** Compiles `source` beside the packed declarations, and gives what the compiler says. */
function compiled(folder: string, source: string): string {
  writeFileSync(join(folder, "consumer.ts"), source);
  const strictness = { strict: true, skipLibCheck: false };
  const compilerOptions = {
    ...strictness,
    lib: ["es2020"],
    types: [],
    target: "es2020",
    module: "nodenext",
    noEmit: true,
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["consumer.ts"] }));
  try {
    return execFileSync(process.execPath, [tsc, "-p", folder], { encoding: "utf8" });
  } catch (error) {
    return String(Reflect.get(Object(error), "stdout"));
  }
}

/** A folder with the client in it as it is published, beside its dependencies. */
function folderWithClient(): string {
  const folder = temporaryFolder();
  const packed = join(folder, "node_modules/@threadlore/client");
  mkdirSync(packed, { recursive: true });
  const build = ["-p", join(home, "tsconfig.build.json"), "--emitDeclarationOnly", "--outDir", join(packed, "dist")];
  execFileSync(process.execPath, [tsc, ...build, "--tsBuildInfoFile", join(folder, "buildinfo")]);
  const manifest = JSON.parse(readFileSync(join(home, "package.json"), "utf8"));
  writeFileSync(join(packed, "package.json"), JSON.stringify({ ...manifest, exports: manifest.publishConfig.exports }));
  for (const name of Object.keys(manifest.dependencies)) {
    symlinkSync(realpathSync(join(home, "node_modules", name)), join(folder, "node_modules", name));
  }
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }));
  return folder;
}

describe("the client's declarations", () => {
  it("compile for whoever has ES2020 alone, with the libraries checked, and still tell a mistake", () => {
    const folder = folderWithClient();
    expect(compiled(folder, CONSUMER)).toBe("");
    const mistaken = CONSUMER.replace('needs: ["ask"]', 'needs: ["sing"]');
    expect(compiled(folder, mistaken)).toContain('"sing"');
    // One entry alone has what it needs too.
    const models = 'import { Tag } from "@threadlore/client/models";\nexport const { tag_key: key } = Tag.parse({});\n';
    expect(compiled(folder, models)).toBe("");
  }, 120_000);
});
