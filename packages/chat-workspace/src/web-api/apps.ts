import { asFlag } from "../fields.ts";
import { method, type Methods } from "./method.ts";

/** Methods about the app itself. */
export const appMethods: Methods = {
  "api.test": method({ tier: 4, token: "none" }, (args) => ({ args })),
  "apps.connections.open": method({ tier: 3, token: "app", scope: "connections:write" }, (_args, { sockets }) => ({
    url: sockets.ticket(),
  })),
  "auth.test": method({ tier: 4 }, (_args, { state }) => ({
    url: `${state.url}/`,
    team: state.team.name,
    user: state.users.get(state.app.botUserId)?.name ?? "",
    team_id: state.team.id,
    user_id: state.app.botUserId,
    bot_id: state.app.botId,
    is_enterprise_install: false,
  })),
  "auth.teams.list": method({ tier: 2 }, (_args, { state }) => ({
    teams: [{ id: state.team.id, name: state.team.name }],
    response_metadata: { next_cursor: "" },
  })),
  "auth.revoke": method({ tier: 3 }, (args, { token, acts }) => {
    if (asFlag(args["test"]) === true) return { revoked: false };
    token.revoked = true;
    acts.tellOfRevocation();
    return { revoked: true };
  }),
  "bots.info": method({ tier: 3, scope: "users:read" }, (_args, { state }) => ({
    bot: {
      id: state.app.botId,
      deleted: false,
      name: state.app.name,
      updated: 0,
      app_id: state.app.appId,
      user_id: state.app.botUserId,
      icons: {},
    },
  })),
  "team.info": method({ tier: 3, scope: "team:read" }, (_args, { state }) => ({
    team: { ...state.team, url: `${state.url}/`, email_domain: "", icon: { image_default: true } },
  })),
  "emoji.list": method({ tier: 2, scope: "emoji:read" }, () => ({ emoji: {}, cache_ts: "0" })),
  "usergroups.list": method({ tier: 2, scope: "usergroups:read" }, () => ({ usergroups: [] })),
};
