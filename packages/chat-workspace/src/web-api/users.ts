import { userObject } from "../objects.ts";
import { required, method, SlackError, type Methods } from "./method.ts";
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
    const { entries, response_metadata } = pageOf([...state.users.values()], args, 200, 1000);
    const members = entries.map((one) => userObject(state, one, { email }));
    return { members, cache_ts: 0, response_metadata };
  }),
};
