import { deflateRawSync } from "node:zlib";

/** A Word document with this body and nothing else. */
export function docxOf(body: string): Uint8Array<ArrayBuffer> {
  const names = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
  const name = Buffer.from("word/document.xml");
  const content = `<w:document ${names}><w:body>${body}</w:body></w:document>`;
  const packed = deflateRawSync(content, { level: 9 });
  const described = Buffer.alloc(26);
  described.writeUInt16LE(20, 0);
  described.writeUInt16LE(8, 4);
  described.writeUInt32LE(packed.length, 14);
  described.writeUInt32LE(content.length, 18);
  described.writeUInt16LE(name.length, 22);
  const local = Buffer.concat([Buffer.from("PK\u0003\u0004"), described, name, packed]);
  const entry = Buffer.concat([Buffer.from("PK\u0001\u0002\u0014\u0000"), described, Buffer.alloc(14), name]);
  const end = Buffer.alloc(22);
  end.write("PK\u0005\u0006");
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(entry.length, 12);
  end.writeUInt32LE(local.length, 16);
  return new Uint8Array(Buffer.concat([local, entry, end]));
}
