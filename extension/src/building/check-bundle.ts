import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { gzipSync } from "node:zlib";
import { tooNew } from "./api-baselines.ts";

/**
 * Most bytes each part may take, compressed with gzip: what the panel starts with, what it loads by itself once it is
 * drawn, what it loads with the first question, what it loads when a person opens it, and what only the settings and the
 * first run load.
 */
export const BUDGETS: Readonly<Record<string, number>> = {
  panel: 36_000,
  "once drawn": 42_800,
  "to ask": 51_000,
  "on demand": 26_800,
  settings: 11_300,
  background: 10_500,
  capture: 55_000,
  pdf: 600_000,
};

/** Chunks that the panel loads as soon as it is drawn, by the name of the module they begin with. */
const ONCE_DRAWN = /(?:^|\/)once-drawn[-.]/;
/** Chunks that the panel loads when a question begins to be written, or an earlier one is wanted. */
const TO_ASK = /(?:^|\/)(?:to-ask|wire)[-.]/;

/** Preact's own uses of innerHTML, which nothing of ours reaches: it is in the library once. */
const PREACT_INNER_HTML = 3;

/** What a built folder weighs and what is wrong with it. */
export interface BundleCheck {
  /** Bytes by part, compressed. */
  readonly sizes: Readonly<Record<string, number>>;
  /** In plain words; none: it may be shipped. */
  readonly faults: readonly string[];
}

/** Weighs a built folder and looks for what must not be in it. */
export function checkBundle(folder: string): BundleCheck {
  const scripts = new Map(scriptsOf(folder).map((path) => [path, readFileSync(join(folder, path), "utf8")]));
  const panel = loadedBy(folder, "sidepanel.html", scripts, STATIC);
  const everInPanel = new Set(loadedBy(folder, "sidepanel.html", scripts, EVER));
  const inSettings = ["options.html", "welcome.html"].flatMap((page) => loadedBy(folder, page, scripts, STATIC));
  const settings = [...new Set(inSettings)].filter((path) => !everInPanel.has(path));
  const apart = new Set(["background.js", "read-page.js", ...panel, ...settings]);
  const later = [...scripts.keys()].filter((path) => !apart.has(path));
  const [pdf, others] = [later.filter(isPdf), later.filter((path) => !isPdf(path))];
  const beginning = (names: RegExp) =>
    new Set(
      withImports(
        others.filter((path) => names.test(path)),
        scripts,
        STATIC,
      ),
    );
  const drawn = beginning(ONCE_DRAWN);
  const asked = beginning(TO_ASK);
  const [background, capture] = [["background.js"], ["read-page.js"]];
  const parts = {
    panel,
    background,
    capture,
    settings,
    "once drawn": others.filter((path) => drawn.has(path)),
    "to ask": others.filter((path) => asked.has(path) && !drawn.has(path)),
    "on demand": others.filter((path) => !drawn.has(path) && !asked.has(path)),
    pdf,
  };
  const sizes = Object.fromEntries(
    Object.entries(parts)
      .filter(([, paths]) => paths.length > 0)
      .map(([part, paths]) => [part, sum(paths.map((path) => scripts.get(path) ?? ""))]),
  );
  const heavy = Object.entries(BUDGETS).flatMap(([part, most]) => {
    const bytes = sizes[part] ?? 0;
    return bytes > most ? [`${part} is ${bytes} bytes compressed; ${most} are allowed.`] : [];
  });
  const manifest = JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8")) as Parameters<typeof tooNew>[1];
  const faults = [...heavy, ...forbidden(scripts), ...forbiddenInPages(folder), ...tooNew(scripts, manifest)];
  return { sizes, faults };
}

/** What no script of ours may hold, with the reason a person would want. */
const FORBIDDEN: readonly { readonly pattern: RegExp; readonly why: string }[] = [
  { pattern: /credential\/swap|admin\/tool/, why: "an admin operation" },
  { pattern: /onMessageExternal|onConnectExternal/, why: "a listener for other extensions and pages" },
  { pattern: /\bimportScripts\(|import\(\s*["'`]https?:/, why: "code from elsewhere" },
  { pattern: /\beval\(|dangerouslySetInnerHTML=/, why: "text that becomes code" },
  { pattern: /\.outerHTML\s*=[^=]|insertAdjacentHTML|document\.write\(/, why: "text that becomes markup" },
];

function forbidden(scripts: ReadonlyMap<string, string>): string[] {
  const faults: string[] = [];
  let innerHtml = 0;
  for (const [path, text] of scripts) {
    // The capture script runs in the page, on copies of what is there, and is put there by a click only.
    if (path === "read-page.js" || isPdf(path)) continue;
    innerHtml += (text.match(/innerHTML/g) ?? []).length;
    for (const { pattern, why } of FORBIDDEN)
      if (pattern.test(text)) faults.push(`${path} holds ${why} (${pattern.source}).`);
  }
  if (innerHtml > PREACT_INNER_HTML) {
    faults.push(`innerHTML stands ${innerHtml} times in it; Preact's own uses are ${PREACT_INNER_HTML}.`);
  }
  return faults;
}

function forbiddenInPages(folder: string): string[] {
  return pagesOf(folder).flatMap((page) => {
    const text = readFileSync(join(folder, page), "utf8");
    const inline = /<script(?![^>]*\bsrc=)[^>]*>/i.test(text) || /\son\w+\s*=/i.test(text);
    const remote = /(?:src|href)\s*=\s*["']?(?:https?:)?\/\//i.test(text);
    return [
      ...(inline ? [`${page} holds a script of its own.`] : []),
      ...(remote ? [`${page} loads something from elsewhere.`] : []),
    ];
  });
}

/** An import that is carried out at once, with the address that it names. */
const STATIC = /(?:^|[;}\s])(?:import|export)(?:[^"'`;()]*?from)?\s*["'`](\.{1,2}\/[^"'`]+)["'`]/g;
/** Any import: one that is carried out later, too. */
const EVER = new RegExp(`${STATIC.source}|\\bimport\\(\\s*["'\`](\\.{1,2}/[^"'\`]+)["'\`]`, "g");

/** Scripts a page names, and whatever those import in turn. */
function loadedBy(folder: string, page: string, scripts: ReadonlyMap<string, string>, imports: RegExp): string[] {
  if (!existsSync(join(folder, page))) return [];
  const html = readFileSync(join(folder, page), "utf8");
  return withImports(
    Array.from(html.matchAll(/<script[^>]+src="\/?([^"]+)"/g), ([, path = ""]) => path),
    scripts,
    imports,
  );
}

/** Scripts, and whatever they import in turn. */
function withImports(first: readonly string[], scripts: ReadonlyMap<string, string>, imports: RegExp): string[] {
  const waiting = [...first];
  const loaded = new Set<string>();
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    if (loaded.has(path)) continue;
    loaded.add(path);
    for (const [, now, later = ""] of (scripts.get(path) ?? "").matchAll(imports))
      waiting.push(posix.join(posix.dirname(path), now ?? later));
  }
  return [...loaded];
}

function scriptsOf(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return files.filter((path) => /\.m?js$/.test(path)).map((path) => path.replaceAll("\\", "/"));
}

const isPdf = (path: string): boolean => /pdf/i.test(path);

function pagesOf(folder: string): string[] {
  return readdirSync(folder).filter((path) => path.endsWith(".html"));
}

function sum(texts: readonly string[]): number {
  return texts.reduce((bytes, text) => bytes + (text === "" ? 0 : gzipSync(text, { level: 9 }).length), 0);
}
