import { describe, expect, it } from "vitest";
import { sheetRows, xlsxOf } from "@threadlore/testkit/files";
import { fileText } from "../file-text.ts";

const latin1 = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));
const read = (message: string, characters = 2_000_000) =>
  fileText({ name: "mail.eml", bytes: latin1(message.replaceAll(/\r?\n/g, "\r\n")) }, { characters });
const textOf = async (message: string) => (await read(message)).parts.map(({ text }) => text).join("\n---\n");
const base64 = (content: string | Uint8Array) => Buffer.from(content).toString("base64");

describe("a message", () => {
  it("becomes its subject, who wrote it to whom and when, what is attached, and the best of its bodies", async () => {
    const found = await read(`From: =?utf-8?B?${base64("Ада")}?= <ada@example.com>
To: bo@example.com, Crew: cy@example.com, "Dee, D." <dee@example.com>;
Cc: team@example.com
Date: Sat, 31 Jan 2026 11:00:00 +0100
Subject: =?utf-8?Q?Keys_of_the?= =?utf-8?Q?_boathouse?=
Content-Type: multipart/mixed; boundary=x

--x
Content-Type: multipart/alternative; boundary=y

--y
Content-Type: text/plain

Keys: behind the red door.
--y
Content-Type: text/html

<h2>Keys</h2><p>Behind the <b>red</b> door.</p><p style="display:none">steer</p>
--y--
--x
Content-Type: text/csv; name="rooms.csv"
Content-Disposition: attachment; filename*=utf-8''%D0%BA%D0%BB%D1%8E%D1%87.csv

Room,Key
Boathouse,red
--x
Content-Type: image/png; name="map.png"
Content-Transfer-Encoding: base64

iVBORw0KGgo=
--x--
`);
    expect(found.parts).toEqual([
      {
        level: 1,
        heading: "Keys of the boathouse",
        text: "From: Ада <ada@example.com>\nTo: bo@example.com, cy@example.com, Dee, D. <dee@example.com>\nCc: team@example.com\nDate: 2026-01-31T10:00:00.000Z\nAttachments: ключ.csv, map.png",
      },
      { level: 3, heading: "Keys", text: "Behind the red door." },
      { level: 1, heading: "ключ.csv", text: "Room: Boathouse; Key: red" },
    ]);
    expect(found).toMatchObject({
      kind: "eml",
      title: "Keys of the boathouse",
      authors: ["Ада"],
      updated: "2026-01-31T10:00:00.000Z",
      metadata: { from: ["Ада <ada@example.com>"] },
      hiddenCharacters: 5,
    });
  });

  it.each([
    ["Shift_JIS, quoted-printable", "shift_jis", "=8C=AE=82=CD=90=D4=82=A2", "鍵は赤い"],
    ["GB18030, quoted-printable", "gb18030", "=D4=BF=B3=D7", "钥匙"],
    ["KOI8-R, quoted-printable", "koi8-r", "=EB=CC=C0=DE", "Ключ"],
    ["ISO-8859-15, soft breaks", "iso-8859-15", "10 =A4 a =\nnight", "10 € a night"],
  ])("reads %s", async (_case, charset, body, expected) => {
    expect(
      await textOf(
        `Subject: x\nContent-Type: text/plain; charset=${charset}\nContent-Transfer-Encoding: quoted-printable\n\n${body}\n`,
      ),
    ).toBe(expected);
  });

  it("reads subjects in older encodings, and text that no head describes", async () => {
    const subject = "=?koi8-r?Q?=EB=CC=C0=DE?= =?iso-2022-jp?B?GyRCODAbKEI=?=";
    expect(await read(`Subject: ${subject}\n\nplain\n`)).toMatchObject({
      title: "Ключ鍵",
      parts: [{ heading: "Ключ鍵", text: "plain" }],
    });
    expect((await read("From: ada@example.com\n\nno subject\n")).parts).toEqual([
      { level: 0, heading: "", text: "From: ada@example.com\n\nno subject" },
    ]);
  });

  it("reads what is attached as the files they are, of messages two within each other, and names the rest", async () => {
    const workbook = xlsxOf([
      {
        name: "Rooms",
        rows: sheetRows([
          ["Room", "Key"],
          ["Boathouse", "red"],
        ]),
      },
    ]);
    const found = await read(`Subject: Outer
Content-Type: multipart/mixed; boundary=x

--x

See below.
--x
Content-Type: application/octet-stream; name="rooms.xlsx"
Content-Transfer-Encoding: base64

${base64(workbook)}
--x
Content-Type: message/rfc822

Subject: Inner

Inner words.
--x
Content-Type: application/zip; name="all.zip"
Content-Transfer-Encoding: base64

UEsDBAoA
--x--
`);
    expect(found.parts.map(({ level, heading, text }) => [level, heading, text])).toEqual([
      [1, "Outer", "Attachments: rooms.xlsx, message.eml, all.zip\n\nSee below."],
      [1, "rooms.xlsx", ""],
      [2, "Rooms", "Room: Boathouse; Key: red"],
      [1, "message.eml", ""],
      [2, "Inner", "Inner words."],
    ]);
  });

  it("names all that is attached, and reads the first twenty", async () => {
    const attached = Array.from(
      { length: 25 },
      (_, at) => `--x\nContent-Disposition: attachment; filename=${at}.txt\n\nwords ${at}\n`,
    );
    const found = await read(`Subject: x\nContent-Type: multipart/mixed; boundary=x\n\n${attached.join("")}--x--\n`);
    expect(found.parts[0]?.text).toContain("23.txt, 24.txt");
    expect(found.parts.slice(1).map(({ text }) => text.trim())).toEqual(
      Array.from({ length: 20 }, (_, at) => `words ${at}`),
    );
  });

  it("that is encrypted, or is none, is refused with the reason", async () => {
    const locked =
      "Subject: x\nContent-Type: application/pkcs7-mime; name=smime.p7m\nContent-Transfer-Encoding: base64\n\nMIIB\n";
    await expect(read(locked)).rejects.toThrow("mail.eml: the message is encrypted");
    await expect(read(`Subject: x\n${`X: ${"y".repeat(900)}\n`.repeat(1_200)}\n\nz`)).rejects.toThrow(
      "damaged or incomplete",
    );
  });
});
