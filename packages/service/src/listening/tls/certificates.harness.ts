import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@threadlore/testkit";
import { debianProgram, onPath } from "@threadlore/testkit/debian";

/** OpenSSL's own program, or why there is none. */
export const openssl = await debianProgram({
  name: "OpenSSL",
  packages: ["openssl"],
  without: "tests of TLS",
  find: (environment) => onPath(["openssl"], environment),
});

export const isOpensslMissing = typeof openssl !== "string";

/** An authority of these tests, and what it vouches for. */
export interface Authority {
  /** PEM; the only certificate a client needs to trust. */
  readonly root: string;
  readonly rootFile: string;
  /**
   * A pair for these names and addresses, in files of its own; signed by one in between, which stands behind it.
   * @param chain `without` leaves the one in between out, `reversed` puts it first
   */
  issue(name: string, hosts: readonly string[], chain?: "without" | "reversed"): { cert: string; key: string };
}

/** Makes an authority in a folder that is gone after the test file. */
export function makeAuthority(): Authority {
  const folder = temporaryFolder();
  const run = (...args: string[]): void => {
    if (typeof openssl !== "string") throw new Error("OpenSSL is missing.");
    execFileSync(openssl, args, { cwd: folder, stdio: ["ignore", "ignore", "pipe"] });
  };
  const newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"];
  const sign = (name: string, by: string, extensions: string): void => {
    writeFileSync(join(folder, `${name}.ext`), extensions);
    run("req", ...newKey, "-keyout", `${name}.key`, "-out", `${name}.csr`, "-subj", `/CN=${name}`);
    const from = ["-in", `${name}.csr`, "-CA", `${by}.pem`, "-CAkey", `${by}.key`, "-CAcreateserial"];
    run("x509", "-req", ...from, "-days", "90", "-out", `${name}.pem`, "-extfile", `${name}.ext`);
  };
  run("req", "-x509", ...newKey, "-keyout", "root.key", "-out", "root.pem", "-days", "90", "-subj", "/CN=Test root");
  sign("between", "root", "basicConstraints=critical,CA:true");
  const read = (name: string): string => readFileSync(join(folder, `${name}.pem`), "utf8");
  return {
    root: read("root"),
    rootFile: join(folder, "root.pem"),
    issue(name, hosts, chain) {
      const names = hosts.map((host) => (/^[\d.]+$|:/.test(host) ? `IP:${host}` : `DNS:${host}`));
      sign(name, "between", `subjectAltName=${names.join(",")}`);
      const files = { cert: join(folder, `${name}.chain.pem`), key: join(folder, `${name}.key`) };
      const [own, between] = [read(name), read("between")];
      writeFileSync(files.cert, chain === "without" ? own : chain === "reversed" ? between + own : own + between);
      return files;
    },
  };
}
