/**
 * Parts of Defuddle that `readPage` never reaches, or whose work it does itself, by their files; and what stands in for
 * each. With what only they need they are two thirds of it.
 */
const STAND_INS: Readonly<Record<string, string>> = {
  // Make clean HTML of what was found. `readPage` asks for none: it writes text from the page's own elements.
  "standardize.js": "export const standardizeContent = () => {};",
  "elements/footnotes.js": "export const standardizeFootnotes = () => {};",
  "elements/callouts.js": "export const standardizeCallouts = () => {};",
  "removals/small-images.js":
    "export const findSmallImages = () => new Set(); export const removeSmallImages = () => {};",
  // Knows single sites, and would ask some of them for more than the page shows.
  "extractor-registry.js": "export const ExtractorRegistry = { findExtractor: () => null };",
  // Reads what the page says about itself. Of that the title matters, and that there may be a line with author and date.
  "metadata.js": `export const MetadataExtractor = { extract: ({ title }) => ({ title, published: "?" }) };`,
};

const STAND_IN = "\0lean-defuddle:";
const ITSELF = "\0lean-defuddle-itself:";
const FOLDER = "/defuddle/dist/";

/** What a bundler tells of where it is. */
interface Bundling {
  resolve(
    source: string,
    importer: string,
    options: { readonly skipSelf: boolean },
  ): Promise<{ readonly id: string } | null>;
}

/** A plugin of Rolldown or Vite, as far as one is needed here. */
export interface LeanDefuddle {
  readonly name: string;
  /** Vite would find the modules itself before. */
  readonly enforce: "pre";
  resolveId(this: Bundling, source: string, importer: string | undefined): Promise<string | null>;
  load(id: string): string | null;
}

/**
 * Has a script of `@threadlore/documents/read-page` bundled with no more of Defuddle than it reaches. Without it the
 * script judges much the same, takes longer, and is twice as large.
 */
export function leanDefuddle(): LeanDefuddle {
  return {
    name: "lean-defuddle",
    enforce: "pre",
    async resolveId(source, importer) {
      const from = importer?.replaceAll("\\", "/") ?? "";
      if (source === "defuddle" && /\/judgement\/extractors\.[jt]s$/.test(from)) {
        const whole = await this.resolve(source, from, { skipSelf: true });
        return whole === null ? null : ITSELF + whole.id.replace(/[^\\/]+$/, "defuddle.js");
      }
      const folder = from.lastIndexOf(FOLDER) + FOLDER.length;
      if (folder < FOLDER.length || !source.startsWith(".")) return null;
      const part = `${new URL(source, `file:///${from.slice(folder)}`).pathname.slice(1)}.js`;
      return part in STAND_INS ? STAND_IN + part : null;
    },
    load(id) {
      // The whole package's module is the class itself; its part exports it by name.
      if (id.startsWith(ITSELF))
        return `export { Defuddle as default } from ${JSON.stringify(id.slice(ITSELF.length))};`;
      return id.startsWith(STAND_IN) ? (STAND_INS[id.slice(STAND_IN.length)] ?? null) : null;
    },
  };
}
