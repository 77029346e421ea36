import { setTimeout as pause } from "node:timers/promises";
import { readFileSync } from "node:fs";
import { type Starter, startersOf } from "../answer/follow-ups/starters.ts";
import type { Caller, ServiceContext } from "../context.ts";
import { askFacts } from "../gaps/ask-routes.ts";
import type { Ticket } from "../http/admission.ts";
import { turnOf } from "../http/authorize.ts";
import { evenReply } from "../http/in-turn.ts";
import { describeService } from "../http/openapi.ts";
import { refusal } from "../http/problem.ts";
import { type Route, route } from "../http/route.ts";
import { evenly } from "../search/even.ts";
import { type IndexState, indexStateOf } from "../search/succession/index-state.ts";
import { listDocumentSets, listPairs } from "../store/connectors.ts";
import type { StorageState } from "../store/sqlite/database.ts";
import { instanceOf } from "../store/instance.ts";
import { type Persona, findPersona, listPersonas } from "../store/personas.ts";
import { hasPersons } from "../store/people/persons.ts";
import { listTags } from "../store/tags.ts";
import { usableTools } from "../store/tools.ts";
import { visiblePairs, visibleSets } from "../store/visibility.ts";

/** What deployed servers tell whoever asks: that they are up, which version runs, and whether a key is needed. */
export function openDeploymentRoutes(context: ServiceContext): readonly Route[] {
  const { db, settings } = context;
  return [
    route("GET /health", "anyone", "Whether the service is up", {
      // Up it is in every state: who looks for the service must find it, to read what is wrong with it.
      handle: async () => {
        const index = indexStateOf(db) ?? behind(context);
        const state = await stateOf(context);
        return { success: true, message: MESSAGES[state], data: null, state, ...(index && { index }) };
      },
    }),
    route("GET /version", "anyone", "The version that runs", {
      handle: () => ({ backend_version: `threadlore-${VERSION}` }),
    }),
    route("GET /auth/type", "anyone", "Whether callers without a key are admitted, and people can sign in", {
      handle: async () => {
        const isSignedInTo = context.company !== undefined || (await isAnybodyHere(context));
        return {
          anonymous_user_enabled: settings.anonymous,
          password_auth_enabled: false,
          oauth_enabled: context.company !== undefined,
          // For programs and browser extensions (docs/wire.md, section 1.10); deployed servers say nothing of them.
          device_sign_in_enabled: isSignedInTo,
          code_sign_in_enabled: isSignedInTo,
        };
      },
    }),
  ];
}

/** Whether there are accounts; where the database gives no answer, nobody signs in. */
function isAnybodyHere({ store }: ServiceContext): Promise<boolean> {
  return store.read(hasPersons()).catch(() => false);
}

/** What is to be told where this instance cannot follow the truth any more. */
function behind({ behindMs }: ServiceContext): IndexState | undefined {
  if (behindMs() < MAX_BEHIND_MS) return undefined;
  const message =
    "This instance cannot follow its database, so what others add is not found here, and what they change is not shown. " +
    "Its log says why; a full disk is the usual reason.";
  return { state: "paused", percent: 100, message };
}

/** For so long it may be about to catch up, milliseconds. */
const MAX_BEHIND_MS = 10_000;

/** What state the truth is in: one on a server may not answer. */
async function stateOf({ store, db, instances }: ServiceContext): Promise<StorageState | "unreachable"> {
  if (instances === undefined) return db.state;
  const answered = store.read(instanceOf()).then(
    () => db.state,
    () => "unreachable" as const,
  );
  return Promise.race([answered, pause(MAX_UNANSWERED_MS, "unreachable" as const, { ref: false })]);
}

/** How long a database on a server may take to answer, milliseconds. */
const MAX_UNANSWERED_MS = 1_500;

/** What each state of the database means to a person. */
const MESSAGES: Readonly<Record<StorageState | "unreachable", string>> = {
  ok: "ok",
  disk_full:
    "The disk is full: questions are answered but not kept, and nothing can be added. Make room, or delete documents.",
  unreachable: "The database cannot be reached: nothing can be asked or added until it can. Is its server running?",
  damaged: "The database is damaged: stop the service and restore a backup with `threadlore restore`.",
};

/**
 * What deployed servers offer beside the four operations, as far as this service has it: who is calling, personas,
 * document sets, tags, and the description of all routes. And, with who is calling, which data this service has, so
 * that a record of what was sent is not trusted over another database at the same address, and whether a model answers or
 * sources are quoted, so that nobody offers a question that cannot be answered.
 */
export function deploymentRoutes(context: ServiceContext): readonly Route[] {
  const { store, model } = context;
  return [
    route("GET /me", "caller", "Who the key belongs to and what it may do", {
      handle: async ({ caller }) => {
        const instance = await store.read(instanceOf());
        const asks = context.gaps === undefined ? {} : await store.read(askFacts(caller, context.now()));
        const answeredBy = model === undefined ? "quotes" : "model";
        // A browser asks beforehand whether a page may send this header, and sends nothing where it may not.
        return { ...whoIs(caller), instance, answered_by: answeredBy, takes_traceparent: true, ...asks };
      },
    }),
    route("GET /persona", "caller", "Personas a session can be created with", {
      handle: async ({ caller, request: { signal } }) => {
        const personas = await store.read(listPersonas(caller));
        const starters = await evenly(caller, context.settings.evenMs, () =>
          startersFor(context, caller, personas, signal),
        );
        const told = await store.read(personasOnWire(caller, personas));
        return told.map((persona) => ({ ...persona, starter_messages: starters.get(persona.id) ?? [] }));
      },
    }),
    route("GET /persona/{id}", "caller", "One persona", {
      handle: async (call) => {
        const id = call.paramNumber("id");
        const persona = await store.read(findPersona(call.caller, id));
        if (persona === undefined) throw refusal(404, "PERSONA_NOT_FOUND", `There is no persona ${id}.`);
        return (await store.read(personasOnWire(call.caller, [persona])))[0];
      },
    }),
    route("GET /manage/document-set", "caller", "Document sets the caller may see", {
      handle: async ({ caller: { documentSets } }) => {
        const sets = await store.read(listDocumentSets());
        const access = new Map((await store.read(listPairs())).map((pair) => [pair.id, pair.access]));
        const visible = sets.filter(({ name }) => documentSets === null || documentSets.includes(name));
        return visible.map(({ pairs, ...set }) => ({
          ...set,
          cc_pair_summaries: pairs,
          is_public: pairs.every(({ id }) => access.get(id) === "public"),
        }));
      },
    }),
    route("GET /query/valid-tags", "caller", "Tags of documents the caller may see", {
      query: ["match_pattern", "sources", "limit"],
      handle: async (call) => {
        const limit = call.queryNumber("limit", { usual: 100, most: 1_000 });
        const prefix = call.query("match_pattern") ?? "";
        const filter = { prefix, sources: call.queries("sources"), limit };
        return evenReply(context, call.caller, async () => {
          const visible = await store.read(visiblePairs(call.caller));
          return { tags: await store.read(listTags(visible, filter)) };
        });
      },
    }),
  ];
}

/** Questions to begin with, by persona: none where others have to be answered first, or nothing can be searched now. */
async function startersFor(
  context: ServiceContext,
  caller: Caller,
  personas: readonly Persona[],
  signal: AbortSignal,
): Promise<ReadonlyMap<number, readonly Starter[]>> {
  const told = new Map<number, readonly Starter[]>();
  let ticket: Ticket | undefined;
  try {
    ticket = context.questions.join(turnOf(caller));
    await ticket.enter(signal);
    const until = performance.now() + MAX_TRYING_MS;
    for (const persona of personas) told.set(persona.id, await startersOf(context, caller, persona, { signal, until }));
  } catch {
    // Which personas there are can be told all the same.
  } finally {
    ticket?.leave();
  }
  return told;
}

/** How long questions to begin with are tried for a list of personas, milliseconds. */
const MAX_TRYING_MS = 1_500;

/** The description of these routes, and of itself. */
export function descriptionRoute(others: readonly Route[]): Route {
  const itself: Route = route("GET /openapi.json", "caller", "This description", {
    handle: () => describeService([...others, itself], VERSION),
  });
  return itself;
}

const VERSION = readVersion();

function readVersion(): string {
  const file = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
  return (JSON.parse(file) as { version: string }).version;
}

/** What each role may do, in the words deployed servers use (docs/wire.md, section 5). */
const PERMISSIONS: Record<Caller["role"], readonly string[]> = {
  anonymous: ["read:search", "write:chat"],
  ordinary: ["read:chat", "read:search", "write:chat"],
  editor: ["manage:connectors", "read:chat", "read:connectors", "read:search", "write:chat"],
  admin: ["admin", "manage:actions", "manage:connectors", "read:chat", "read:connectors", "read:search", "write:chat"],
};

function whoIs({ user, role, groups, person }: Caller): Record<string, unknown> {
  const anonymous = role === "anonymous";
  return {
    id: anonymous ? "__anonymous_user__" : user,
    // Shaped like an address, since callers show it as one; the reserved domain can never receive mail.
    email: person?.email ?? (user.includes("@") ? user : `${encodeURIComponent(user)}@threadlore.invalid`),
    is_active: true,
    role,
    groups,
    is_anonymous_user: anonymous,
    effective_permissions: PERMISSIONS[role],
    ...(person && { name: person.name, key_id: person.keyId }),
  };
}

/** What of personas a caller may know. */
function* personasOnWire(caller: Caller, personas: readonly Persona[]) {
  const visible = yield* visibleSets(caller);
  const tools = (yield* usableTools(caller)).map(({ id, name, description }) => ({ id, name, description }));
  return personas.map((persona) => ({
    id: persona.id,
    name: persona.name,
    description: persona.description,
    tools,
    starter_messages: [],
    document_sets: persona.documentSets.filter((name) => visible.has(name)).map((name) => ({ name })),
    knowledge_sources: [],
    is_public: true,
    is_listed: true,
    builtin_persona: persona.id === 0,
    display_priority: null,
    labels: [],
    owner: null,
  }));
}
