import { createHash } from "node:crypto";
import { toldOrigin } from "../http/arrival.ts";
import { isPage } from "../http/checks.ts";
import type { Problem } from "../http/problem.ts";
import { Html, html } from "./html.ts";
import type { Words } from "./words/words.ts";
import { wordsFor } from "./words/words-for.ts";

const STYLE =
  ":root{color-scheme:light dark;--ink:#1c1c1e;--soft:#5b5b62;--line:#c9c9d1;--ground:#fff;--strong:#1f5fbf;--on:#fff;--warn:#9a3412}" +
  "@media(prefers-color-scheme:dark){:root{--ink:#ececf0;--soft:#a8a8b3;--line:#4a4a55;--ground:#17171b;--strong:#8ab4ff;--on:#10131a;--warn:#fdba74}}" +
  "*{box-sizing:border-box}body{margin:0 auto;padding:2rem 1rem 4rem;max-width:34rem;background:var(--ground);color:var(--ink);" +
  "font:1rem/1.5 system-ui,sans-serif;overflow-wrap:anywhere}h1{font-size:1.5rem;line-height:1.2;margin:0 0 1rem}h2{font-size:1.1rem;margin:2rem 0 .5rem}" +
  "label{display:block;margin:1rem 0 .25rem;font-weight:600}input{width:100%;font:inherit;padding:.6rem;color:inherit;background:transparent;border:1px solid var(--line);border-radius:.4rem}" +
  "input.code{font:600 1.5rem/1.4 ui-monospace,monospace;letter-spacing:.1em;text-transform:uppercase}" +
  "button,a.button{display:inline-block;min-height:2.75rem;margin:1rem .5rem 0 0;padding:.55rem 1.1rem;font:inherit;font-weight:600;cursor:pointer;text-decoration:none;" +
  "color:var(--on);background:var(--strong);border:1px solid var(--strong);border-radius:.4rem}button.quiet{color:var(--ink);background:transparent;border-color:var(--line)}" +
  ":focus-visible{outline:3px solid var(--strong);outline-offset:2px}.warn{border-left:.25rem solid var(--warn);padding:.1rem 0 .1rem .8rem;color:var(--warn);font-weight:600}" +
  ".said{border-left:.25rem solid var(--strong);padding:.1rem 0 .1rem .8rem}.soft{color:var(--soft)}.foreign{background:color-mix(in srgb,var(--line) 35%,transparent);padding:.05rem .3rem;border-radius:.25rem}" +
  "dl{margin:1rem 0}dt{color:var(--soft);margin-top:.6rem}dd{margin:0}ul{list-style:none;margin:0;padding:0}li{padding:.8rem 0;border-top:1px solid var(--line)}li form{margin:0}li button{margin-top:.4rem}";

/** To the byte what the policy names. */
const STYLE_ELEMENT = new Html(`<style>${STYLE}</style>`);

/** No script, no picture, nothing of anybody else, in no frame; forms go to this service alone. */
const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash("sha256").update(STYLE).digest("base64")}'`,
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join("; ");

const HEADERS: Readonly<Record<string, string>> = {
  "Content-Type": "text/html; charset=utf-8",
  "Content-Security-Policy": POLICY,
  "X-Frame-Options": "DENY",
  // With no referrer at all a browser would not say either which page a form was sent from.
  "Referrer-Policy": "same-origin",
  "Cache-Control": "no-store",
  "Cross-Origin-Opener-Policy": "same-origin",
  Vary: "Accept-Language, Cookie",
};

interface PageOptions {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  /** Where a form of the page may lead besides this service: an address without anything a policy would read as its own. */
  readonly formsTo?: string;
}

/** A page of this service, in the language the browser asks for. */
export function page(
  request: Request,
  content: (words: Words) => { title: string; body: Html },
  { status = 200, headers = {}, formsTo }: PageOptions = {},
): Response {
  const words = wordsFor(request.headers.get("accept-language"));
  const { title, body } = content(words);
  const { text } = html`<!doctype html>
    <html lang="${words.language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${title} – Threadlore</title>
        ${STYLE_ELEMENT}
      </head>
      <body>
        <main>
          <h1>${title}</h1>
          ${body}
        </main>
      </body>
    </html> `;
  const policy = formsTo === undefined ? POLICY : POLICY.replace("form-action 'self'", `form-action 'self' ${formsTo}`);
  const told = { ...HEADERS, "Content-Security-Policy": policy, "Content-Language": words.language, ...headers };
  return new Response(text, { status, headers: told });
}

/** Leads on to another page of this service. */
export function leadTo(path: string, headers: Record<string, string> = {}): Response {
  return new Response(null, { status: 303, headers: { Location: path, "Cache-Control": "no-store", ...headers } });
}

/** Whether whoever sent a request looks at pages. */
export function isPageOf(request: Request): boolean {
  return isPage(request) && (request.headers.get("accept") ?? "").includes("text/html");
}

/** A refusal, as a page. */
export function problemPage(request: Request, { status, body: refused, message, headers }: Problem): Response {
  const detail = (words: Words): string => {
    if (status === 422) return words.notUnderstood;
    if (refused["error_code"] === "ORIGIN_NOT_ALLOWED") return words.notFromHere(`${toldOrigin(request)}/account`);
    return status >= 500 ? words.later : message;
  };
  return page(
    request,
    (words) => ({
      title: words.notDone,
      body: html`<p class="warn">${detail(words)}</p>
        <p><a href="/account">${words.toAccount}</a></p>`,
    }),
    { status, headers: { ...headers } },
  );
}
