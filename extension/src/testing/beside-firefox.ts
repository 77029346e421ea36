import { type Beside, type BesideOptions, MENU, type OwnPage, settingsFor } from "./beside.ts";
import { type FirefoxBrowser, type FirefoxPlace, type FirefoxTab, launchFirefox } from "./firefox.ts";
import { pairFirefox } from "./service.ts";
import { until } from "./until.ts";

/** The letters of the extension's shortcuts, which its manifest suggests. */
const KEYS = { "keep-page": "K", "ask-selection": "Q" } as const;

/** A page beside its panel, over Firefox and its sidebar. */
export async function besideInFirefox({ service, allowedSites }: BesideOptions): Promise<Beside> {
  const firefox = await launchFirefox({ ...(allowedSites && { allowedSites }) });
  if (service !== undefined && "pairingCode" in service) await pairFirefox(firefox, service);
  const beside = windowOf(firefox, firefox);
  if (service !== undefined && !("pairingCode" in service))
    await beside.setStored(settingsFor(service.url, service.settings));
  return beside;
}

/** Everything of one window, given its sidebar. */
function windowOf(firefox: FirefoxBrowser, place: FirefoxPlace): Beside {
  const { window } = place;
  let tab: FirefoxTab | undefined;
  const tabs = new Map<string, FirefoxTab>();
  const there = <One>(one: One | undefined): One => {
    if (one === undefined) throw new Error("Open a page first.");
    return one;
  };
  async function openSidebar(): Promise<void> {
    await window.clickAction();
    await until("the sidebar is open", () => window.sidebarCorner());
    await until("the sidebar is ready", () =>
      place.inSidebar((document) => document.querySelector("#question, .empty") !== null).catch(() => false),
    );
  }
  async function write(text: string, field = "#question"): Promise<void> {
    // A click puts the cursor somewhere: what is there is chosen after it.
    await place.clickInSidebar(field);
    await until("the field has the focus", () =>
      place.inSidebar((document, wanted) => {
        const fields = Array.from(document.querySelectorAll<HTMLInputElement>(wanted));
        fields.at(-1)?.select();
        return document.hasFocus() && document.activeElement === fields.at(-1);
      }, field),
    );
    await window.press(text === "" ? ["Backspace"] : [...text]);
  }
  return {
    async open(url) {
      await window.hideSidebar();
      const before = tab;
      tab = await firefox.openTab(url);
      tabs.set(url, tab);
      await openSidebar();
      if (before !== undefined) await firefox.closeTab(before);
    },
    async openTab(url) {
      tab = await firefox.openTab(url);
      tabs.set(url, tab);
    },
    async goTo(url) {
      tab = there(tabs.get(url));
      await firefox.bringToFront(tab);
    },
    tabsAt: async (url) => (await firefox.tabsAt(url)).length,
    isInFront: (url) => firefox.inPage(there(tabs.get(url)), () => document.visibilityState === "visible"),
    inPage: (work, ...words) => firefox.inPage(there(tab), work, ...words),
    chooseFromMenu: (entry, selector = "p") => firefox.chooseFromMenu(there(tab), selector, MENU[entry]),
    pressShortcut: (shortcut) => window.pressShortcut(KEYS[shortcut]),
    clickIcon: () => window.clickAction(),
    isOpen: async () => (await window.sidebarCorner()) !== undefined,
    inPanel: (work, ...words) => place.inSidebar(work, ...words) as never,
    click: (selector) => place.clickInSidebar(selector),
    press: (name) => place.pressInSidebar(name),
    keys: (...names) => window.press(names),
    write,
    async fill(label, text) {
      const field = await until(`there is a field “${label}”`, () =>
        place.inSidebar((document, wanted) => {
          const labels = Array.from(document.querySelectorAll("label"));
          return labels.findLast((one) => one.textContent === wanted)?.htmlFor;
        }, label),
      );
      await write(text, `[id="${field}"]`);
    },
    links: () =>
      place.inSidebar((document) => {
        const turn = Array.from(document.querySelectorAll(".turn")).at(-1);
        return Array.from(turn?.querySelectorAll<HTMLAnchorElement>("a[href]") ?? [], ({ href }) => href);
      }),
    store: (name) =>
      firefox.inExtension(
        (store) =>
          new Promise<unknown[]>((resolve, reject) => {
            const opening = indexedDB.open("threadlore");
            opening.addEventListener("error", () => reject(opening.error));
            opening.addEventListener("success", () => {
              const reading = opening.result.transaction(store).objectStore(store).getAll();
              reading.addEventListener("success", () => {
                resolve(reading.result);
                opening.result.close();
              });
            });
          }),
        name,
      ),
    async send(question) {
      await write(question);
      await window.press(["Enter"]);
    },
    text: () =>
      place.inSidebar((document) => {
        const shown = document.querySelector<HTMLElement>(".panel")?.innerText ?? "";
        return `${shown}\n${document.querySelector("textarea")?.value ?? ""}`;
      }),
    answered: () =>
      until("the answer is whole", () =>
        place.inSidebar((document) => {
          const turn = Array.from(document.querySelectorAll<HTMLElement>(".turn")).at(-1);
          return turn?.getAttribute("aria-busy") === "false" && turn.innerText;
        }),
      ),
    async reopen() {
      await window.hideSidebar();
      await openSidebar();
    },
    async resize(size) {
      await window.resizeSidebar(size);
      await until(`the sidebar is ${size.width} points wide`, () =>
        place.inSidebar(
          (document, width, height) => {
            const { innerWidth = 0, innerHeight = 0 } = document.defaultView ?? {};
            return innerWidth === width && (height === null || innerHeight === height);
          },
          ...([size.width, size.height ?? null] as const),
        ),
      );
    },
    colorScheme: (look) => window.colorScheme(look),
    picture: () => window.picture(),
    addScript: (script) => window.addScript(script),
    async ownPage(path) {
      const own = await firefox.openOwnPage(path);
      return {
        inPanel: (work, ...words) => firefox.onPage(own, work, ...words),
        resize: ({ width, height = 640 }) => firefox.resizePage(own, { width, height }),
        colorScheme: (look) => window.colorScheme(look),
        picture: () => firefox.pictureOf(own),
        addScript: (script) => firefox.addScript(own, script),
        close: () => firefox.closeTab(own),
      } satisfies OwnPage;
    },
    clipboard: () => window.clipboard(),
    async hang(ms) {
      // A page of Firefox that waits for a request goes on with everything else.
      await window.hangPage(ms);
      await new Promise((resolve) => setTimeout(resolve, 300));
    },
    async inAnotherWindow(url) {
      const opened = await firefox.openWindow(url);
      const beside = windowOf(firefox, opened);
      await opened.window.clickAction();
      await opened.sidebarIsOpen();
      return { ...beside, close: () => opened.window.close() };
    },
    async letTimePass() {
      // The alarm that is set here takes the place of another: nobody would come for what is queued after it.
      await until("something waits", async () => (await this.store("outbox")).length > 0);
      await firefox.inExtension(async () => {
        await new Promise<void>((resolve, reject) => {
          const opening = indexedDB.open("threadlore");
          opening.addEventListener("error", () => reject(opening.error));
          opening.addEventListener("success", () => {
            const writing = opening.result.transaction("outbox", "readwrite");
            const walk = writing.objectStore("outbox").openCursor();
            walk.addEventListener("success", () => {
              if (walk.result === null) return;
              walk.result.update({ ...walk.result.value, sendAfter: 0 });
              walk.result.continue();
            });
            writing.addEventListener("complete", () => {
              opening.result.close();
              resolve();
            });
          });
        });
        const { browser } = globalThis as unknown as {
          browser: { alarms: { create(name: string, at: { when: number }): Promise<void> } };
        };
        await browser.alarms.create("outbox", { when: Date.now() });
      });
    },
    async setStored(values) {
      await firefox.inExtension((stored) => {
        const { browser } = globalThis as unknown as {
          browser: { storage: { local: { set(given: object): Promise<void> } } };
        };
        return browser.storage.local.set(stored);
      }, values);
    },
    close: () => firefox.close(),
  };
}
