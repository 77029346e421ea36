import { plainCall } from "../settings/plain-call.ts";

/** Whether a service gives a key to whoever signs in on its page (docs/wire.md, section 1.10). Never throws. */
export async function offersSignIn(baseUrl: string, send?: typeof fetch): Promise<boolean> {
  if (baseUrl === "") return false;
  const reply = await plainCall(`${baseUrl.replace(/\/+$/, "")}/auth/type`, {}, send).catch(() => undefined);
  return reply?.body["code_sign_in_enabled"] === true;
}
