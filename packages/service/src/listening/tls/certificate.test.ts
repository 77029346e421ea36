import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { afterThisTest, temporaryFolder } from "@threadlore/testkit";
import { describe, expect, it, vi } from "vitest";
import { checkPair, type CertificateFiles, readPairFiles, WatchedPair } from "./certificate.ts";
import { isOpensslMissing, makeAuthority, openssl } from "./certificates.harness.ts";
import { ListeningError } from "../plan.ts";

const DAY = 86_400_000;

async function refusedBy(files: CertificateFiles, now = Date.now()): Promise<string> {
  try {
    checkPair(await readPairFiles(files), files, now);
    return "";
  } catch (error) {
    if (error instanceof ListeningError) return error.problems.join(" ");
    throw error;
  }
}

describe.skipIf(isOpensslMissing)("a certificate and its key", () => {
  const authority = isOpensslMissing ? undefined : makeAuthority();
  const issue = (...given: Parameters<NonNullable<typeof authority>["issue"]>) =>
    authority?.issue(...given) ?? { cert: "", key: "" };

  it("are taken where they fit, and say until when and for whom", async () => {
    const files = issue("knowledge", ["knowledge.example.com", "192.0.2.7"]);
    const pair = checkPair(await readPairFiles(files), files, Date.now());
    expect(Math.round((pair.validTo - Date.now()) / DAY)).toBe(90);
    const covered = ["knowledge.example.com", "192.0.2.7", "other.example.com"].map((host) => pair.covers(host));
    expect(covered).toEqual([true, true, false]);
  });

  it("are refused in plain words where they are not", async () => {
    const files = issue("one", ["a.example"]);
    const other = issue("other", ["a.example"]);
    const folder = temporaryFolder();
    const file = (name: string, text: string | Uint8Array): string => {
      writeFileSync(`${folder}/${name}`, text);
      return `${folder}/${name}`;
    };
    const damaged = readFileSync(files.cert, "utf8").replace(/\n[\w+/]{64}\n/, "\nAAAA\n");
    const locked = `${folder}/locked.key`;
    if (typeof openssl === "string") {
      execFileSync(openssl, ["pkcs8", "-topk8", "-in", files.key, "-passout", "pass:secret", "-out", locked]);
    }
    mkdirSync(`${folder}/folder`);
    const said = {
      absent: await refusedBy({ ...files, cert: `${folder}/absent.pem` }),
      folder: await refusedBy({ ...files, key: `${folder}/folder` }),
      "no certificate": await refusedBy({ ...files, cert: files.key }),
      "not PEM": await refusedBy({ ...files, cert: file("cert.der", Buffer.from([48, 130, 1, 255, 0])) }),
      damaged: await refusedBy({ ...files, cert: file("damaged.pem", damaged) }),
      "no key": await refusedBy({ ...files, key: files.cert }),
      "with a password": await refusedBy({ ...files, key: locked }),
      "of another": await refusedBy({ ...files, key: other.key }),
      "the wrong way round": await refusedBy(issue("turned", ["a.example"], "reversed")),
      expired: await refusedBy(files, Date.now() + 91 * DAY),
      "not yet": await refusedBy(files, Date.now() - DAY),
    };
    const found = Object.fromEntries(
      Object.entries(said).map(([name, text]) => [name, text.replace(/\/\S+\/|\d{4}-\d\d-\d\d/g, "…")]),
    );
    expect(found).toMatchInlineSnapshot(`
      {
        "absent": "--tls-cert …absent.pem: there is no such file.",
        "damaged": "--tls-cert …damaged.pem: certificate 1 in it is damaged.",
        "expired": "--tls-cert …one.chain.pem: the certificate expired on …. Get a new one.",
        "folder": "--tls-key …folder: it is a folder; name the file in it.",
        "no certificate": "--tls-cert …one.key: there is no certificate in it. It has to be PEM: text whose first line says CERTIFICATE.",
        "no key": "--tls-key …one.chain.pem: there is no key in it. It has to be PEM: text whose first line says PRIVATE KEY.",
        "not PEM": "--tls-cert …cert.der: there is no certificate in it. It has to be PEM: text whose first line says CERTIFICATE.",
        "not yet": "--tls-cert …one.chain.pem: the certificate is valid from … on. Is this machine's clock right?",
        "of another": "--tls-key …other.key is not the key of the certificate in …one.chain.pem. Name the two that were made together.",
        "the wrong way round": "--tls-cert …turned.chain.pem: the key's certificate has to stand first, and behind it those that vouch for it.",
        "with a password": "--tls-key …locked.key: the key has a password, and nobody is here to type it. Write it without one, readable by this program's user only.",
      }
    `);
  });

  it.skipIf(process.getuid?.() === 0)("is refused where it may not be read", async () => {
    const files = issue("secret", ["a.example"]);
    chmodSync(files.key, 0o000);
    expect(await refusedBy(files)).toContain("may not read it");
  });

  it("are read anew once both have changed, and kept where what is there now does not fit", async () => {
    const files = issue("watched", ["a.example"]);
    const next = issue("next", ["b.example"]);
    const told: string[] = [];
    const covers = (pair: { covers(host: string): boolean }): string => (pair.covers("b.example") ? "b" : "a");
    const pair = new WatchedPair(files, {
      use: (one) => told.push(`use ${covers(one)}`),
      keep: ({ message }) => told.push(message.includes("is not the key") ? "keep" : message),
      ending: () => told.push("ending"),
    });
    afterThisTest(() => pair.stop());
    await pair.start(20);
    writeFileSync(files.cert, readFileSync(next.cert));
    await vi.waitFor(() => expect(told).toEqual(["use a", "keep"]));
    writeFileSync(files.key, readFileSync(next.key));
    await vi.waitFor(() => expect(told).toEqual(["use a", "keep", "use b"]));
    expect(await pair.reload()).toBe(true);
    writeFileSync(files.key, "");
    expect(await pair.reload()).toBe(false);
    expect(told.slice(3)).toEqual(["use b", expect.stringContaining("there is no key in it")]);
  });
});
