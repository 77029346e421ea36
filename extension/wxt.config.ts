import { fileURLToPath } from "node:url";
import { defineConfig } from "wxt";
import { manifestOf, servedManifestOf } from "./src/building/manifest.ts";
import { SHOWN_SOURCES } from "./src/building/sources.ts";

const WORKSPACE = fileURLToPath(new URL("..", import.meta.url));

export default defineConfig({
  modules: ["@wxt-dev/i18n/module"],
  manifestVersion: 3,
  // A name that people see where they choose what to load: dialogs hide what begins with a dot.
  outDir: "dist",
  // Every name is imported where it is used.
  imports: false,
  manifest: ({ browser, command }) => (command === "serve" ? servedManifestOf(browser) : manifestOf(browser)),
  zip: {
    artifactTemplate: "threadlore-{{packageVersion}}-{{browser}}.zip",
    sourcesTemplate: "threadlore-{{packageVersion}}-sources.zip",
    // Whoever reviews the Firefox package builds it from this, with the workspace's one lockfile.
    sourcesRoot: WORKSPACE,
    includeSources: [...SHOWN_SOURCES],
    excludeSources: ["**/*.{harness,long}.ts", "**/{fixtures,testing}/**"],
  },
  vite: ({ command }) => ({
    plugins: [
      {
        // WXT's own start of the worker reports what the browser reports as well; while it serves, it does more.
        name: "plain-worker",
        enforce: "pre",
        apply: () => command === "build",
        load(id) {
          const [, path] = /^\0virtual:wxt-background-entrypoint\?(.*)$/.exec(id) ?? [];
          return path === undefined ? null : `import worker from ${JSON.stringify(path)}; worker.main();`;
        },
      },
      {
        // Vite would look for style sheets and scripts to load ahead of each import: here they lie beside it.
        name: "plain-imports",
        enforce: "pre",
        load: (id) => (id === "\0vite/preload-helper.js" ? "export const __vitePreload = (load) => load();" : null),
        // Nor is it told which those are: a list of them would stand in each file that loads another.
        renderChunk: (code) => code.replaceAll("__VITE_PRELOAD__", "0"),
      },
    ],
    build: {
      target: "es2023",
      modulePreload: false,
      // The PDF reader asks for it in a branch for Node.
      rolldownOptions: { checks: { emptyImportMeta: false } },
    },
  }),
});
