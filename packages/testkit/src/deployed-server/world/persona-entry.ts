import type { Account } from "./accounts.ts";
import { memoryTool, toolEntry } from "./tools.ts";
import type { Persona, World } from "./world.ts";

/** An agent as lists of agents have it. */
export function personaEntry(world: World, persona: Persona, account: Account): Record<string, unknown> {
  const listed = { hierarchy_node_count: 0, attached_document_count: 0, knowledge_sources: [] };
  return { ...sharedEntry(world, persona, account), ...listed };
}

/** An agent asked for alone: more of some things, less of others. */
export function personaDetail(world: World, persona: Persona, account: Account): Record<string, unknown> {
  return {
    ...sharedEntry(world, persona, account),
    system_prompt: null,
    task_prompt: null,
    replace_base_system_prompt: false,
    datetime_aware: true,
    search_start_date: null,
    sharing_status: "PUBLIC",
    public_permission: "VIEWER",
    users: [],
    user_shares: [],
    groups: [],
    group_shares: [],
    user_file_ids: [],
    hierarchy_nodes: [],
    attached_documents: [],
    admin_count: 1,
    ownership_vacant: false,
  };
}

function sharedEntry(world: World, persona: Persona, account: Account): Record<string, unknown> {
  const able = account.permissions.includes("manage:agents");
  const tools = world.tools.filter(({ id, name }) => persona.tools?.includes(id) ?? name !== memoryTool);
  return {
    id: persona.id,
    name: persona.name,
    description: persona.description,
    tools: tools.map((tool) => toolEntry(tool, account.id)),
    starter_messages: null,
    document_sets: [],
    default_model_configuration_id: null,
    uploaded_image_id: null,
    icon_name: null,
    is_public: true,
    is_listed: true,
    display_priority: persona.id,
    is_featured: persona.id === 0,
    builtin_persona: persona.id === 0,
    labels: [],
    owner: null,
    owner_group: null,
    user_permission: able ? "EDITOR" : "VIEWER",
    permissions: Object.fromEntries(RIGHTS.map((right) => [right, able])),
  };
}

/** What may be done with an agent. */
const RIGHTS = ["edit", "share", "view_stats", "delete", "publish", "feature", "list", "reorder"];
