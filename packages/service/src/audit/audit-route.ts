import type { ServiceContext } from "../context.ts";
import { invalid } from "../http/problem.ts";
import { type Route, route } from "../http/route.ts";
import { listAuditEntries } from "../store/audit.ts";
import { momentOf } from "./moment.ts";

/** Most entries of one reply. */
const MAX_PAGE = 1_000;

/** Who did what kind of thing, when and from where: for keys of the role admin. */
export function auditRoutes({ store, audit }: ServiceContext): readonly Route[] {
  return [
    route("GET /admin/audit", "admin", "Who did what kind of thing, when and from where; newest first", {
      query: ["user", "kind", "since", "until", "before", "limit"],
      handle: async (call) => {
        const limit = call.queryNumber("limit", { usual: 100, most: MAX_PAGE });
        const before = call.query("before") === undefined ? undefined : call.queryNumber("before");
        const entries = await store.read(
          listAuditEntries({
            user: call.query("user"),
            kind: call.query("kind"),
            since: momentIn(call.query("since"), "since"),
            until: momentIn(call.query("until"), "until"),
            before,
            limit,
          }),
        );
        return {
          is_on: audit !== undefined,
          entries: entries.map(({ moment, ...entry }) => ({ ...entry, at: new Date(moment).toISOString() })),
          next: entries.length < limit ? null : (entries.at(-1)?.id ?? null),
        };
      },
    }),
  ];
}

/** Throws a Problem (422) where it is no moment. */
function momentIn(text: string | undefined, name: string): number | undefined {
  if (text === undefined) return undefined;
  const moment = momentOf(text);
  if (moment !== undefined) return moment;
  throw invalid(["query", name], "Input should be a date such as 2026-11-27", "datetime_parsing");
}
