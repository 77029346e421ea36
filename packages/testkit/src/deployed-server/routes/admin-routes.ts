import type { Connectors } from "../world/connectors.ts";
import { flaw, isRecord, required, whole, word, type Given } from "./reading.ts";
import { coded, detail, json, refusedValue } from "./replies.ts";
import { reading, route, type Route } from "./routing.ts";
import { toolEntry } from "../world/tools.ts";
import { validateTool } from "../world/tool-validator.ts";
import type { Account } from "../world/accounts.ts";
import { personaDetail, personaEntry } from "../world/persona-entry.ts";
import type { World } from "../world/world.ts";

const managing = { permission: "manage:connectors" };

/** What there is: agents, tools, models, sets of documents, connectors; and what changes them. */
export function adminRoutes(world: World): Route[] {
  const { connectors, personas, tools, documentSets } = world;
  return [
    route("GET /persona", {}, ({ account }) => json(personas.map((one) => personaEntry(world, one, account)))),
    route("GET /persona/{persona_id}", {}, ({ account, param: id }) => {
      const persona = personas.find((one) => String(one.id) === id);
      return persona === undefined
        ? coded(404, "PERSONA_NOT_FOUND", "Persona not found")
        : json(personaDetail(world, persona, account));
    }),
    route("GET /agents", {}, ({ account, query }) => {
      const size = Number(query.get("page_size") ?? 10);
      const from = Number(query.get("page_num") ?? 0) * size;
      const items = personas.slice(from, from + size).map((one) => personaEntry(world, one, account));
      return json({ items, total_items: personas.length });
    }),
    route("GET /tool", {}, ({ account }) => json(tools.map((tool) => toolEntry(tool, account.id)))),
    route("GET /tool/openapi", {}, ({ account }) =>
      json(tools.filter(({ inCode }) => inCode === null).map((tool) => toolEntry(tool, account.id))),
    ),
    route("GET /manage/document-set", {}, () =>
      json(
        documentSets.map(({ id, name, description, pairs }) => ({
          id,
          name,
          description,
          cc_pair_summaries: connectors.pairs
            .filter((pair) => pairs.includes(pair.id))
            .map((pair) => ({ id: pair.id, name: pair.name, source: sourceOf(world, pair), access_type: pair.access })),
          is_up_to_date: true,
          is_public: true,
          users: [],
          groups: [],
        })),
      ),
    ),
    route("GET /llm/provider", {}, () => json(models)),
    route("GET /query/valid-tags", {}, () => json({ tags: [] })),
    route("GET /settings", {}, () =>
      json({ user_file_max_upload_size_mb: 100, anonymous_user_enabled: world.settings.allowAnonymous }),
    ),
    route("GET /manage/admin/connector/status", { ...managing, search: true }, () =>
      json(connectors.pairs.filter(({ id }) => id !== 1).map((pair) => pairEntry(world, pair))),
    ),
    route("GET /manage/admin/cc-pair/{cc_pair_id}", managing, ({ param: id }) => {
      const pair = connectors.pairs.find((one) => String(one.id) === id);
      if (pair === undefined)
        return detail(404, `CC Pair with id ${id} not found or you do not have permission to view it`);
      const { cc_pair_id, ...entry } = pairEntry(world, pair);
      return json({ id: cc_pair_id, ...entry });
    }),
    route("GET /manage/admin/credential", managing, ({ account }) =>
      json(connectors.credentials.map((credential) => credentialEntry(credential, account))),
    ),
    route(
      "PUT /manage/admin/credential/swap",
      { ...managing, in: { file: "documents/credential.py", line: 120, name: "swap_credentials_for_connector" } },
      reading(swapped, ({ new_credential_id: credential, connector_id: connector }) =>
        swap(world, credential, connector),
      ),
    ),
    route(
      "POST /admin/tool/custom/validate",
      { permission: "manage:actions", in: { file: "features/tool/api.py", line: 256, name: "validate_tool" } },
      reading({ definition: required(dictionary) }, ({ definition }) => {
        const result = validateTool(definition);
        return typeof result === "string" ? detail(400, result) : json({ methods: result });
      }),
    ),
  ];
}

const swapped = {
  new_credential_id: required(whole),
  connector_id: required(whole),
  access_type: required(word(["public", "private", "sync"])),
};

function dictionary(place: Given): Record<string, unknown> | undefined {
  if (place.input === undefined || isRecord(place.input)) return place.input;
  return flaw(place, "dict_type", "Input should be a valid dictionary");
}

const models = {
  providers: [
    {
      id: 1,
      name: "Scripted",
      provider: "openai_compatible",
      provider_display_name: "OpenAI-Compatible",
      model_configurations: [
        {
          id: 1,
          name: "scripted",
          is_visible: true,
          max_input_tokens: 32_000,
          supports_image_input: false,
          supports_reasoning: false,
          supported_reasoning_efforts: ["off", "low", "medium", "high"],
          reasoning_effort_max: null,
          reasoning_effort_default: null,
          temperature_default: null,
          is_recommended_default: false,
          display_name: "Scripted",
          custom_display_name: null,
          provider_display_name: "OpenAI-Compatible",
          vendor: null,
          version: null,
          region: null,
        },
      ],
    },
  ],
  default_text: { provider_id: 1, model_name: "scripted" },
  default_vision: null,
  default_chat_naming: null,
};

function sourceOf(world: World, pair: Connectors["pairs"][number]): string {
  return world.connectors.connectors.find(({ id }) => id === pair.connector)?.source ?? "not_applicable";
}

function pairEntry(world: World, pair: Connectors["pairs"][number]) {
  const connector = world.connectors.connectors.find(({ id }) => id === pair.connector);
  const credential = world.connectors.credentials.find(({ id }) => id === pair.credential);
  return { cc_pair_id: pair.id, name: pair.name, connector, credential, access_type: pair.access, groups: [] };
}

function credentialEntry(
  { id, name, source }: Connectors["credentials"][number],
  account: Account,
): Record<string, unknown> {
  const time = "2026-01-01T00:00:00.000001Z";
  return {
    credential_json: {},
    admin_public: true,
    source,
    name,
    curator_public: false,
    groups: [],
    id,
    user_id: id === 0 ? null : account.id,
    user_email: id === 0 ? null : account.email,
    time_created: time,
    time_updated: time,
  };
}

function swap({ connectors }: World, credentialId: number, connectorId: number) {
  const connector = connectors.connectors.find(({ id }) => id === connectorId);
  if (connector === undefined) return refusedValue("Connector not found");
  const credential = connectors.credentials.find(({ id }) => id === credentialId);
  if (credential === undefined)
    return refusedValue(`No Credential found with id ${credentialId} or user doesn't have permission to use it`);
  const pair = connectors.pairs.find((one) => one.connector === connectorId);
  if (pair === undefined) return refusedValue(`No ConnectorCredentialPair found for connector_id ${connectorId}`);
  if (credential.source !== connector.source) {
    const [one, other] = [credential.source, connector.source].map(
      (source) => `DocumentSource.${source.toUpperCase()}`,
    );
    return refusedValue(`New credential source ${one} does not match connector source ${other}`);
  }
  pair.credential = credential.id;
  return json({ success: true, message: "Credential swapped successfully", data: pair.id });
}
