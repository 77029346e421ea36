import { generateKeyPairSync, sign } from "node:crypto";
import { createServer } from "node:https";
import { afterEach, describe, expect, it } from "vitest";
import { createClient } from "../client.ts";

const der = (tag: number, ...parts: Uint8Array[]): Buffer => {
  const content = Buffer.concat(parts);
  const size = content.length;
  const length = size < 0x80 ? [size] : size < 0x100 ? [0x81, size] : [0x82, size >> 8, size & 0xff];
  return Buffer.concat([Buffer.from([tag, ...length]), content]);
};
const sequence = (...parts: Uint8Array[]) => der(0x30, ...parts);
const hex = (digits: string) => Buffer.from(digits, "hex");

/** A certificate nobody vouches for, made here so that no private key lies in the repository. */
function selfSigned(): { key: string; cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const algorithm = sequence(der(0x06, hex("2a8648ce3d040302")));
  const commonName = sequence(der(0x06, hex("550403")), der(0x0c, Buffer.from("127.0.0.1")));
  const name = sequence(der(0x31, commonName));
  const validity = sequence(der(0x17, Buffer.from("200101000000Z")), der(0x17, Buffer.from("490101000000Z")));
  const subjectKey = publicKey.export({ type: "spki", format: "der" });
  const content = sequence(der(0x02, hex("01")), algorithm, name, validity, name, subjectKey);
  const signature = der(0x03, hex("00"), sign("sha256", content, privateKey));
  const body = sequence(content, algorithm, signature).toString("base64");
  const cert = `-----BEGIN CERTIFICATE-----\n${body}\n-----END CERTIFICATE-----\n`;
  return { key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(), cert };
}

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

describe("3A refused, DNS, TLS failure", () => {
  it("3A refused, DNS, TLS failure: a certificate nobody vouches for, and no request reaches its owner", async () => {
    let requests = 0;
    let connections = 0;
    const server = createServer(selfSigned(), (_, response) => {
      requests++;
      response.end();
    });
    server.on("connection", () => connections++);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    closers.push(() => server.close());
    const address = server.address();
    const baseUrl = `https://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
    const client = createClient({ baseUrl, apiKey: "tl_TEST_canary", retries: { baseMs: 5 } });
    await expect(client.sendMessage({ message: "x" })).rejects.toMatchObject({
      outcome: "unavailable",
      maybeProcessed: false,
      code: "DEPTH_ZERO_SELF_SIGNED_CERT",
      message: expect.stringContaining("certificate"),
    });
    expect({ requests, connections }).toEqual({ requests: 0, connections: 3 });
  });
});
