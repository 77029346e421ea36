import { webId } from "@threadlore/documents";
import { expect, it } from "vitest";
import type { NewestEntry } from "../journal.ts";
import { TakenPages } from "./taken-pages.ts";
import { vanishedPages } from "./vanished-pages.ts";

const SITE = "https://docs.example.com";
const addresses = Array.from({ length: 10_000 }, (_, n) => `${SITE}/文/${n}`);

/** Compares a site that took 10,000 pages before and lists all but the first so many now, of which each is gone. */
async function compared({ missing, mostAsked }: { missing: number; mostAsked: number }) {
  const asked: string[] = [];
  const entry = (file: string): NewestEntry => ({ hash: "h", instance: "data", collection: "site", file });
  const documents = await Promise.all(addresses.map(async (file) => [await webId(file), entry(file)] as const));
  const found = await vanishedPages(
    {
      collection: "site",
      pages: addresses.slice(missing).map((address) => ({ url: new URL(address) })),
      hasMore: false,
      unread: 0,
      isBeneath: () => true,
      refuses: () => undefined,
      visitor: {
        get: async (address) => {
          asked.push(address);
          return { url: new URL(address), status: 404, headers: {}, bytes: new Uint8Array() };
        },
      },
      taken: new TakenPages(),
      mostAsked,
    },
    {
      journal: { documentsOf: () => documents, pairsOf: () => [] },
      shelf: { server: "here", pair: 1 },
      instance: "data",
      allowEmpty: false,
    },
  );
  return { found, asked };
}

it("asks a site of 10,000 pages for those alone that it lists no more", async () => {
  const { found, asked } = await compared({ missing: 7, mostAsked: 1_000 });
  expect(found).toMatchObject({ known: 10_000, kept: [], partial: undefined });
  expect(found.vanished.map(({ name }) => name)).toEqual(addresses.slice(0, 7));
  expect(asked).toHaveLength(7);
});

it("asks for no more pages than a run may take, and keeps the others", async () => {
  const { found, asked } = await compared({ missing: 30, mostAsked: 20 });
  expect([found.vanished.length, found.kept.length, asked.length]).toEqual([20, 10, 20]);
  expect(found.kept[0]?.reason).toContain("more such pages than --max-pages are not asked for");
});
