import * as z from "zod/mini";
import type { ServiceContext } from "../../context.ts";
import { type Route, route } from "../../http/route.ts";
import { type SignedIn, signedIn, signInFirst } from "../../sign-in/browser.ts";
import { foreign, type Html, html } from "../../sign-in/html.ts";
import { page } from "../../sign-in/page.ts";
import type { Words } from "../../sign-in/words/words.ts";
import { countAttempt, takeBack } from "../../store/people/attempts.ts";
import { answerDevice, type DeviceAsk, deviceAsk } from "../../store/people/device-requests.ts";
import type { Steps } from "../../store/steps.ts";

const DeviceAnswer = z.object({ user_code: z.string(), answer: z.enum(["agree", "refuse"]) });

/** Wrong codes one person may try: nobody finds another's. */
const OF_PERSON = { most: 30, seconds: 600 };

type Looked = DeviceAsk | "unknown" | "not_theirs" | { readonly waitSeconds: number };

/** The page on which a person lets a program have a key to their account. */
export function devicePages(context: ServiceContext): readonly Route[] {
  const { store, now } = context;

  const looked = (person: SignedIn, code: string): Promise<Looked> => store.write(() => lookedAt(person, code, now()));

  return [
    route("GET /sign-in/device", "anyone", "The page where a person types a program's code, and sees who asks", {
      isPage: true,
      query: ["user_code"],
      handle: async (call) => {
        const code = tidy(call.query("user_code") ?? "");
        const person = await signedIn(context, call.request);
        if (person === undefined) return signInFirst(`/sign-in/device${code === "" ? "" : `?user_code=${code}`}`);
        if (code === "") return told(call.request, (words) => codeForm(words));
        const ask = await looked(person, code);
        if (!isAsk(ask)) return notAsked(call.request, person, ask);
        return told(call.request, (words) => askForm(words, person, ask, code));
      },
    }),
    route("POST /sign-in/device/answer", "anyone", "Agree that a program gets a key, or refuse", {
      isPage: true,
      isForm: true,
      body: { DeviceAnswer },
      handle: async ({ request }, { user_code: given, answer }) => {
        const code = tidy(given);
        const person = await signedIn(context, request);
        if (person === undefined) return signInFirst(`/sign-in/device?user_code=${code}`);
        const ask = await looked(person, code);
        if (!isAsk(ask)) return notAsked(request, person, ask);
        const agrees = answer === "agree";
        const isAnswered = await store.write(() => answerDevice(code, person.id, agrees, now()));
        if (!isAnswered) return notAsked(request, person, "unknown");
        return told(
          request,
          (words) =>
            html`<p class="said">${agrees ? words.agreed : words.refused}</p>
              <p><a href="/account">${words.toAccount}</a></p>`,
        );
      },
    }),
  ];
}

/** A code as it is shown; '' where a text is none. */
function tidy(code: string): string {
  const letters = code
    .normalize("NFKC")
    .toUpperCase()
    .replace(/[^A-Z]/g, "")
    .slice(0, 8);
  return letters.length > 4 ? `${letters.slice(0, 4)}-${letters.slice(4)}` : letters;
}

function* lookedAt(person: SignedIn, code: string, now: number): Steps<Looked> {
  const tried = `device codes of ${person.id}`;
  const waitSeconds = yield* countAttempt(tried, OF_PERSON, now);
  if (waitSeconds > 0) return { waitSeconds };
  const ask = yield* deviceAsk(code, now);
  if (ask === undefined) return "unknown";
  // A page may be looked at as often as one likes.
  yield* takeBack(tried);
  // A link somebody else began would put this person's account into the other's hands.
  return ask.expectedEmail === null || isSameAddress(ask.expectedEmail, person.email) ? ask : "not_theirs";
}

function isSameAddress(one: string, other: string | null): boolean {
  const plain = (address: string): string => address.normalize("NFC").trim().toLowerCase();
  return other !== null && plain(one) === plain(other);
}

function isAsk(looked: Looked): looked is DeviceAsk {
  return typeof looked === "object" && "client" in looked;
}

function told(request: Request, body: (words: Words) => Html, status = 200, headers: Record<string, string> = {}) {
  return page(request, (words) => ({ title: words.device, body: body(words) }), { status, headers });
}

function notAsked(request: Request, person: SignedIn, why: Exclude<Looked, DeviceAsk>): Response {
  if (why === "unknown") {
    const body = (words: Words) =>
      html`<p class="warn" role="alert">${words.unknownCode}</p>
        ${codeForm(words)}`;
    return told(request, body, 404);
  }
  if (why === "not_theirs") {
    const body = (words: Words) =>
      html`<p class="warn" role="alert">
          ${person.email === null ? words.noAddress : words.forSomebodyElse(person.email)}
        </p>
        ${signOutForm(words)}`;
    return told(request, body, 403);
  }
  const { waitSeconds } = why;
  const body = (words: Words) => html`<p class="warn" role="alert">${words.tooMany(Math.ceil(waitSeconds / 60))}</p>`;
  return told(request, body, 429, { "Retry-After": String(waitSeconds) });
}

function codeForm(words: Words): Html {
  return html`<p>${words.typeCode}</p>
    <form method="get" action="/sign-in/device">
      <label for="code">${words.code}</label>
      <input
        class="code"
        id="code"
        name="user_code"
        autocomplete="off"
        autocapitalize="characters"
        spellcheck="false"
        maxlength="12"
        required
      />
      <button>${words.goOn}</button>
    </form>`;
}

function askForm(words: Words, person: SignedIn, { client, purpose }: DeviceAsk, code: string): Html {
  return html`<p>${words.somethingAsks}</p>
    <dl>
      <dt>${words.callsItself}</dt>
      <dd>${foreign(client)}</dd>
      <dt>${words.saysItIsFor}</dt>
      <dd>${foreign(purpose)}</dd>
      <dt>${words.codeThere}</dt>
      <dd><strong>${code}</strong></dd>
      <dt>${words.signedInAs}</dt>
      <dd>${person.email ?? person.user}</dd>
    </dl>
    <p class="warn">${words.onlyIfYou}</p>
    <p>${words.whatItMay}</p>
    <form method="post" action="/sign-in/device/answer">
      <input type="hidden" name="user_code" value="${code}" />
      <button name="answer" value="agree">${words.agree}</button>
      <button class="quiet" name="answer" value="refuse">${words.refuse}</button>
    </form>`;
}

/** A way out of the account of this page. */
export function signOutForm(words: Words): Html {
  return html`<form method="post" action="/account/sign-out"><button class="quiet">${words.signOut}</button></form>`;
}
