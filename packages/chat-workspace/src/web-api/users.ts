import { channelObject, userObject } from "../objects.ts";
import { flag, names, required, method, SlackError, text, type Methods } from "./method.ts";
import { pageOf } from "./paging.ts";

/** Methods about accounts. */
export const userMethods: Methods = {
  "users.info": method({ tier: 4, scope: "users:read" }, (args, { state, token }) => {
    const user = state.users.get(required(args, "user"));
    if (user === undefined) throw new SlackError("user_not_found");
    return { user: userObject(state, user, { email: token.scopes.includes("users:read.email") }) };
  }),
  "users.lookupByEmail": method({ tier: 3, scope: "users:read.email" }, (args, { state }) => {
    const email = required(args, "email").toLowerCase();
    const user = [...state.users.values()].find((one) => one.email?.toLowerCase() === email);
    if (user === undefined || user.deactivated) throw new SlackError("users_not_found");
    return { user: userObject(state, user, { email: true }) };
  }),
  "users.list": method({ tier: 2, scope: "users:read" }, (args, { state, token }) => {
    const email = token.scopes.includes("users:read.email");
    const { entries, nextCursor } = pageOf([...state.users.values()], args, 200, 1000);
    const members = entries.map((one) => userObject(state, one, { email }));
    return { members, cache_ts: 0, response_metadata: { next_cursor: nextCursor } };
  }),
  "users.conversations": method(
    { tier: 3, scope: ["channels:read", "groups:read", "im:read", "mpim:read"] },
    (args, { state }) => {
      const user = text(args, "user") ?? state.app.botUserId;
      if (!state.users.has(user)) throw new SlackError("user_not_found");
      const types = names(args, "types") ?? ["public_channel"];
      const wanted = { public: "public_channel", private: "private_channel", mpim: "mpim", im: "im" } as const;
      const found = [...state.channels.values()]
        .filter((one) => types.includes(wanted[one.kind]) && one.members.has(user))
        .filter((one) => one.kind === "public" || state.appIsIn(one.id))
        .filter((one) => flag(args, "exclude_archived") !== true || !one.archived);
      const { entries, nextCursor } = pageOf(found, args, 100, 999);
      const channels = entries.map((one) => channelObject(state, one));
      return { channels, response_metadata: { next_cursor: nextCursor } };
    },
  ),
};
