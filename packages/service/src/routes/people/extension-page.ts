import * as z from "zod/mini";
import type { ServiceContext } from "../../context.ts";
import { type Call, type Route, route } from "../../http/route.ts";
import { endSession, type SignedIn, signedIn, signInFirst } from "../../sign-in/browser.ts";
import { type CodeRequest, codeRequestOf, fieldsOf } from "../../sign-in/code-request.ts";
import { foreign, type Html, html } from "../../sign-in/html.ts";
import { page } from "../../sign-in/page.ts";
import type { Words } from "../../sign-in/words/words.ts";
import { countAttempt } from "../../store/people/attempts.ts";
import { giveCode } from "../../store/people/authorization-codes.ts";
import type { Steps } from "../../store/steps.ts";

/** Where an extension sends the browser. */
const AUTHORIZE_PATH = "/sign-in/authorize";

const Field = z.string();
const ExtensionAnswer = z.object({
  response_type: Field,
  client_id: Field,
  purpose: Field,
  redirect_uri: Field,
  code_challenge: Field,
  code_challenge_method: Field,
  state: Field,
  answer: z.enum(["agree", "refuse", "another"]),
});

const QUERY = [
  "response_type",
  "client_id",
  "purpose",
  "redirect_uri",
  "code_challenge",
  "code_challenge_method",
  "state",
] as const;

/** Codes one person may be given. */
const OF_PERSON = { most: 30, seconds: 600 };

/**
 * The page on which a person lets a browser extension have a key to their account (RFC 6749, section 4.1, with RFC 7636).
 * Extensions are not registered: what their browser tells them apart by is shown. Nothing is kept before the person agrees, and
 * nothing leads anywhere but to the extension.
 */
export function extensionPages(context: ServiceContext): readonly Route[] {
  const { store, now } = context;
  return [
    route(`GET ${AUTHORIZE_PATH}`, "anyone", "The page where a person sees which browser extension asks for a key", {
      isPage: true,
      query: QUERY,
      handle: async ({ request }) => {
        const asked = codeRequestOf(new URL(request.url).searchParams);
        if (asked === undefined) return notWhole(request);
        const person = await signedIn(context, request);
        if (person === undefined) return signInFirst(pathOf(asked));
        const body = (words: Words) => askForm(words, person, asked);
        // The browser follows what a form leads to only where its page says so.
        return page(request, (words) => ({ title: words.extension, body: body(words) }), { formsTo: asked.redirect });
      },
    }),
    route(`POST ${AUTHORIZE_PATH}/answer`, "anyone", "Agree that a browser extension gets a key, or refuse", {
      isPage: true,
      isForm: true,
      body: { ExtensionAnswer },
      handle: async ({ request }: Call, { answer, ...fields }) => {
        const asked = codeRequestOf(new URLSearchParams(fields));
        if (asked === undefined) return notWhole(request);
        const person = await signedIn(context, request);
        if (person === undefined) return signInFirst(pathOf(asked));
        if (answer === "another") {
          const signedOut = await endSession(context, request);
          signedOut.headers.set("Location", signInFirst(pathOf(asked)).headers.get("Location") ?? "");
          return signedOut;
        }
        if (answer === "refuse") return backTo(asked, { error: "access_denied" });
        const given = await store.write(() => codeFor(person, asked, now()));
        if (typeof given === "string") return backTo(asked, { code: given });
        const { waitSeconds } = given;
        return page(
          request,
          (words) => ({
            title: words.extension,
            body: html`<p class="warn" role="alert">${words.tooMany(Math.ceil(waitSeconds / 60))}</p>`,
          }),
          { status: 429, headers: { "Retry-After": String(waitSeconds) } },
        );
      },
    }),
  ];
}

function* codeFor(person: SignedIn, asked: CodeRequest, now: number): Steps<string | { readonly waitSeconds: number }> {
  const waitSeconds = yield* countAttempt(`extension codes of ${person.id}`, OF_PERSON, now);
  if (waitSeconds > 0) return { waitSeconds };
  return yield* giveCode({ ...asked, person: person.id }, now);
}

function pathOf(asked: CodeRequest): string {
  return `${AUTHORIZE_PATH}?${new URLSearchParams(fieldsOf(asked))}`;
}

/** To the extension, with what came of it. */
function backTo({ redirect, state }: CodeRequest, answer: Readonly<Record<string, string>>): Response {
  const location = `${redirect}?${new URLSearchParams({ ...answer, state })}`;
  return new Response(null, { status: 303, headers: { Location: location, "Cache-Control": "no-store" } });
}

/** A request that is not whole leads nowhere: who would be told of it is not known either. */
function notWhole(request: Request): Response {
  return page(
    request,
    (words) => ({
      title: words.extension,
      body: html`<p class="warn" role="alert">${words.extensionNotWhole}</p>`,
    }),
    { status: 400 },
  );
}

function askForm(words: Words, person: SignedIn, asked: CodeRequest): Html {
  const fields = Object.entries(fieldsOf(asked));
  return html`<p>${words.extensionAsks}</p>
    <dl>
      <dt>${words.callsItself}</dt>
      <dd>${foreign(asked.client)}</dd>
      <dt>${words.saysItIsFor}</dt>
      <dd>${foreign(asked.purpose)}</dd>
      <dt>${words.extensionId}</dt>
      <dd>${asked.extension}</dd>
      <dt>${words.signedInAs}</dt>
      <dd>${person.email ?? person.user}</dd>
    </dl>
    <p class="warn">${words.onlyIfYouPressed}</p>
    <p>${words.whatItMay}</p>
    <form method="post" action="${AUTHORIZE_PATH}/answer">
      ${fields.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
      <button name="answer" value="agree">${words.agree}</button>
      <button class="quiet" name="answer" value="refuse">${words.refuse}</button>
      <button class="quiet" name="answer" value="another">${words.anotherAccount}</button>
    </form>`;
}
