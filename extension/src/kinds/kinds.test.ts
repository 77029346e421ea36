import { beforeAll, describe, expect, it } from "vitest";
import { hasChromium } from "../testing/chromium.ts";
import { judgeKinds } from "./judge-kinds.ts";
import { KINDS } from "./kind-page.ts";
import type { ScoredPage } from "./outcome-table.ts";

/** One of each kind, by turns in English and in another language. */
const SAMPLE: Readonly<Record<(typeof KINDS)[number], number>> = {
  article: 7,
  documentation: 2,
  product: 9,
  forum: 0,
  "search results": 0,
  dashboard: 1,
  PDF: 7,
  text: 8,
  JSON: 0,
  image: 5,
  frames: 9,
  "sign-in": 0,
};

describe.runIf(await hasChromium())("a page of each kind", { timeout: 240_000 }, () => {
  let judged: readonly ScoredPage[] = [];
  beforeAll(async () => {
    judged = await judgeKinds((pages, kind) => pages.slice(SAMPLE[kind], SAMPLE[kind] + 1));
  }, 240_000);

  it.each(KINDS)(
    "%s is read and kept whole, without what nobody sees or somebody typed, and what has to be said is",
    (kind) => {
      const [page] = judged.filter((one) => one.kind === kind);
      const { read, said, kept, "unseen out": unseen = "" } = page?.outcome ?? {};
      expect({ read, said, kept, unseen }).toEqual({ read: "", said: "", kept: "", unseen: "" });
    },
  );

  // Of the picture nothing can be read; the service without a model finds no answer in JSON.
  it.each(KINDS.filter((kind) => kind !== "image" && kind !== "JSON"))(
    "%s is cited at the place that answers",
    (kind) => {
      const [page] = judged.filter((one) => one.kind === kind);
      expect(page?.outcome).toMatchObject({ cited: "" });
    },
  );
});
