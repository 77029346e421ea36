import { pdfOf } from "@threadlore/testkit/files";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { endlessFont, flatedTwice, type WatchedService, watchedService } from "./hostile-uploads.harness.ts";

const LESS_THAN = (24_000_000).toLocaleString("en");
const good = pdfOf([["Contractors enter by the north gate."]]);
const endless = endlessFont();
const markup = new Uint8Array(24_000_000).fill("<".charCodeAt(0));

async function kept(reply: Response | string | undefined): Promise<unknown> {
  return typeof reply === "object" ? await reply.json() : reply;
}

let service: WatchedService;
beforeAll(async () => {
  service = await watchedService({ readerMs: 25_000 });
});
afterAll(async () => {
  await service.stop();
});

describe("T26 an upload made to harm", { timeout: 120_000 }, () => {
  it("a PDF of kilobytes that unfolds to gigabytes is kept unread, says why, and the next one is read", async () => {
    const bomb = flatedTwice(4_000_000_000);
    expect(bomb.length).toBeLessThan(30_000);
    const [mine, other] = await Promise.all([
      service.upload("a.pdf", bomb),
      service.upload("b.pdf", bomb, "tl_TESTother"),
    ]);
    const reason = "It takes more memory than reading it may take. Split it, or send its text, then send it again.";
    expect([mine, other]).toMatchObject([
      { status: "SKIPPED", reason },
      { status: "SKIPPED", reason },
    ]);
    expect(await service.upload("good.pdf", good)).toMatchObject({ status: "COMPLETED", reason: null });
  });

  it(`${LESS_THAN} signs that begin no tag are read as far as an answer reads, and that is said`, async () => {
    const reason = "Only its first 2,000,000 characters were read. Send the rest as a file of its own.";
    expect(await service.upload("a.html", markup)).toMatchObject({ status: "COMPLETED", reason });
    expect(await service.upload("a.txt", markup, "tl_TESTother")).toMatchObject({ status: "COMPLETED", reason });
  });

  it("a PDF that does not come back is given up, nobody else waits for it, and one person's queue is bounded", async () => {
    const gone = new AbortController();
    let given = 0;
    const [first, ...others] = Array.from({ length: 8 }, (_, at) =>
      service
        .send(`${at}.pdf`, endless, at === 0 ? {} : { signal: gone.signal })
        .catch(() => "gone")
        .finally(() => given++),
    );
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    const refused = await service.send("ninth.pdf", good);
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "5"]);
    expect(await refused.json()).toEqual({
      error_code: "TOO_MANY_UPLOADS",
      detail:
        "Too many of your files wait to be read. Nothing of this upload was kept. Send it again when they are done.",
    });
    expect(await service.upload("good.pdf", good, "tl_TESTother")).toMatchObject({ status: "COMPLETED" });
    expect(await service.upload("good.pdf", good, "tl_TESTother")).toMatchObject({ status: "COMPLETED" });
    expect(given).toBeLessThan(8);
    gone.abort();
    expect(new Set(await Promise.all(others))).toEqual(new Set(["gone"]));
    expect(await kept(await first)).toMatchObject({
      user_files: [{ status: "SKIPPED", reason: expect.stringContaining("took too long and was given up") }],
    });
    expect(await service.upload("good.pdf", good)).toMatchObject({ status: "COMPLETED", reason: null });
  });

  it("is kept unread where its reader is killed, and the next one is read", async () => {
    await service.upload("good.pdf", good);
    const reading = service.upload("endless.pdf", endless);
    await expect.poll(() => service.readers().length).toBeGreaterThan(0);
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    for (const pid of service.readers()) process.kill(pid, "SIGKILL");
    expect(await reading).toMatchObject({
      status: "SKIPPED",
      reason: expect.stringContaining("Reading it was interrupted. Send it again"),
    });
    expect(await service.upload("good.pdf", good)).toMatchObject({ status: "COMPLETED", reason: null });
  });

  it("is read no further when whoever sent it is gone", async () => {
    await service.upload("good.pdf", good);
    const before = service.readers();
    const gone = new AbortController();
    const sending = service.send("endless.pdf", endless, { signal: gone.signal }).catch(() => "gone");
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    gone.abort();
    expect(await sending).toBe("gone");
    // Well before its time is over, its reader is ended, and there is one less.
    await vi.waitFor(() => expect(before.every((pid) => service.readers().includes(pid))).toBe(false), {
      timeout: 5_000,
    });
    expect(await service.upload("good.pdf", good)).toMatchObject({ status: "COMPLETED", reason: null });
  });

  it("through all of this the service and its readers stayed below 768 MB, and /health answered", () => {
    expect(Object.keys(service.health())).toEqual(["200"]);
    expect(service.health()[200]).toBeGreaterThan(20);
    expect(service.resident()).toBeGreaterThan(100_000_000);
    expect(service.resident()).toBeLessThan(768_000_000);
  });
});
