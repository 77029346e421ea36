import type { Caller, CallingPerson, ServiceContext } from "../../context.ts";
import { listPersonKeys, revokePersonKey } from "../../http/keys.ts";
import { refusal } from "../../http/problem.ts";
import { type Route, route } from "../../http/route.ts";

/** What somebody who signed in may do with the keys to their own account. */
export function ownKeyRoutes({ store, now }: ServiceContext): readonly Route[] {
  return [
    route("GET /me/keys", "ordinary", "The keys to the caller's own account, what each is for, and when it was used", {
      isForLapsed: true,
      handle: async ({ caller }) => {
        const { id, keyId } = personOf(caller);
        const keys = await store.read(listPersonKeys(id, now()));
        return keys.map((key) => ({
          id: key.id,
          purpose: key.purpose,
          created_at: key.createdAt,
          last_used_at: key.usedAt === null ? null : new Date(key.usedAt).toISOString(),
          expires_at: new Date(key.expiresAt).toISOString(),
          is_current: key.id === keyId,
        }));
      },
    }),
    route("DELETE /me/keys/{id}", "ordinary", "End a key to the caller's own account, also the one that asks for it", {
      isForLapsed: true,
      handle: async (call) => {
        const person = personOf(call.caller);
        const id = call.paramNumber("id");
        if (await store.makeRoom(() => revokePersonKey(person.id, id, now()))) return { success: true };
        throw refusal(404, "KEY_NOT_FOUND", `There is no key ${id} to your account.`);
      },
    }),
  ];
}

function personOf({ person }: Caller): CallingPerson {
  if (person !== undefined) return person;
  throw refusal(
    404,
    "NOT_A_PERSON",
    "This key belongs to nobody who signs in; who made it can end it with `threadlore key revoke`.",
  );
}
