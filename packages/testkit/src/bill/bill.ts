import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { repositoryRoot } from "../shared-folder.ts";
import { pnpm } from "./pnpm.ts";

/** A part of a bill of materials, as far as this looks into it. */
export interface Component {
  readonly group?: string;
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly licenses?: readonly unknown[];
  readonly scope?: "required" | "optional" | "excluded";
  readonly externalReferences?: readonly {
    readonly type: string;
    readonly hashes?: readonly { readonly alg: string; readonly content: string }[];
  }[];
}

/** A bill of materials of CycloneDX, as JSON. */
export interface Bill {
  readonly specVersion: string;
  readonly serialNumber?: string;
  readonly components: readonly Component[];
}

/**
 * One bill of three that pnpm writes: all that the lockfile names, with hashes; what of it is installed here, with licences; and
 * what ships. What only tests and the build need has the scope `excluded`. What is for other systems is not here to be
 * looked into: it has the scope `optional` and no licence, since none is guessed.
 */
export function mergedBill(named: Bill, installed: Bill, shipped: Bill): Bill {
  const whole = new Map(installed.components.map((one) => [one.purl, one]));
  const ships = new Set(shipped.components.map(({ purl }) => purl));
  const components = named.components.map((one) => {
    const here = whole.get(one.purl);
    const scope = here === undefined ? "optional" : ships.has(one.purl) ? "required" : "excluded";
    return { ...one, ...here, scope } as const;
  });
  return { ...named, components: components.toSorted((one, other) => (one.purl < other.purl ? -1 : 1)) };
}

/** The bill of this workspace as it is installed, by its lockfile. Asks no registry. */
export async function billOfWorkspace(): Promise<Bill> {
  const [named, installed, shipped] = await Promise.all([
    written(["--lockfile-only"]),
    written([]),
    written(["--lockfile-only", "--prod"]),
  ]);
  return mergedBill(named, installed, shipped);
}

async function written(options: readonly string[]): Promise<Bill> {
  const [program = "", ...words] = pnpm();
  const asked = ["sbom", "--sbom-format", "cyclonedx", "--sbom-spec-version", "1.6", "--sbom-type", "application"];
  const { stdout } = await promisify(execFile)(program, [...words, ...asked, ...options], {
    cwd: repositoryRoot,
    maxBuffer: 64_000_000,
  });
  return JSON.parse(stdout) as Bill;
}
