// Put into a browser page by capture.ts: reads one page with every contestant, in the order given.
import { Readability } from "@mozilla/readability";
import { readPageAtOnce } from "@threadlore/documents/read-page";
import defuddle, { type DefuddleOptions } from "defuddle";

/** The package is CommonJS and exports the class itself; its types speak of a default export, which is not there. */
const Defuddle = defuddle as unknown as new (
  page: Document,
  options: DefuddleOptions,
) => { parse(): { content?: string } };

/** Text of one contestant, and how long it took after the page was parsed. */
export interface Reading {
  readonly text: string;
  readonly milliseconds: number;
}

const READERS: Readonly<Record<string, (page: Document, url: string) => string>> = {
  Readability: (page) => textOf(new Readability(page).parse()?.content ?? ""),
  Defuddle: (page, url) => textOf(new Defuddle(page, { url }).parse().content ?? ""),
  threadlore: (page, url) =>
    // As the extension asks for it.
    readPageAtOnce(page, { url })
      .parts.map(({ heading, text }) => `${heading}\n${text}`)
      .join("\n"),
};

/**
 * Reads a page with each contestant; each gets a document of its own. What throws has found nothing.
 *
 * @public called in the browser, by its name in the script
 */
export function readWithAll(html: string, url: string, order: readonly string[]): Record<string, Reading> {
  return Object.fromEntries(
    order.map((name) => {
      const page = parsed(html, url);
      const start = performance.now();
      let text = "";
      try {
        text = READERS[name]?.(page, url) ?? "";
      } catch {
        // An empty text is scored as such.
      }
      return [name, { text, milliseconds: performance.now() - start }];
    }),
  );
}

function parsed(html: string, url: string): Document {
  const page = new DOMParser().parseFromString(html, "text/html");
  const base = page.createElement("base");
  base.href = url;
  page.head.prepend(base);
  return page;
}

const APART =
  "address,article,aside,blockquote,br,dd,details,div,dl,dt,figcaption,figure,footer,form,h1,h2,h3,h4,h5,h6,header,hr,li,main,nav,ol,p,pre,section,summary,table,td,th,tr,ul";

/** The words of an extractor's HTML, with blanks between blocks. */
function textOf(html: string): string {
  const page = new DOMParser().parseFromString(html, "text/html");
  for (const element of page.querySelectorAll("script,style,noscript,template")) element.remove();
  for (const element of page.body.querySelectorAll(APART)) {
    element.before(" ");
    element.after(" ");
  }
  return page.body.textContent ?? "";
}
