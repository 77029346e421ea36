import { describe, expect, it } from "vitest";
import { callApi, startPlace } from "../testing/bolt.harness.ts";
import type { Workspace } from "../index.ts";

async function authorized(workspace: Workspace): Promise<{ code: string; state: string }> {
  const address = new URL("oauth/v2/authorize", workspace.url);
  address.search = new URLSearchParams({
    client_id: workspace.credentials.clientId,
    redirect_uri: "http://127.0.0.1:1/slack/oauth_redirect",
    state: "s1",
  }).toString();
  const response = await fetch(address, { redirect: "manual" });
  const { searchParams } = new URL(String(response.headers.get("location")));
  return { code: String(searchParams.get("code")), state: String(searchParams.get("state")) };
}

function exchange(workspace: Workspace, args: Record<string, string>): Promise<Record<string, unknown>> {
  const { clientId: client_id, clientSecret: client_secret } = workspace.credentials;
  return callApi(workspace, "oauth.v2.access", { client_id, client_secret, ...args });
}

describe("an installation", () => {
  it("gives a token for a code, once", async () => {
    const { workspace } = await startPlace();
    const { code, state } = await authorized(workspace);
    expect(state).toBe("s1");
    const granted = await exchange(workspace, { code });
    expect(granted).toMatchObject({
      ok: true,
      token_type: "bot",
      bot_user_id: workspace.app.botUserId,
      team: { id: workspace.team.id },
      is_enterprise_install: false,
    });
    expect(granted).not.toHaveProperty("refresh_token");
    expect(await callApi(workspace, "auth.test", {}, String(granted["access_token"]))).toMatchObject({ ok: true });
    expect(await exchange(workspace, { code })).toMatchObject({ error: "invalid_code" });
    expect(await exchange(workspace, { code, client_secret: "wrong" })).toMatchObject({ error: "bad_client_secret" });
  });

  it("comes again after the app was removed", async () => {
    const { workspace } = await startPlace();
    workspace.faults.uninstall();
    expect(await callApi(workspace, "auth.test")).toMatchObject({ error: "account_inactive" });
    await exchange(workspace, { code: (await authorized(workspace)).code });
    expect(await callApi(workspace, "auth.test")).toMatchObject({ ok: true });
  });

  it("rotates tokens when it says so: a refresh token is good once, an old token for half a day", async () => {
    let now = Date.now();
    const { workspace } = await startPlace({ now: () => now, app: { tokenRotation: true } });
    const first = await exchange(workspace, { code: (await authorized(workspace)).code });
    expect(first).toMatchObject({ expires_in: 43_200, refresh_token: expect.any(String) });
    const refresh = () =>
      exchange(workspace, { grant_type: "refresh_token", refresh_token: String(first["refresh_token"]) });
    now += 43_200_000;
    const auth = (token: unknown) => callApi(workspace, "auth.test", {}, String(token));
    expect(await auth(first["access_token"])).toMatchObject({ error: "token_expired" });
    const second = await refresh();
    expect(await auth(second["access_token"])).toMatchObject({ ok: true });
    expect(await refresh()).toMatchObject({ error: "invalid_refresh_token" });
  });
});

describe("methods about the app", () => {
  it("say who it is and where", async () => {
    const { workspace } = await startPlace({ teamName: "Blue Whale", app: { name: "Kettle" } });
    expect(await callApi(workspace, "auth.test")).toMatchObject({
      team: "Blue Whale",
      user: "kettle",
      user_id: workspace.app.botUserId,
      bot_id: workspace.app.botId,
    });
    expect(await callApi(workspace, "team.info")).toMatchObject({ team: { domain: "blue-whale" } });
    expect(await callApi(workspace, "bots.info")).toMatchObject({
      bot: { app_id: workspace.app.appId, name: "Kettle" },
    });
    expect(await callApi(workspace, "auth.teams.list")).toMatchObject({ teams: [{ id: workspace.team.id }] });
    expect(await callApi(workspace, "auth.revoke")).toMatchObject({ revoked: true });
    expect(await callApi(workspace, "auth.test")).toMatchObject({ error: "token_revoked" });
  });

  it("judge a manifest", async () => {
    const { workspace } = await startPlace();
    const judge = (name: string) =>
      callApi(workspace, "apps.manifest.validate", { manifest: JSON.stringify({ display_information: { name } }) });
    expect(await judge("Threadlore")).toMatchObject({ ok: true, errors: [] });
    expect(await judge("x".repeat(36))).toMatchObject({
      error: "invalid_manifest",
      errors: [{ pointer: "/display_information/name" }],
    });
  });
});
