import { dirname, join } from "node:path";
import { importsOf } from "./source-file.ts";
import { dependenciesOf, isTest, type WorkspacePackage } from "./workspace.ts";

/**
 * Which package may import which (A: [B] reads "A imports B"), and no others. `testkit` is left out: everyone may have
 * it as a devDependency.
 */
export const ARROWS: Readonly<Record<string, readonly string[]>> = {
  client: [],
  ask: ["client"],
  documents: ["client", "files", "language"],
  files: [],
  language: [],
  gaps: ["language"],
  mcp: ["client", "ask"],
  outgoing: ["client"],
  installing: [],
  postgres: [],
  "sign-in": [],
  tracing: [],
  service: ["client", "files", "gaps", "language", "mcp", "postgres", "sign-in", "tracing"],
  cli: ["client", "ask", "documents", "service", "files", "mcp", "outgoing", "installing", "tracing"],
  "chat-workspace": [],
  testkit: [],
  // It shows the whole way from a document to a cited answer, so it asks through the client as anybody would.
  demo: ["client", "ask", "cli", "service", "chat-workspace", "bot"],
  bench: [
    "client",
    "ask",
    "documents",
    "files",
    "language",
    "mcp",
    "service",
    "cli",
    "chat-workspace",
    "demo",
    "bot",
    "extension",
  ],
  inbox: ["client", "ask", "postgres"],
  bot: ["client", "ask", "documents", "gaps", "inbox", "mcp", "outgoing", "installing", "tracing"],
  extension: ["client", "ask", "documents", "files"],
};

/** What the tests of a package may import beyond its arrows: the real counterparts they run against. */
const TEST_ARROWS: Readonly<Record<string, readonly string[]>> = {
  bot: ["chat-workspace", "service"],
  extension: ["service"],
};

/**
 * Folders that reach nothing else of their package, apart from these files. Whoever needs them reaches down; their tests
 * may reach up.
 */
const CLOSED_FOLDERS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  bot: { "src/slack/": [] },
  inbox: { "src/store/": [] },
};

/** Entries of the client that speak of no connection: all that the service takes of it. */
const OF_CLIENT = ["/models", "/fence"];

const ours = /^@threadlore\/([^/]+)(\/.*)?$/;

/** Arrows a package.json draws that are not in {@link ARROWS}, in plain words. */
export function forbiddenDependencies({ name, manifest }: Pick<WorkspacePackage, "name" | "manifest">): string[] {
  return dependenciesOf(manifest).flatMap((dependency) => {
    const target = ours.exec(dependency.name)?.[1];
    if (target === undefined) return [];
    if (target === "testkit") {
      const fine = dependency.kind === "devDependencies" && name !== "testkit";
      return fine ? [] : [`${name} has testkit in ${dependency.kind}; it belongs in devDependencies only`];
    }
    if (ARROWS[name]?.includes(target) === true) return [];
    const inTests = dependency.kind === "devDependencies" && TEST_ARROWS[name]?.includes(target) === true;
    return inTests ? [] : [`${name} may not depend on ${target}`];
  });
}

/** One import, with the file it stands in (relative to its package). */
interface WrittenImport {
  file: string;
  specifier: string;
}

/** Every import of a package's files, types included. */
export function importsIn({ folder, sources }: WorkspacePackage): WrittenImport[] {
  return sources.flatMap((file) => importsOf(join(folder, file)).map((specifier) => ({ file, specifier })));
}

/** Why this import may not stand there, or undefined when it may. */
export function forbiddenImport(name: string, { file, specifier }: WrittenImport): string | undefined {
  if (specifier.startsWith(".")) {
    const target = join(dirname(file), specifier);
    if (target.startsWith("..")) return `${name}/${file} reaches out of its package to ${specifier}`;
    const closed = Object.entries(CLOSED_FOLDERS[name] ?? {}).find(([folder]) => file.startsWith(folder));
    if (closed === undefined || isTest(file)) return undefined;
    const [folder, exceptions] = closed;
    const isInside = target.startsWith(folder) || exceptions.includes(target);
    return isInside ? undefined : `${name}/${file} reaches up to ${target}; nothing under ${folder} may`;
  }
  const [, target, entry] = ours.exec(specifier) ?? [];
  if (target === undefined) return undefined;
  if (target === "testkit") {
    const fine = name === "bench" || (name !== "testkit" && isTest(file));
    return fine ? undefined : `${name}/${file} imports testkit, which only tests may`;
  }
  if (isTest(file) && TEST_ARROWS[name]?.includes(target) === true) return undefined;
  if (ARROWS[name]?.includes(target) !== true) return `${name}/${file} may not import ${specifier}`;
  if (name === "service" && target === "client" && !isTest(file) && !OF_CLIENT.includes(entry ?? "")) {
    return `${name}/${file} imports ${specifier}; of the client, service imports only its models and its fence`;
  }
  return undefined;
}
