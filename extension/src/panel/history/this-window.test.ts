import { freshBrowser } from "../../testing/fake-browser.ts";
import { emptyAnswer } from "@threadlore/ask";
import { beforeEach, expect, it, vi } from "vitest";
import { fakeBrowser } from "wxt/testing/fake-browser";
import { holdView, PRIVATE_SESSIONS } from "./this-window.ts";
import { type HeldTurn, NO_PAGES } from "../ask/turn.ts";

const SESSION = "11111111-2222-4333-8444-555555555555";

beforeEach(freshBrowser);

it("names a private session as one even where the browser has no room for what was shown", async () => {
  const { session } = fakeBrowser.storage;
  const set = session.set.bind(session) as (held: object) => Promise<void>;
  vi.spyOn(session, "set").mockImplementation((held: Record<string, unknown>) =>
    JSON.stringify(held).length > 200 ? Promise.reject(new Error("QUOTA_BYTES quota exceeded")) : set(held),
  );
  const turn: HeldTurn = {
    question: "long ".repeat(100),
    scope: { page: false, company: true },
    pages: NO_PAGES,
    answer: emptyAnswer(),
    isPrivate: true,
  };
  const conversation = { chatSessionId: SESSION } as Parameters<typeof holdView>[1]["conversation"];
  await holdView(7, { origin: "http://127.0.0.1:8411", id: "c", conversation, turns: [turn] });
  expect(await PRIVATE_SESSIONS.readAll()).toEqual([SESSION]);
});
