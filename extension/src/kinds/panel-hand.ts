import type { Locator, Page } from "playwright-core";
import type { ExtensionBrowser } from "../testing/chromium.ts";
import { until } from "../testing/until.ts";
import { outboxOf } from "../testing/worker-state.ts";

/** An answer as a person sees it in the panel. */
export interface SeenAnswer {
  /** The answer itself: without how it was looked for, and what could be asked next. */
  readonly text: string;
  /** What was said beside it: what was not read, what was left out. */
  readonly notes: string;
  /** What its numbers open, and its list of sources where it has no numbers. */
  readonly citations: readonly SeenCitation[];
}

/** A source as it can be opened. */
export interface SeenCitation {
  readonly title: string;
  /** Where it leads, down to the passage. */
  readonly href: string;
}

/** What became of keeping a page. */
export interface SeenKeeping {
  /** What the panel asked before it kept the page, or said instead of keeping it; "" for nothing. */
  readonly said: string;
  readonly wasAsked: boolean;
  readonly isKept: boolean;
}

/** Longest wait for anything in the panel, milliseconds. */
const MAX_WAIT = 120_000;

/** A panel of a test's browser, worked as a person works it. Its words are English. */
export class PanelHand {
  readonly #browser: ExtensionBrowser;
  readonly #panel: Page;

  constructor(browser: ExtensionBrowser, panel: Page) {
    this.#browser = browser;
    this.#panel = panel;
    // A whole run may share its machine with others.
    panel.setDefaultTimeout(MAX_WAIT);
  }

  /** Says what is asked: the page in front, or what the company knows. */
  async choose(what: "page" | "company"): Promise<void> {
    // One of the two is always on.
    if (what === "page") await this.#takeAlong(true);
    await this.#turn(this.#switch(/^Company knowledge/), what === "company");
    if (what === "company") await this.#takeAlong(false);
  }

  /** Waits until the panel knows that a page of this host is in front. */
  async sees(host: string): Promise<void> {
    await this.#panel.locator(`.switch.page[title*="${host}"]`).waitFor();
  }

  /** Asks in a conversation of its own, and waits for the whole answer. */
  async ask(question: string): Promise<SeenAnswer> {
    const panel = this.#panel;
    await panel.getByRole("button", { name: "New conversation" }).click();
    await panel.locator(".turn").first().waitFor({ state: "detached" });
    await panel.getByRole("textbox", { name: "Your question" }).fill(question);
    await panel.getByRole("textbox", { name: "Your question" }).press("Enter");
    const turn = panel.locator(".turn").last();
    await turn.and(panel.locator('[aria-busy="false"]')).waitFor();
    const seen = await turn.evaluate((element) => {
      const without = element.querySelector(".answer")?.cloneNode(true) as Element;
      for (const one of without.querySelectorAll(".page-notes, .sources, .answer-bar, .steps, .follow-ups"))
        one.remove();
      const links = Array.from(element.querySelectorAll<HTMLAnchorElement>(".sources > ol a"));
      return {
        text: without.textContent ?? "",
        notes: element.querySelector(".page-notes")?.textContent ?? "",
        sources: links.map((link) => ({ title: link.textContent ?? "", href: link.href })),
      };
    });
    const chips = turn.locator(".answer .chip");
    const opened: SeenCitation[] = [];
    for (let at = 0; at < Math.min(2, await chips.count()); at++) {
      await chips.nth(at).click();
      const link = panel.locator(".card .card-open");
      const title = (await panel.locator(".card .card-title").textContent()) ?? "";
      opened.push({ title, href: (await link.count()) > 0 ? ((await link.getAttribute("href")) ?? "") : "" });
      await panel.keyboard.press("Escape");
    }
    const { text, notes, sources } = seen;
    return { text, notes, citations: opened.length > 0 ? opened : sources };
  }

  /** Keeps the page in front, and agrees where that is asked. */
  async keep(): Promise<SeenKeeping> {
    const panel = this.#panel;
    const offer = panel.locator(".bar").getByRole("button", { name: "Keep this page" });
    if (!(await offer.isEnabled())) return { said: await this.#footSays(), wasAsked: false, isKept: false };
    const before = new Set((await outboxOf(this.#browser)).map(({ key }) => key));
    await offer.click();
    const agree = panel.getByRole("button", { name: "Keep it", exact: true });
    let said = "";
    const result = await until(
      "the page is kept or refused",
      async () => {
        if (said === "" && (await agree.isVisible())) {
          said = await panel.locator(".consent").innerText();
          await agree.click();
        }
        // What was kept before may be sent meanwhile.
        if ((await outboxOf(this.#browser)).some(({ key }) => !before.has(key))) return "kept";
        return (await panel.locator(".keep-line", { hasText: "Try again" }).isVisible()) && "refused";
      },
      MAX_WAIT,
    );
    const isKept = result === "kept";
    return { said: isKept ? said : await this.#footSays(), wasAsked: said !== "", isKept };
  }

  #footSays(): Promise<string> {
    return this.#panel.locator(".foot").innerText();
  }

  #switch(name: RegExp): Locator {
    return this.#panel.getByRole("switch", { name });
  }

  /** Has the page go along, or leaves it out, where that is not so already. */
  async #takeAlong(isWanted: boolean): Promise<void> {
    const button = this.#panel.getByRole("button", { name: isWanted ? "Ask this page too" : "Leave this page out" });
    if (await button.isVisible()) await button.click();
  }

  async #turn(one: Locator, isOn: boolean): Promise<void> {
    if ((await one.getAttribute("aria-checked")) !== String(isOn)) await one.click();
  }
}
