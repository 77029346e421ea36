import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { describe, expect, it } from "vitest";
import { repositoryRoot } from "../shared-folder.ts";
import { committedFiles } from "./workspace.ts";

// This file names what it looks for.
const self = relative(repositoryRoot, import.meta.filename)
  .split(sep)
  .join("/");
const texts = committedFiles()
  .filter((path) => path !== self)
  .filter((path) => existsSync(join(repositoryRoot, path)) && statSync(join(repositoryRoot, path)).size < 5_000_000)
  .map((path) => ({ path, text: readFileSync(join(repositoryRoot, path), "utf8") }))
  .filter(({ text }) => !text.includes("\0"));

/** `path: what was found` for every match. */
function matches(pattern: RegExp, files = texts): string[] {
  return files.flatMap(({ path, text }) => [...text.matchAll(pattern)].map(([found]) => `${path}: ${found}`));
}

const machinePaths = new RegExp("(?<![\\w.~/-])/(?:work|root|home|Users)/\\w[\\w./-]*", "g");
const registryHosts = new RegExp(
  [
    "registry\\.npm[\\w.]*",
    "npmmirror\\.com",
    "npm\\.pkg\\.github",
    "unpkg\\.com",
    "jsdelivr\\.net",
    "artifactory",
    "verdaccio",
  ].join("|"),
  "gi",
);
const secrets = new RegExp(
  [
    "-----BEGIN [A-Z ]*PRIVATE KEY-----",
    "\\bAKIA[0-9A-Z]{16}\\b",
    "\\bgh[pousr]_[A-Za-z0-9]{36}",
    "\\bxox[abeprs]-\\d{6,}-[\\w-]+",
    "\\bxapp-\\d-[A-Z0-9]{8,}-\\d{8,}-[\\w-]+",
    "\\bsk-[A-Za-z0-9_-]{32,}",
    "\\bnpm_[A-Za-z0-9]{36}",
    "\\bon_(?!TEST)[A-Za-z0-9_-]{32,}",
    "\\btl_(?!TEST)[A-Za-z0-9_-]{32,}",
  ].join("|"),
  "g",
);

describe("committed files", () => {
  it("are there to be read", () => {
    expect(texts.length).toBeGreaterThan(50);
  });

  it("hold no path of one machine", () => {
    expect(matches(machinePaths)).toEqual([]);
  });

  it("hold no host of a package registry", () => {
    expect(matches(registryHosts)).toEqual([]);
  });

  it("hold no secret", () => {
    expect(matches(secrets)).toEqual([]);
  });

  it("would be refused with any of these in them", () => {
    const bad = (text: string) => [{ path: "x", text }];
    expect(matches(machinePaths, bad('"/home/ann/threadlore"'))).toHaveLength(1);
    expect(matches(machinePaths, bad("https://x.example/home/page"))).toHaveLength(0);
    expect(matches(registryHosts, bad("https://registry.npmjs.org/ky"))).toHaveLength(1);
    expect(matches(secrets, bad("key: tl_" + "a".repeat(40)))).toHaveLength(1);
    expect(matches(secrets, bad("key: tl_TEST_" + "a".repeat(40)))).toHaveLength(0);
  });
});

/** Targets of links in a markdown text that lead to a file beside it, code left out. */
function relativeLinks(markdown: string): string[] {
  const prose = markdown.replace(/^(```+)[^\n]*\n[\s\S]*?^\1/gm, "").replace(/`[^`\n]*`/g, "");
  const targets = [...prose.matchAll(/\]\(([^)\s]+)[^)]*\)|<img[^>]*\bsrc="([^"]+)"/g)].map(
    ([, link, image]) => link ?? image ?? "",
  );
  return targets.filter((target) => !/^([a-z]+:|\/\/)/i.test(target));
}

/** The anchor a heading gets. */
function anchors(markdown: string): string[] {
  return [...markdown.matchAll(/^#{1,6} +(.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, "")
      .trim()
      .replaceAll(" ", "-"),
  );
}

describe("the workspace's own Node", () => {
  it("is the one that programs are judged by when they are installed", () => {
    const file = (name: string) => readFileSync(join(repositoryRoot, name), "utf8");
    const { devDependencies } = JSON.parse(file("package.json")) as { devDependencies: { node: string } };
    expect(file("pnpm-workspace.yaml")).toContain(`\nnodeVersion: ${devDependencies.node}\n`);
    expect(process.versions.node).toBe(devDependencies.node);
  });
});

describe("links in documents", () => {
  const documents = texts.filter(({ path }) => path.endsWith(".md"));

  it.each(documents)("of $path lead somewhere", ({ path, text }) => {
    const dead = relativeLinks(text).filter((link) => {
      const [file = "", anchor] = link.split("#");
      const target = join(repositoryRoot, file === "" ? path : join(dirname(path), decodeURIComponent(file)));
      if (!existsSync(target)) return true;
      return anchor !== undefined && target.endsWith(".md") && !anchors(readFileSync(target, "utf8")).includes(anchor);
    });
    expect(dead).toEqual([]);
  });

  it("are found in text and not in code", () => {
    expect(relativeLinks("[a](b.md#c) `[d](e)` ![f](g.png)\n```ts\n[h](i)\n```\n[j](https://k)")).toEqual([
      "b.md#c",
      "g.png",
    ]);
    expect(anchors("## How it works: a *tour*")).toEqual(["how-it-works-a-tour"]);
  });
});
