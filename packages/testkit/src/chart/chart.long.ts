import { execFileSync, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { debianProgram, onPath } from "../programs/debian-program.ts";
import { temporaryFolder } from "../tidying.ts";
import { CHART, madeFrom, renderedFile, VALUES, valuesFile } from "./chart.ts";

const go = await debianProgram({
  name: "Go with the template functions of Helm",
  packages: ["golang-go", "golang-github-masterminds-sprig-dev", "golang-k8s-sigs-yaml-dev"],
  without: "renderings of the Helm chart",
  find: (here) => onPath(["go"], here),
});

describe.skipIf(typeof go !== "string")("the Helm chart, by Go's templates and sprig", () => {
  const folder = temporaryFolder();
  const renderer = join(folder, "render");
  const env = { ...process.env, GO111MODULE: "off", GOPATH: "/usr/share/gocode", GOCACHE: join(folder, "cache") };
  const render = (...files: string[]) => spawnSync(renderer, [CHART, ...files], { encoding: "utf8" });

  it("gives what is kept beside its values; `vitest run -u` keeps it anew", { timeout: 600_000 }, async () => {
    execFileSync(String(go), ["build", "-o", renderer, join(import.meta.dirname, "render.go")], { env });
    for (const name of VALUES) {
      const { status, stdout, stderr } = render(valuesFile(name));
      expect({ status, stderr }, name).toEqual({ status: 0, stderr: "" });
      await expect(madeFrom(name) + stdout).toMatchFileSnapshot(renderedFile(name));
    }
  });

  it("refuses in plain words what would not be safe, or not work", () => {
    const said = (values: string): string => {
      const file = join(folder, "values.yaml");
      writeFileSync(file, values);
      return render(file).stderr;
    };
    const database = "database: { existingSecret: d }\n";
    expect(said("{}")).toContain("Set host to the name people use");
    expect(said("host: a.example")).toContain("Set database.existingSecret");
    expect(said(`host: a.example\n${database}`)).toContain("Keys would travel in the clear");
    const secure = `host: a.example\n${database}tls: { existingSecret: t }\n`;
    expect(said(`${secure}ingress: { enabled: true }`)).toContain(
      "believed only where trustedProxies names its networks",
    );
    expect(said(`${secure}bot: { enabled: true }`)).toContain("Set bot.existingSecret");
    expect(said(`${secure}bot: { enabled: true, existingSecret: b, replicas: 2 }`)).toContain(
      "share their work through PostgreSQL",
    );
    expect(said(`${secure}model: { baseUrl: "http://m" }`)).toContain("set model.name");
    expect(said(secure)).toBe("");
  });
});
