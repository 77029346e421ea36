import { createHash } from "node:crypto";
import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { article, type PageAnswer } from "../testing/pages.ts";

/** What the pictures show: a notice of a company that does not exist, and what that company knows. */
const STYLE = `<style>
body { max-width: 34rem; margin: 2rem; font: 17px/1.6 sans-serif; color: #1d2b33; background: #fbfcfc; }
h1 { line-height: 1.2; }
</style></head>`;

const NOTICE = article(
  "Open Harbour Day in Peniche",
  "On Saturday, 12 September, Tidewell opens the workshop in Peniche to families, neighbours and whoever likes water.",
  "Doors open at 10:00 and close at 17:00. The shuttle from the station runs every 20 minutes.",
  "Forty helpers are needed. Helpers enter their name with Ines Carvalho by 28 August.",
).replace("</head>", STYLE);

const NOTICE_JA = article(
  "ペニシェ港の一般公開",
  "九月十二日の土曜日、タイドウェルはペニシェの工房を一般公開します。開場は十時、閉場は十七時です。",
  "手伝いの人が四十名必要です。手伝いの申し込みは八月二十八日までにイネスへお願いします。",
).replace('lang="en"', 'lang="ja"');

/** The pages, by path. */
export function picturedPage(path: string): PageAnswer | undefined {
  if (path === "/open-harbour-day") return NOTICE;
  return path === "/ja/open-harbour-day" ? NOTICE_JA : undefined;
}

interface KnownDocument {
  readonly title: string;
  readonly text: string;
}

/** What the company knows already. */
const KNOWN: readonly KnownDocument[] = [
  {
    title: "Leave and holidays",
    text: "Helpers at open days get the following Monday off. Everyone has 28 working days of annual leave a year.",
  },
  { title: "Travel", text: "Book trains for journeys under six hours. The limit for a hotel night is 160 euros." },
];

/** Puts them into the service with the extension's own key. */
export async function tellCompany(url: string, apiKey: string, origin: string): Promise<void> {
  for (const { title, text } of KNOWN) {
    const link = `https://wiki.tidewell.example/${title.toLowerCase().replaceAll(" ", "-")}`;
    const reply = await fetch(`${url}/service-api/ingestion`, {
      method: "POST",
      headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json", origin },
      body: JSON.stringify({
        document: { id: link, semantic_identifier: title, source: "web", sections: [{ text, link }], metadata: {} },
        cc_pair_id: 1,
      }),
    });
    if (!reply.ok) throw new Error(`The service took no document: ${reply.status} ${await reply.text()}`);
  }
}

/** Width and height of a PNG, pixels. */
export function sizeOf(png: Buffer): { width: number; height: number } {
  return { width: png.readUInt32BE(16), height: png.readUInt32BE(20) };
}

/** What a PNG is made of; `color`: "RGB" has no transparency, which stores refuse. */
export function formOf(png: Buffer): { width: number; height: number; bits: number; color: string } {
  if (png.toString("latin1", 1, 4) !== "PNG") throw new Error("This is no PNG.");
  const kind = png.readUInt8(25);
  return { ...sizeOf(png), bits: png.readUInt8(24), color: kind === 2 ? "RGB" : `kind ${kind}` };
}

/** Names of the pictures that the page about the stores has in its table. */
export function storePictures(page: string): string[] {
  const [screens = ""] = page.split("\nTiles, ");
  return Array.from(screens.matchAll(/^\| \[`([\w-]+\.png)`\]\(pictures\/\1\)/gm), ([, name = ""]) => name);
}

/** A new profile in which the icon of the extension in this folder stands beside the address. Delete it afterwards. */
export async function pinnedProfile(folder: string): Promise<string> {
  // As Chromium makes the id of an extension from where it lies.
  const digits = createHash("sha256").update(folder).digest("hex").slice(0, 32);
  const id = Array.from(digits, (digit) => String.fromCharCode(97 + Number.parseInt(digit, 16))).join("");
  const profile = await mkdtemp(join(tmpdir(), "threadlore-pinned-"));
  await mkdir(join(profile, "Default"));
  await writeFile(join(profile, "Default/Preferences"), JSON.stringify({ extensions: { pinned_extensions: [id] } }));
  return profile;
}

/** Asks in the panel and waits until the answer is whole. */
export async function askIn(panel: Page, question: string): Promise<void> {
  await panel.locator("textarea").fill(question);
  await panel.locator("textarea").press("Enter");
  await panel.locator('.turn[aria-busy="false"]').filter({ hasText: question }).waitFor();
}
