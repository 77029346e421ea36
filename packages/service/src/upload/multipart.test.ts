import { describe, expect, it } from "vitest";
import { filesOfForm, type FormFiles } from "./multipart.ts";

const TYPE = "multipart/form-data; boundary=x";

function part(disposition: string, content: string, more = ""): string {
  return `--x\r\nContent-Disposition: form-data; ${disposition}\r\n${more}\r\n${content}\r\n`;
}

/** Names, types and contents of the files that were found, or what is wrong. */
function found(body: string | Buffer, type = TYPE, most = 10): unknown {
  const bytes = Buffer.from(body);
  const result: FormFiles = filesOfForm(bytes, type, "files", most);
  if ("wrong" in result) return result.wrong;
  return result.files.map(({ name, type: kind, start, end }) => [name, kind, bytes.toString("utf8", start, end)]);
}

describe("the files of a form", () => {
  it("are found with their names and types, other fields passed over", () => {
    const body =
      part('name="files"; filename="a.txt"', "eins\r\nzwei", "content-type: text/plain\r\n") +
      part('name="note"', "no file") +
      part('name="other"; filename="b.txt"', "of another field") +
      part('name="files"; filename="Übersicht %22neu%22 100%.pdf"', "") +
      part("filename=plain.md; name=files", "three");
    expect(found(`${body}--x--\r\n`)).toEqual([
      ["a.txt", "text/plain", "eins\r\nzwei"],
      ['Übersicht "neu" 100%.pdf', "", ""],
      ["plain.md", "", "three"],
    ]);
    expect(found(`of no account\r\n${part('name="files"; filename="a"', "b")}--x--`)).toEqual([["a", "", "b"]]);
    expect(found("--x--\r\n")).toEqual([]);
  });

  it("are what a browser's own form holds, byte for byte", async () => {
    const data = new FormData();
    const bytes = Uint8Array.from({ length: 3_000 }, (_, at) => (at * 7) % 256);
    data.append("files", new File([bytes], 'zwölf "Pläne"\n日本.pdf', { type: "application/pdf" }));
    data.append("title", "nothing");
    data.append("files", new File(["--x\r\n"], "b.txt"));
    const request = new Response(data);
    const body = Buffer.from(await request.arrayBuffer());
    const result = filesOfForm(body, request.headers.get("content-type") ?? "", "files", 3);
    if ("wrong" in result) throw new Error(result.wrong);
    const [first, second] = result.files;
    expect([first?.name, first?.type]).toEqual(['zwölf "Pläne"\n日本.pdf', "application/pdf"]);
    expect(new Uint8Array(body.subarray(first?.start, first?.end))).toEqual(bytes);
    expect([second?.name, body.toString("utf8", second?.start, second?.end)]).toEqual(["b.txt", "--x\r\n"]);
  });

  it.each([
    ["no boundary", part('name="files"; filename="a"', "b"), "multipart/form-data"],
    ["another boundary", part('name="files"; filename="a"', "b"), "multipart/form-data; boundary=y"],
    ["no end", part('name="files"; filename="a"', "b"), TYPE],
    ["no head", "--x\r\nb\r\n--x--", TYPE],
    ["no name", "--x\r\nContent-Disposition: form-data\r\n\r\nb\r\n--x--", TYPE],
    ["nothing", "", TYPE],
    ["half a mark", "--x", TYPE],
  ])("are none where the form has %s", (_case, body, type) => {
    expect(found(body, type)).toBe("no form");
  });

  it("are not looked at where there are too many parts", () => {
    const body = part('name="files"; filename="a"', "b");
    expect(found(`${body.repeat(10)}--x--`)).toHaveLength(10);
    expect(found(`${body.repeat(11)}--x--`)).toBe("too many");
  });

  it("cut at any byte are none, and never more than were sent", () => {
    const whole = Buffer.from(`${part('name="files"; filename="a"', "b")}--x--`);
    for (let length = 0; length < whole.length - 1; length++) expect(found(whole.subarray(0, length))).toBe("no form");
  });
});
