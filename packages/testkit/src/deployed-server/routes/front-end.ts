import type { Settings } from "../world/settings.ts";
import { gatewayPage, type DoubleReply } from "./replies.ts";

const page =
  '<!DOCTYPE html><html lang="en"><head><meta charSet="utf-8"/><title>Chat</title></head><body><div id="root"></div></body></html>';

const noProxy =
  "This API is only available in development mode. In production, something else (e.g. nginx) should handle this.";

/**
 * What stands outside `/api`: the pages of the web front end. Those for people who are logged in send everybody else to
 * the login page, whatever the method; any other path gets a page and 200.
 */
export function frontEndReply(path: string, { frontEnd }: Settings): DoubleReply {
  if (frontEnd === "down") return gatewayPage(502);
  if (frontEnd === "unproxied" && path.startsWith("/api/"))
    return { status: 404, headers: { "content-type": "application/json" }, body: JSON.stringify({ message: noProxy }) };
  if (/^\/($|me$|chat|app|admin|persona|manage|onyx-api|search|user|tool)/.test(path))
    return { status: 307, headers: { location: "/auth/login", "content-type": "text/plain" }, body: "" };
  return { status: 200, headers: { "content-type": "text/html; charset=utf-8" }, body: page };
}
