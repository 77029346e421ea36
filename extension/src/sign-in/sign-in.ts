/** Signing in and out: loaded when somebody does. */
import { browser } from "wxt/browser";
import { i18n } from "#i18n";
import { plainCall } from "../settings/plain-call.ts";
import { changeSettings, forgetKeys, originOf, readConnection, readSettings, storeKeys } from "../settings/settings.ts";
import { answerOf, beginCode } from "./code-flow.ts";

/** What came of it, as in the keys of its words. */
export type SignInOutcome = "done" | "refused" | "closed" | "failed";
export type SignOutOutcome = "ended" | "forgotten";

/**
 * Opens the page of the service that is set, where its person signs in and agrees, and keeps the key that comes of it as any
 * other. Nothing changes before there is one.
 */
export async function signIn(): Promise<SignInOutcome> {
  const { baseUrl } = await readSettings();
  const place = baseUrl.replace(/\/+$/, "");
  const begun = await beginCode(place, browser.identity.getRedirectURL(), asker());
  let came: string | undefined;
  try {
    came = await browser.identity.launchWebAuthFlow({ url: begun.url, interactive: true });
  } catch {
    return "closed";
  }
  const answer = answerOf(came, begun);
  if (answer === "refused") return answer;
  const key = answer && (await keyFor(place, { ...begun.grant, code: answer.code }));
  if (key === undefined) return "failed";
  // Another service was set meanwhile, by IT or in another window: the key is none of its.
  if (originOf((await readSettings()).baseUrl) !== originOf(baseUrl)) {
    await endKey(place, key);
    return "failed";
  }
  // Such a service has its pages sent there.
  await changeSettings({ ingestionPath: "/service-api/ingestion" });
  await storeKeys({ askKey: key });
  return "done";
}

/** Ends the key at the service, as far as that answers, and forgets it here. */
export async function signOut(): Promise<SignOutOutcome> {
  const connection = await readConnection();
  const isEnded = connection !== undefined && (await endKey(connection.baseUrl, connection.askKey));
  await forgetKeys();
  return isEnded ? "ended" : "forgotten";
}

/** What stands on the service's page, and in its list of keys: as the browser itself tells every page. */
function asker() {
  const { userAgent, platform } = navigator;
  const [program = "browser"] = /Edg|Firefox|Chrome/.exec(userAgent) ?? [];
  return { client: i18n.t("extension.name"), purpose: `${program}, ${platform}` };
}

async function keyFor(place: string, grant: Readonly<Record<string, string>>): Promise<string | undefined> {
  const body = new URLSearchParams({ grant_type: "authorization_code", ...grant });
  const reply = await plainCall(`${place}/sign-in/token`, { method: "POST", body }).catch(() => undefined);
  const key = reply?.body["access_token"];
  return typeof key === "string" && /^[\x21-\x7e]+$/.test(key) ? key : undefined;
}

/** Whether it is worth nothing now. */
async function endKey(place: string, key: string): Promise<boolean> {
  const headers = { authorization: `Bearer ${key}` };
  const keys = `${place}/me/keys`;
  try {
    const { status, body } = await plainCall(keys, { headers });
    if (status === 401) return true;
    const own = Object.values(body).find((one) => (one as { is_current?: unknown }).is_current === true);
    const ended = await plainCall(`${keys}/${Number((own as { id?: unknown }).id)}`, { method: "DELETE", headers });
    return ended.status === 200;
  } catch {
    return false;
  }
}
