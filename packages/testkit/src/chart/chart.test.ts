import { spawnSync } from "node:child_process";
import { readFileSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv } from "ajv";
import { describe, expect, it } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { repositoryRoot } from "../shared-folder.ts";
import { temporaryFolder } from "../tidying.ts";
import { CHART, madeFrom, renderedFile, VALUES, valuesFile } from "./chart.ts";

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec?: { readonly template?: { readonly spec: PodSpec } };
}

interface PodSpec {
  readonly automountServiceAccountToken?: boolean;
  readonly securityContext?: object;
  readonly containers: readonly {
    readonly securityContext?: object;
    readonly args?: readonly string[];
    readonly env?: readonly { readonly name: string; readonly value?: string }[];
    readonly volumeMounts?: readonly { readonly mountPath: string }[];
  }[];
}

const rendered = (name: string): string => readFileSync(renderedFile(name), "utf8");
const manifests = (name: string): Manifest[] => parseAllDocuments(rendered(name)).map((one) => one.toJS() as Manifest);
const pods = (name: string) => manifests(name).flatMap(({ spec }) => spec?.template?.spec ?? []);

/** Which types of Kubernetes' interface describe a manifest. */
function typeOf({ apiVersion, kind }: Manifest): string {
  const [group = "", version] = apiVersion.includes("/") ? apiVersion.split("/") : ["core", apiVersion];
  return `import("kubernetes-types/${group.replace(".k8s.io", "")}/${version}").${kind}`;
}

/** What TypeScript says of manifests as values of Kubernetes' own types: a field nobody knows is an error, too. */
function wrongIn(all: readonly Manifest[]): string {
  const folder = temporaryFolder();
  const types = realpathSync(join(repositoryRoot, "packages/testkit/node_modules/kubernetes-types"));
  const compilerOptions = {
    strict: true,
    noEmit: true,
    module: "nodenext",
    types: [],
    paths: { "kubernetes-types/*": [`${types}/*`] },
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["manifests.ts"] }));
  const lines = all.map(
    (one, index) => `export const m${index}: ${typeOf(one)} = ${JSON.stringify(one, undefined, 1)};\n`,
  );
  writeFileSync(join(folder, "manifests.ts"), lines.join(""));
  return spawnSync(join(repositoryRoot, "node_modules/.bin/tsc"), ["-p", folder], { encoding: "utf8" }).stdout;
}

describe("the Helm chart", () => {
  it.each(VALUES)(
    "was rendered with %s as it is now; `THREADLORE_LONG=1 vitest run -u chart.long.ts` does it anew",
    (name) => {
      expect(rendered(name).startsWith(madeFrom(name))).toBe(true);
    },
  );

  it("gives what Kubernetes' interface knows, and no field besides", () => {
    const all = VALUES.flatMap(manifests);
    expect(new Set(all.map(({ kind }) => kind))).toEqual(
      new Set(["Service", "StatefulSet", "PodDisruptionBudget", "NetworkPolicy", "Ingress"]),
    );
    expect(wrongIn(all)).toBe("");
    const [first] = all;
    expect(wrongIn([{ ...first, spec: { ...first?.spec, replicass: 2 } } as unknown as Manifest])).toContain(
      "replicass",
    );
  });

  it.each(VALUES)(
    "runs with %s as the Pod Security Standards restrict it, and on a file system it cannot write to",
    (name) => {
      for (const pod of pods(name)) {
        expect(pod.automountServiceAccountToken).toBe(false);
        expect(pod.securityContext).toMatchObject({
          runAsNonRoot: true,
          runAsUser: 1000,
          seccompProfile: { type: "RuntimeDefault" },
        });
        for (const { securityContext } of pod.containers) {
          expect(securityContext).toEqual({
            allowPrivilegeEscalation: false,
            readOnlyRootFilesystem: true,
            capabilities: { drop: ["ALL"] },
          });
        }
      }
    },
  );

  it.each(VALUES)("has with %s no secret in an environment, and mounts every file it names", (name) => {
    for (const { containers } of pods(name)) {
      for (const { env = [], volumeMounts = [], args = [] } of containers) {
        const files = [
          ...env.filter((one) => one.name.endsWith("_FILE")).map(({ value = "" }) => value),
          ...args.filter((one) => one.startsWith("/run/")),
        ];
        expect(files.length).toBeGreaterThan(0);
        expect(files.filter((file) => !volumeMounts.some(({ mountPath }) => file.startsWith(`${mountPath}/`)))).toEqual(
          [],
        );
        expect(
          env.filter((one) => /KEY|TOKEN|SECRET|PASSWORD|DATABASE_URL/.test(one.name) && !one.name.endsWith("_FILE")),
        ).toEqual([]);
      }
    }
  });

  it("gives the bot a secret for people's own accounts where they are wanted, and a way to a database only where it has one", () => {
    const bot = (name: string) =>
      JSON.stringify(manifests(name).filter(({ metadata }) => metadata.name.endsWith("-bot")));
    expect(bot("everything")).toContain('"ACCOUNTS_SECRET_FILE","value":"/run/secrets/bot/accounts-secret"');
    expect(bot("everything")).toContain('"THREADLORE_CA_FILE","value":"/run/secrets/bot/authority"');
    expect(bot("everything")).toMatch(/"ports":\[\{"port":6432,"protocol":"TCP"\}\],"to":\[\{"ipBlock"/);
    expect(bot("behind-ingress")).not.toMatch(/ACCOUNTS_SECRET|THREADLORE_CA|5432/);
    expect(bot("behind-ingress")).toContain('"port":443');
  });

  it("has a schema of its values, which takes those it has and those of the tests, and no misspelt or secret one", () => {
    const schema = JSON.parse(readFileSync(join(CHART, "values.schema.json"), "utf8")) as object;
    const isValid = new Ajv({ strict: false }).compile(schema);
    const own = parse(readFileSync(join(CHART, "values.yaml"), "utf8")) as Record<string, unknown>;
    for (const values of [
      own,
      ...VALUES.map((name) => ({ ...own, ...(parse(readFileSync(valuesFile(name), "utf8")) as object) })),
    ]) {
      expect(isValid(values) ? [] : isValid.errors).toEqual([]);
    }
    const wrong = [
      { hosts: "a" },
      { replicas: 0 },
      { image: {} },
      { bot: { settings: { SLACK_BOT_TOKEN: "xoxb" } } },
      { bot: { settings: { ACCOUNTS_SECRET: "s" } } },
      { storage: { size: "10" } },
    ];
    for (const values of wrong) expect(isValid({ ...own, ...values }), JSON.stringify(values)).toBe(false);
    // A value that nothing takes would be a promise nobody keeps.
    expect(Object.keys((schema as { properties: object }).properties).toSorted()).toEqual(
      [...Object.keys(own), "global"].toSorted(),
    );
  });
});
