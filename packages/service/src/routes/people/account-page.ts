import * as z from "zod/mini";
import type { ServiceContext } from "../../context.ts";
import { listPersonKeys, type PersonKey, revokePersonKey } from "../../http/keys.ts";
import { type Route, route } from "../../http/route.ts";
import { placeOf, type SignedIn, signedIn, signInFirst } from "../../sign-in/browser.ts";
import { foreign, type Html, html } from "../../sign-in/html.ts";
import { attemptPassword } from "../../sign-in/local.ts";
import { page } from "../../sign-in/page.ts";
import { hashOfPassword, MIN_PASSWORD, TooManyChecksError, weaknessOf } from "../../sign-in/password.ts";
import type { Words } from "../../sign-in/words/words.ts";
import { changePassword, LOCAL_ISSUER } from "../../store/people/persons.ts";
import { type Grant, grantsOf, unionOf } from "../../store/people/rules.ts";
import { signOutForm } from "./device-page.ts";

const NewPassword = z.object({ current: z.string(), password: z.string() });

/** What a person sees of their own account, and may change of it. */
export function accountPages(context: ServiceContext): readonly Route[] {
  const { store, now } = context;

  async function account(request: Request, person: SignedIn, said?: (words: Words) => Html, status = 200) {
    const keys = await store.read(listPersonKeys(person.id, now()));
    const rights = unionOf(await store.read(grantsOf(person.id)));
    const content = (words: Words) => ({
      title: words.account,
      body: accountOf(words, person, rights, keys, said?.(words)),
    });
    return page(request, content, { status });
  }

  return [
    route(
      "GET /account",
      "anyone",
      "The page of one's own account: who one is, what one may see, which keys there are",
      {
        isPage: true,
        handle: async ({ request }) => {
          const person = await signedIn(context, request);
          return person === undefined ? signInFirst("/account") : account(request, person);
        },
      },
    ),
    route("POST /account/keys/{id}/end", "anyone", "End a key to one's own account", {
      isPage: true,
      isForm: true,
      handle: async (call) => {
        const person = await signedIn(context, call.request);
        if (person === undefined) return signInFirst("/account");
        const id = call.paramNumber("id");
        await store.makeRoom(() => revokePersonKey(person.id, id, now()));
        return account(call.request, person, (words) => html`<p class="said" role="status">${words.keyEnded}</p>`);
      },
    }),
    route("POST /account/password", "anyone", "Change one's own password", {
      isPage: true,
      isForm: true,
      body: { NewPassword },
      handle: async ({ request }, { current, password }) => {
        const person = await signedIn(context, request);
        if (person === undefined) return signInFirst("/account");
        const refused = (why: (words: Words) => string, status: number) =>
          account(request, person, (words) => html`<p class="warn" role="alert">${why(words)}</p>`, status);
        const attempted = await attemptPassword(context, placeOf(request), person.user, current.slice(0, 1_000));
        if (attempted === "wrong") return refused((words) => words.wrongCurrent, 401);
        if (attempted === "busy") return refused((words) => words.busy, 503);
        if ("waitSeconds" in attempted) {
          return refused((words) => words.tooMany(Math.ceil(attempted.waitSeconds / 60)), 429);
        }
        if (weaknessOf(password, person.user) !== undefined) return refused((words) => words.weak(MIN_PASSWORD), 422);
        const hash = await hashOfPassword(password).catch(unlessBusy);
        if (hash === undefined) return refused((words) => words.busy, 503);
        const isChanged = await store.write(() => changePassword(person.id, hash, attempted.password));
        if (!isChanged) return refused((words) => words.wrongCurrent, 401);
        return page(request, (words) => ({
          title: words.account,
          body: html`<p class="said" role="status">${words.passwordChanged}</p>
            <p><a href="/sign-in">${words.signIn}</a></p>`,
        }));
      },
    }),
  ];
}

function unlessBusy(error: unknown): undefined {
  if (!(error instanceof TooManyChecksError)) throw error;
}

function accountOf(
  words: Words,
  person: SignedIn,
  rights: ReturnType<typeof unionOf>,
  keys: readonly PersonKey[],
  said: Html | undefined,
): Html {
  return html`${said}
    <dl>
      <dt>${words.signedInAs}</dt>
      <dd>${person.name ?? person.user}</dd>
      <dd class="soft">${person.email ?? person.user}</dd>
      <dt>${words.rights}</dt>
      <dd>${words.role[rights.role]}</dd>
      <dd>${seenBy(words, rights)}</dd>
    </dl>
    ${signOutForm(words)}
    <h2>${words.keys}</h2>
    ${
      keys.length === 0
        ? html`<p class="soft">${words.noKeys}</p>`
        : html`<ul>
            ${keys.map((key) => keyOf(words, key))}
          </ul>`
    }
    ${person.issuer === LOCAL_ISSUER ? passwordForm(words, person) : undefined}`;
}

function seenBy(words: Words, { seesAll, documentSets, pairs }: Grant): string {
  if (seesAll) return words.seesAll;
  const named = [...documentSets, ...pairs.map((pair) => `#${pair}`)];
  return named.length === 0 ? words.seesNothing : named.join(", ");
}

function keyOf(words: Words, { id, purpose, createdAt, usedAt, expiresAt }: PersonKey): Html {
  const day = (at: number): string =>
    new Intl.DateTimeFormat(words.language, { dateStyle: "medium", timeZone: "UTC" }).format(at);
  const dates = words.keyDates(day(Date.parse(createdAt)), usedAt === null ? undefined : day(usedAt), day(expiresAt));
  return html`<li>
    ${foreign(purpose)}<br /><span class="soft">${dates}</span>
    <form method="post" action="/account/keys/${id}/end"><button class="quiet">${words.endKey}</button></form>
  </li>`;
}

function passwordForm(words: Words, { user }: SignedIn): Html {
  return html`<h2>${words.changePassword}</h2>
    <form method="post" action="/account/password">
      <input hidden readonly name="user" value="${user}" autocomplete="username" />
      <label for="current">${words.currentPassword}</label>
      <input id="current" name="current" type="password" autocomplete="current-password" maxlength="500" required />
      <label for="new">${words.newPassword}</label>
      <input
        id="new"
        name="password"
        type="password"
        autocomplete="new-password"
        minlength="${MIN_PASSWORD}"
        maxlength="256"
        required
        aria-describedby="rule"
      />
      <p class="soft" id="rule">${words.passwordRule(MIN_PASSWORD)}</p>
      <button>${words.changePassword}</button>
    </form>`;
}
