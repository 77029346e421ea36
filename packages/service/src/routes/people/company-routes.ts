import type { SignInFailure } from "@threadlore/sign-in";
import type { ServiceContext } from "../../context.ts";
import { toldOrigin } from "../../http/arrival.ts";
import { type Route, route } from "../../http/route.ts";
import { begunCookie, browserThatBegan, newBrowser } from "../../sign-in/begun-browser.ts";
import { beginSession, ownPath, placeOf } from "../../sign-in/browser.ts";
import { html } from "../../sign-in/html.ts";
import { leadTo, page } from "../../sign-in/page.ts";
import { countAttempt, dropOldAttempts, takeBack } from "../../store/people/attempts.ts";
import { keepPending, takePending } from "../../store/people/company-sign-ins.ts";
import { signIn } from "../../store/people/persons.ts";
import { PersonError } from "../../store/people/user-names.ts";
import type { Steps } from "../../store/steps.ts";

/** Where the button to the company's identity provider leads. */
export const COMPANY_PATH = "/sign-in/company";
/** Where the provider sends the browser back to; registered there. */
const CALLBACK_PATH = "/sign-in/callback";

type Kind = SignInFailure["kind"] | "disabled";

/** Sign-ins of one place that are begun and not ended: no place pushes out what others began. */
const FROM_PLACE = { most: 1_000, seconds: 600 };

const begunFrom = (request: Request): string => `company sign-ins from ${placeOf(request)}`;

function* counted(begun: string, now: number): Steps<number> {
  yield* dropOldAttempts(now);
  return yield* countAttempt(begun, FROM_PLACE, now);
}

/** The two ways between this service and the company's identity provider; none where there is no such provider. */
export function companyRoutes(context: ServiceContext): readonly Route[] {
  const { company, store, now, log, keepOpen } = context;
  if (company === undefined) return [];

  /** Says what happened to whoever wanted to sign in, and why to the log. */
  function failed(request: Request, kind: Kind, reason: string, next?: string): Response {
    // The provider would send the same account back at once.
    const again = ["outsider", "declined", "disabled"].includes(kind) ? `${COMPANY_PATH}?as=another&` : "/sign-in?";
    log.warn("sign-in failed", { kind, reason });
    return page(
      request,
      (words) => ({
        title: words.notDone,
        body: html`<p class="warn" role="alert">${words.companyFailed[kind]}</p>
          <p><a class="button" href="${again}next=${encodeURIComponent(ownPath(next))}">${words.signIn}</a></p>`,
      }),
      { status: kind === "unreachable" ? 503 : 403 },
    );
  }

  async function told(request: Request, next: string | undefined, action: () => Promise<Response>): Promise<Response> {
    try {
      return await action();
    } catch (error) {
      if (isFailure(error)) return failed(request, error.kind, error.reason, next);
      if (error instanceof PersonError) return failed(request, "untrusted", error.message, next);
      throw error;
    }
  }

  return [
    route(`GET ${COMPANY_PATH}`, "anyone", "Send a browser to the company's identity provider", {
      isPage: true,
      query: ["next", "as"],
      handle: ({ request, query }) =>
        told(request, query("next"), async () => {
          const wait = await store.write(() => counted(begunFrom(request), now()));
          if (wait > 0) return tooMany(request, wait);
          const redirectUri = `${toldOrigin(request)}${CALLBACK_PATH}`;
          const { url, pending } = await company.begin({ redirectUri, isAnother: query("as") === "another" });
          const next = ownPath(query("next"));
          // One for all tabs of a browser: each may end what it began.
          const browser = browserThatBegan(request) ?? newBrowser();
          await store.write(() => keepPending({ pending: { ...pending, begunAt: now() }, browser, next }, now()));
          return leadTo(url, { "Set-Cookie": begunCookie(request, browser) });
        }),
    }),
    route(`GET ${CALLBACK_PATH}`, "anyone", "Sign in whom the company's identity provider sends back", {
      isPage: true,
      query: ["state"],
      handle: async ({ request, query }) => {
        const [browser, state] = [browserThatBegan(request), query("state")];
        const begun =
          browser === undefined || state === undefined
            ? undefined
            : await store.write(() => takePending(state, browser, now()));
        if (begun === undefined) return failed(request, "stale", "this browser began no such sign-in, or ended it");
        const { pending, next } = begun;
        return told(request, next, async () => {
          const identity = await company.finish(request.url, pending, now());
          const person = await store.write(() => signIn(identity, now()));
          // By itself: whoever else of this place signs in waits for it.
          keepOpen(store.write(() => takeBack(begunFrom(request))));
          if (person === undefined) return failed(request, "disabled", "the account is disabled here", next);
          return beginSession(context, request, person, next);
        });
      },
    }),
  ];
}

function tooMany(request: Request, wait: number): Response {
  return page(
    request,
    (words) => ({
      title: words.notDone,
      body: html`<p class="warn" role="alert">${words.tooMany(Math.ceil(wait / 60))}</p>`,
    }),
    { status: 429, headers: { "Retry-After": String(wait) } },
  );
}

/** Told by its shape: a service without an identity provider never loads the package. */
function isFailure(error: unknown): error is SignInFailure {
  return error instanceof Error && error.name === "SignInFailure";
}
