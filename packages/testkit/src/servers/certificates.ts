import { generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";
import { isIP } from "node:net";

/** A certificate with its private key, both as PEM: what `node:https` takes. */
export interface Certified {
  readonly key: string;
  readonly cert: string;
}

/** An authority that vouches for servers; made anew each time, so that no private key lies anywhere. */
export interface Authority {
  /** Its own certificate, as PEM: what has to be trusted. */
  readonly cert: string;
  /** A certificate for these names and addresses. */
  issue(...names: readonly string[]): Certified;
}

/** Makes an authority of this name (RFC 5280). */
export function createAuthority(name: string): Authority {
  const own = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const subject = nameOf(name);
  // It may sign certificates: basicConstraints with CA, keyUsage keyCertSign.
  const rights = [
    extension("551d13", sequence(der(0x01, hex("ff"))), true),
    extension("551d0f", der(0x03, hex("0204")), true),
  ];
  const cert = certificate({ subject, of: own.publicKey, issuer: subject, by: own.privateKey, extensions: rights });
  return {
    cert,
    issue(...names) {
      const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
      const alternatives = names.map((one) =>
        isIP(one) === 4 ? der(0x87, Buffer.from(one.split(".").map(Number))) : der(0x82, Buffer.from(one)),
      );
      const extensions = [extension("551d11", sequence(...alternatives))];
      const issued = certificate({
        subject: nameOf(names[0] ?? ""),
        of: publicKey,
        issuer: subject,
        by: own.privateKey,
        extensions,
      });
      return { key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(), cert: issued };
    },
  };
}

const der = (tag: number, ...parts: Uint8Array[]): Buffer => {
  const content = Buffer.concat(parts);
  const size = content.length;
  const length = size < 0x80 ? [size] : size < 0x100 ? [0x81, size] : [0x82, size >> 8, size & 0xff];
  return Buffer.concat([Buffer.from([tag, ...length]), content]);
};
const sequence = (...parts: Uint8Array[]): Buffer => der(0x30, ...parts);
const hex = (digits: string): Buffer => Buffer.from(digits, "hex");

const nameOf = (commonName: string): Buffer =>
  sequence(der(0x31, sequence(der(0x06, hex("550403")), der(0x0c, Buffer.from(commonName)))));

const extension = (id: string, value: Buffer, critical = false): Buffer =>
  sequence(der(0x06, hex(id)), ...(critical ? [der(0x01, hex("ff"))] : []), der(0x04, value));

function certificate(made: {
  readonly subject: Buffer;
  readonly of: KeyObject;
  readonly issuer: Buffer;
  readonly by: KeyObject;
  readonly extensions: readonly Buffer[];
}): string {
  const algorithm = sequence(der(0x06, hex("2a8648ce3d040302")));
  const validity = sequence(der(0x17, Buffer.from("200101000000Z")), der(0x17, Buffer.from("490101000000Z")));
  const content = sequence(
    der(0xa0, der(0x02, hex("02"))),
    der(0x02, hex("01"), randomBytes(8)),
    algorithm,
    made.issuer,
    validity,
    made.subject,
    made.of.export({ type: "spki", format: "der" }),
    der(0xa3, sequence(...made.extensions)),
  );
  const signature = der(0x03, hex("00"), sign("sha256", content, made.by));
  const lines =
    sequence(content, algorithm, signature)
      .toString("base64")
      .match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join("\n")}\n-----END CERTIFICATE-----\n`;
}
