import { UnsupportedError } from "@threadlore/client";
import { describe, expect, it } from "vitest";
import { createLog } from "../../operations/log.ts";
import { createSecrets } from "../../settings/secrets.ts";
import { createClients } from "../transport/clients.ts";
import { takeAttachments } from "./files.ts";
import type { AttachedFile } from "@threadlore/documents/slack";

const TOKEN = ["xoxb", "test"].join("-");

/** Takes the files; what was fetched with the token, and what could not be read. */
async function taken(
  files: readonly Partial<AttachedFile>[],
  {
    body = "text",
    bodies = {},
    type = "text/plain",
    apiUrl,
  }: { body?: string; bodies?: Record<string, string>; type?: string; apiUrl?: string } = {},
): Promise<{ fetched: string[]; notRead: readonly string[]; inlined: string }> {
  const fetched: string[] = [];
  const { notRead, inlined } = await takeAttachments(
    files.map((file, index) => ({ id: `F${index}`, name: `${index}.txt`, mimetype: "text/plain", size: 0, ...file })),
    {
      bot: {
        clients: createClients({ botToken: TOKEN }),
        log: createLog({ level: "silent", secrets: createSecrets([]) }),
        config: { slack: { botToken: TOKEN, apiUrl } },
        fetch: (input, init) => {
          expect(init?.redirect).toBe("error");
          fetched.push(String(input));
          return Promise.resolve(new Response(bodies[String(input)] ?? body, { headers: { "content-type": type } }));
        },
      },
      deployment: { upload: () => Promise.reject(new UnsupportedError("no uploads")) } as never,
      signal: new AbortController().signal,
    },
  );
  return { fetched, notRead, inlined };
}

describe("the bot's token", () => {
  it.each([
    "https://evil.test/a.txt",
    "https://evil.test/files.slack.com/a.txt",
    "https://files.slack.com.evil.test/a.txt",
    "https://evilslack.com/a.txt",
    "https://files.slack.com@evil.test/a.txt",
    "http://files.slack.com/a.txt",
    "http://169.254.169.254/latest",
    "http://127.0.0.1:9464/metrics",
    "file:///etc/passwd",
    "https://slack.com\\.evil.test/a.txt",
    "//evil.test/a.txt",
    "https://files.sl\u0430ck.com/a.txt",
    "http://chat.example:443/a.txt",
  ])("never goes to %s", async (url) => {
    const { fetched, notRead } = await taken([{ url }], { apiUrl: "https://chat.example/api/" });
    for (const address of fetched) expect(new URL(address).hostname).toMatch(/(?:^|\.)slack\.com$/);
    expect(fetched.length + notRead.length).toBeGreaterThan(0);
  });

  it("goes to the platform's own hosts, and to the one that was configured", async () => {
    const urls = ["https://files.slack.com/files-pri/T1-F1/a.txt", "https://chat.example/files/a.txt"];
    const { fetched } = await taken(
      urls.map((url) => ({ url })),
      { apiUrl: "https://chat.example/api/" },
    );
    expect(fetched).toEqual(urls);
  });
});

describe("an attached page", () => {
  const page = "<!DOCTYPE html><p>Thirty days of leave.</p>";
  const file = { url: "https://files.slack.com/a.html", name: "a.html", mimetype: "text/html" };
  const options = { body: page, type: "text/html" };

  it("is read", async () => {
    const { inlined, notRead } = await taken([{ ...file, size: page.length }], options);
    expect(inlined).toContain("Thirty days");
    expect(notRead).toEqual([]);
  });

  it.each([page.length + 1, 9, 0])(
    "is told from the page to sign in, which comes instead of it (%i bytes)",
    async (size) => {
      const { inlined, notRead } = await taken([{ ...file, size }], options);
      expect(inlined).toBe("");
      expect(notRead).toEqual([expect.stringContaining("does not let me read it")]);
    },
  );
});

describe("two files of one name", () => {
  const same = { url: "https://files.slack.com/a.txt", name: "notes.txt" };
  const long = { ...same, url: "https://files.slack.com/long.txt" };

  it.each([
    [same, long],
    [long, same],
  ])("are told apart where only one is read", async (...files) => {
    const { inlined, notRead } = await taken(files, { bodies: { [long.url]: "x".repeat(30_000) } });
    expect(inlined).toBe('Attached file "notes.txt":\ntext');
    expect(notRead).toEqual(["*notes.txt*: the server takes no files."]);
  });
});

describe("many large files", () => {
  it("are not all held in memory at once", async () => {
    const url = "https://files.slack.com/a.txt";
    const { fetched, notRead } = await taken(
      Array.from({ length: 5 }, () => ({ url, size: 20_000_000 })),
      { body: "x".repeat(20_000_000) },
    );
    expect(fetched).toHaveLength(2);
    expect(notRead.filter((line) => line.includes("larger than 48 MB"))).toHaveLength(3);
  });
});

describe("an attached file", () => {
  const url = "https://files.slack.com/files-pri/T1-F1/a";
  it.each(["plan.odt", "sums.ods", "talk.odp", "book.epub", "letter.rtf", "study.ipynb", "PLAN.ODT"])(
    "of a kind that servers read is fetched: %s",
    async (name) => {
      expect((await taken([{ url, name, mimetype: "application/octet-stream" }])).fetched).toEqual([url]);
    },
  );

  it.each(["film.mp4", "tool.exe", "all.zip"])("of another kind is not, and its person is told: %s", async (name) => {
    const { fetched, notRead } = await taken([{ url, name, mimetype: "application/octet-stream" }]);
    expect(fetched).toEqual([]);
    expect(notRead.join()).toContain("I cannot read");
  });
});
