import { spawn } from "node:child_process";
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { browserProgram } from "@threadlore/testkit/browser";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { temporaryFolder } from "@threadlore/testkit";
import { bareEnvironment } from "./testing/bare-environment.ts";

const START = join(import.meta.dirname, "start.ts");
const PATIENCE = { timeout: 120_000, interval: 200 };

const program = await browserProgram();

/** The browser with a door for this test: what `start` opens has none. */
function withDoor(path: string): string {
  const script = join(temporaryFolder(), "browser");
  writeFileSync(script, `#!/bin/sh\nexec "${path}" "$@" --remote-debugging-port=0\n`);
  chmodSync(script, 0o755);
  return script;
}

interface Started {
  readonly output: () => string;
  readonly stop: () => Promise<number | null>;
}

/** `start --browser` in a process of its own, until it has said that the browser is open. */
async function started(folder: string, path: string): Promise<Started> {
  const home = temporaryFolder();
  const child = spawn(process.execPath, [START, "--browser", "--no-chat", "--port", "0", "--data", folder], {
    cwd: home,
    env: { ...bareEnvironment(home), CHROME_PATH: path },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (text: Buffer) => (output += text.toString()));
  const end = new Promise<number | null>((resolve) => child.once("close", resolve));
  // Whatever becomes of the test, nothing of it stays.
  onTestFinished(async () => {
    child.kill("SIGINT");
    await end;
  });
  await vi.waitFor(() => expect(output).toContain("Ctrl-C stops everything"), PATIENCE);
  return {
    output: () => output,
    stop: () => {
      child.kill("SIGINT");
      return end;
    },
  };
}

/** A connection to the browser that uses this data: pages the browser opened by itself show up in a new one only. */
async function connect(folder: string): Promise<Browser> {
  const port = readFileSync(join(folder, "browser/DevToolsActivePort"), "utf8").split("\n")[0];
  return chromium.connectOverCDP(`http://127.0.0.1:${port}`);
}

const pagesOf = (browser: Browser): Page[] => browser.contexts().flatMap((context) => context.pages());

/** A click on the extension's icon, and the panel it opens. */
async function openPanel(folder: string, browser: Browser): Promise<Page> {
  const session = await browser.newBrowserCDPSession();
  const { targetInfos } = await session.send("Target.getTargets", { filter: [{}] });
  const worker = targetInfos.find(({ type }) => type === "service_worker");
  const tab = targetInfos.find(({ type, url }) => type === "tab" && url.startsWith("http://127.0.0.1"));
  const id = new URL(worker?.url ?? "").host;
  const click = session as unknown as { send(method: string, parameters: object): Promise<unknown> };
  await click.send("Extensions.triggerAction", { id, targetId: tab?.targetId });
  return vi.waitUntil(async () => {
    const view = await connect(folder);
    const panel = pagesOf(view).find((page) => page.url().endsWith("/sidepanel.html"));
    if (panel === undefined) await view.close();
    return panel;
  }, PATIENCE);
}

describe.runIf(program !== undefined)("start --browser", { timeout: 300_000 }, () => {
  const browsers: Browser[] = [];
  afterAll(() => Promise.all(browsers.map((browser) => browser.close())));

  it("opens a browser whose panel answers about the page and from the handbook, and ends with it", async () => {
    const folder = temporaryFolder();
    const first = await started(folder, withDoor(program ?? ""));
    expect(first.output()).toContain("paired with this service");
    const browser = await connect(folder);
    browsers.push(browser);
    expect(pagesOf(browser).map((page) => new URL(page.url()).protocol)).toEqual(["http:"]);
    expect(await pagesOf(browser)[0]?.title()).toBe("Open Harbour Day in Peniche · Tidewell");

    const panel = await openPanel(folder, browser);
    panel.setDefaultTimeout(60_000);
    await panel.getByText("Open Harbour Day in Peniche").first().waitFor();
    const ask = async (question: string): Promise<string> => {
      await panel.getByRole("textbox", { name: "Your question" }).fill(question);
      await panel.keyboard.press("Enter");
      const turn = panel.locator(".turn").filter({ hasText: question });
      await turn.and(panel.locator('[aria-busy="false"]')).waitFor();
      return turn.innerText();
    };
    const [, suggested = ""] = /and ask: (.+\?)/.exec(first.output()) ?? [];
    expect(await ask(suggested)).toContain("11:00 and 15:00");
    const fromHandbook = await ask("Which document says when carried over leave days lapse?");
    expect(fromHandbook).toContain("31 March");
    expect(fromHandbook).toContain("Leave and holidays");
    await expect.poll(() => panel.getByRole("button", { name: /^Source \d+: / }).count()).toBeGreaterThan(0);

    expect(await first.stop()).toBe(0);
    expect(first.output()).toMatch(/\nStopped\. What it knows is kept\.\n$/);
    await vi.waitFor(() => expect(browser.isConnected()).toBe(false), PATIENCE);
  });
});
