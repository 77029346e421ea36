import type { State, StoredToken } from "../state.ts";
import { required, method, SlackError, text, type Call, type Methods } from "./method.ts";
import type { Arguments } from "../fields.ts";

/** Life of a token that is rotated, seconds. */
const ROTATED_LIFE_S = 43_200;

/** The method that exchanges a code, or a refresh token, for a bot token. */
export const oauthMethods: Methods = {
  "oauth.v2.access": method({ tier: 4, token: "none" }, (args, call) => {
    requireClient(args, call);
    const { state } = call;
    if (text(args, "grant_type") === "refresh_token") return refreshed(state, required(args, "refresh_token"));
    const grant = state.codes.get(required(args, "code"));
    if (grant === undefined) throw new SlackError("invalid_code");
    state.codes.delete(required(args, "code"));
    if (grant.redirectUri !== (text(args, "redirect_uri") ?? grant.redirectUri))
      throw new SlackError("bad_redirect_uri");
    const token = state.tokens.get(state.credentials.botToken);
    if (token === undefined) throw new SlackError("invalid_code");
    state.installed = true;
    token.revoked = false;
    const rotating = state.options.app?.tokenRotation === true;
    return granted(state, rotating ? newToken(state, token.scopes) : token);
  }),
};

function requireClient(args: Arguments, { state, authorization }: Call): void {
  const [, basic = ""] = /^Basic\s+(\S+)$/i.exec(authorization) ?? [];
  const [id, secret] = Buffer.from(basic, "base64").toString("utf8").split(":");
  const { clientId, clientSecret } = state.credentials;
  if ((text(args, "client_id") ?? id) !== clientId) throw new SlackError("invalid_client_id");
  if ((text(args, "client_secret") ?? secret) !== clientSecret) throw new SlackError("bad_client_secret");
}

/** A refresh token is good once. */
function refreshed(state: State, refreshToken: string): Record<string, unknown> {
  const before = state.refreshTokens.get(refreshToken);
  if (before === undefined) throw new SlackError("invalid_refresh_token");
  state.refreshTokens.delete(refreshToken);
  return granted(state, newToken(state, before.scopes));
}

function newToken(state: State, scopes: readonly string[]): StoredToken {
  const value = `xoxe.${["xoxb", "loopback", state.id("")].join("-")}`;
  const expiresAt = state.now() + ROTATED_LIFE_S * 1_000;
  const token: StoredToken = { value, kind: "bot", scopes, revoked: false, expiresAt };
  state.tokens.set(value, token);
  return token;
}

function granted(state: State, token: StoredToken): Record<string, unknown> {
  const [installer] = [...state.users.values()].filter(({ kind }) => kind !== "bot");
  const refresh = `xoxe-${state.id("")}${state.id("")}`;
  if (token.expiresAt !== undefined) state.refreshTokens.set(refresh, token);
  return {
    app_id: state.app.appId,
    authed_user: { id: installer?.id ?? state.app.botUserId },
    scope: token.scopes.join(","),
    token_type: "bot",
    access_token: token.value,
    bot_user_id: state.app.botUserId,
    team: { id: state.team.id, name: state.team.name },
    enterprise: null,
    is_enterprise_install: false,
    ...(token.expiresAt !== undefined && { refresh_token: refresh, expires_in: ROTATED_LIFE_S }),
  };
}
