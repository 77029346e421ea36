import * as z from "zod/mini";
import type { ServiceContext } from "../../context.ts";
import { type Route, route } from "../../http/route.ts";
import { beginSession, endSession, ownPath, placeOf, signedIn } from "../../sign-in/browser.ts";
import { type Html, html } from "../../sign-in/html.ts";
import { attemptPassword } from "../../sign-in/local.ts";
import { leadTo, page } from "../../sign-in/page.ts";
import { COMPANY_PATH } from "./company-routes.ts";
import type { Words } from "../../sign-in/words/words.ts";

const SignIn = z.object({ user: z.string(), password: z.string(), next: z.optional(z.string()) });

/** The page to sign in, and the way out. */
export function signInPages(context: ServiceContext): readonly Route[] {
  const { company } = context;

  function form(request: Request, next: string | undefined, wrong?: (words: Words) => string, status = 200, wait = 0) {
    const to = ownPath(next);
    const content = (words: Words) => ({ title: words.signIn, body: formOf(words, to, wrong?.(words), company) });
    return page(request, content, { status, headers: wait > 0 ? { "Retry-After": String(wait) } : {} });
  }

  return [
    route("GET /sign-in", "anyone", "The page to sign in", {
      isPage: true,
      query: ["next"],
      handle: async (call) => {
        const next = call.query("next");
        if ((await signedIn(context, call.request)) !== undefined) return leadTo(ownPath(next));
        return form(call.request, next);
      },
    }),
    route("POST /sign-in", "anyone", "Sign in with a user name and a password", {
      isPage: true,
      isForm: true,
      body: { SignIn },
      handle: async ({ request }, { user, password, next }) => {
        const attempted = await attemptPassword(
          context,
          placeOf(request),
          user.slice(0, 500),
          password.slice(0, 1_000),
        );
        if (attempted === "wrong") return form(request, next, (words) => words.wrong, 401);
        if (attempted === "busy") return form(request, next, (words) => words.busy, 503, 2);
        if ("waitSeconds" in attempted) {
          const { waitSeconds: wait } = attempted;
          return form(request, next, (words) => words.tooMany(Math.ceil(wait / 60)), 429, wait);
        }
        return beginSession(context, request, attempted, next);
      },
    }),
    route("POST /account/sign-out", "anyone", "Sign out", {
      isPage: true,
      isForm: true,
      handle: ({ request }) => endSession(context, request),
    }),
  ];
}

function formOf(words: Words, next: string, wrong: string | undefined, company: ServiceContext["company"]): Html {
  const to = company && `${COMPANY_PATH}?next=${encodeURIComponent(next)}`;
  return html`${wrong === undefined ? undefined : html`<p class="warn" role="alert">${wrong}</p>`}
    ${company && html`<p><a class="button" href="${to}">${words.signInWith(company.name)}</a></p>`}
    <form method="post" action="/sign-in">
      <input type="hidden" name="next" value="${next}" />
      <label for="user">${words.userName}</label>
      <input
        id="user"
        name="user"
        autocomplete="username"
        autocapitalize="none"
        spellcheck="false"
        maxlength="200"
        required
      />
      <label for="password">${words.password}</label>
      <input id="password" name="password" type="password" autocomplete="current-password" maxlength="500" required />
      <button>${words.signIn}</button>
    </form>`;
}
