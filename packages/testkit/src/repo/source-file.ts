import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseSync } from "oxc-parser";

/** Something a module exports. */
export interface ExportedName {
  name: string;
  /** Exported for types only. A name that is a value as well is not. */
  typeOnly: boolean;
  /** Has a JSDoc comment where it is declared. */
  documented: boolean;
}

type Statement = ReturnType<typeof parseSync>["program"]["body"][number];
type Declared = { names: string[]; typeOnly: boolean; documented: boolean };

/** What a module imports, as written: static, dynamic, re-exports and `import("…")` types alike. */
export function importsOf(path: string, source = readFileSync(path, "utf8")): string[] {
  const imported = parseSync(path, source).module.staticImports.map((one) => one.moduleRequest.value);
  const dynamic = [...source.matchAll(/\bimport\(\s*["']([^"']+)["']/g)].map(([, specifier = ""]) => specifier);
  return [...new Set([...imported, ...reexportsOf(path, source), ...dynamic])];
}

/** What a module exports straight from elsewhere (`export … from "x"`), as written. */
export function reexportsOf(path: string, source = readFileSync(path, "utf8")): string[] {
  return [...new Set(entriesOf(path, source).flatMap(({ moduleRequest }) => moduleRequest?.value ?? []))];
}

/** Whether a module has a default export. */
export function hasDefaultExport(path: string, source = readFileSync(path, "utf8")): boolean {
  return entriesOf(path, source).some(
    ({ exportName }) => exportName.kind === "Default" || exportName.name === "default",
  );
}

function entriesOf(path: string, source: string) {
  return parseSync(path, source).module.staticExports.flatMap((statement) => statement.entries);
}

/** What a module exports, re-exports followed to where they are declared. Default exports are left out. */
export function exportsOf(path: string): ExportedName[] {
  const source = readFileSync(path, "utf8");
  const declared = declarationsIn(path, source);
  const found = new Map<string, ExportedName>();
  const add = (one: ExportedName) => {
    const known = found.get(one.name);
    found.set(one.name, {
      name: one.name,
      typeOnly: one.typeOnly && known?.typeOnly !== false,
      documented: one.documented || known?.documented === true,
    });
  };
  for (const entry of entriesOf(path, source)) {
    if (entry.exportName.kind === "Default") continue;
    if (entry.moduleRequest !== null) {
      const target = join(dirname(path), entry.moduleRequest.value);
      const theirs = existsSync(target) ? exportsOf(target) : [];
      if (entry.exportName.kind === "None") theirs.forEach(add);
      const original = theirs.find((one) => one.name === entry.importName.name);
      const name = entry.exportName.name;
      if (name !== null) {
        add({
          name,
          typeOnly: entry.isType || original?.typeOnly === true,
          documented: original?.documented === true,
        });
      }
      continue;
    }
    const name = entry.exportName.name;
    const local = declared.filter((one) => one.names.includes(entry.localName.name ?? ""));
    if (name === null) continue;
    add({
      name,
      typeOnly: entry.isType || (local.length > 0 && local.every((one) => one.typeOnly)),
      documented: local.some((one) => one.documented),
    });
  }
  return [...found.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** The names of the types and classes a module declares and exports itself. */
export function declaredTypesOf(path: string): string[] {
  const { program } = parseSync(path, readFileSync(path, "utf8"));
  return program.body.flatMap((statement) => {
    const declaration = statement.type === "ExportNamedDeclaration" ? statement.declaration : null;
    if (declaration === null) return [];
    const isClass = declaration.type === "ClassDeclaration";
    const { names, typeOnly } = namesIn(declaration);
    return typeOnly || isClass ? names : [];
  });
}

/** The top-level declarations of a module and whether a JSDoc comment stands right before each. */
function declarationsIn(path: string, source: string): Declared[] {
  const { program, comments } = parseSync(path, source);
  const docEnds = comments.filter((one) => one.type === "Block" && one.value.startsWith("*")).map((one) => one.end);
  return program.body.flatMap((statement) => {
    const documented = docEnds.some(
      (end) => end <= statement.start && source.slice(end, statement.start).trim() === "",
    );
    const declaration = statement.type === "ExportNamedDeclaration" ? statement.declaration : statement;
    return declaration === null ? [] : [{ ...namesIn(declaration), documented }];
  });
}

function namesIn(declaration: Statement | object): { names: string[]; typeOnly: boolean } {
  if (!("type" in declaration)) return { names: [], typeOnly: false };
  switch (declaration.type) {
    case "VariableDeclaration":
      return {
        names: declaration.declarations.flatMap((one) => (one.id.type === "Identifier" ? [one.id.name] : [])),
        typeOnly: false,
      };
    case "FunctionDeclaration":
    case "TSDeclareFunction":
    case "ClassDeclaration":
      return { names: declaration.id === null ? [] : [declaration.id.name], typeOnly: false };
    case "TSInterfaceDeclaration":
    case "TSTypeAliasDeclaration":
      return { names: [declaration.id.name], typeOnly: true };
    default:
      return { names: [], typeOnly: false };
  }
}
