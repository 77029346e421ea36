import type { Methods } from "./method.ts";

/** Methods about the app itself. */
export function appMethods(ticket: () => string): Methods {
  return {
    "api.test": { tier: 4, token: "none", run: (args) => ({ args }) },
    "apps.connections.open": { tier: 3, token: "app", scope: "connections:write", run: () => ({ url: ticket() }) },
    "auth.test": {
      tier: 4,
      run: (_args, { state }) => ({
        url: `${state.url}/`,
        team: state.team.name,
        user: state.users.get(state.app.botUserId)?.name ?? "",
        team_id: state.team.id,
        user_id: state.app.botUserId,
        bot_id: state.app.botId,
        is_enterprise_install: false,
      }),
    },
    "auth.teams.list": {
      tier: 2,
      run: (_args, { state }) => ({
        teams: [{ id: state.team.id, name: state.team.name }],
        response_metadata: { next_cursor: "" },
      }),
    },
    "auth.revoke": {
      tier: 3,
      run: (args, { token, acts }) => {
        const test = args["test"] === true || args["test"] === "true" || args["test"] === "1";
        if (test) return { revoked: false };
        token.revoked = true;
        acts.tellOfRevocation();
        return { revoked: true };
      },
    },
    "bots.info": {
      tier: 3,
      scope: "users:read",
      run: (_args, { state }) => ({
        bot: {
          id: state.app.botId,
          deleted: false,
          name: state.app.name,
          updated: 0,
          app_id: state.app.appId,
          user_id: state.app.botUserId,
          icons: {},
        },
      }),
    },
    "team.info": {
      tier: 3,
      scope: "team:read",
      run: (_args, { state }) => ({
        team: { ...state.team, url: `${state.url}/`, email_domain: "", icon: { image_default: true } },
      }),
    },
    "emoji.list": { tier: 2, scope: "emoji:read", run: () => ({ emoji: {}, cache_ts: "0" }) },
    "usergroups.list": { tier: 2, scope: "usergroups:read", run: () => ({ usergroups: [] }) },
  };
}
