/** Something the model can do beside writing. */
export interface Tool {
  id: number;
  /** What the model calls it. */
  name: string;
  description: string;
  displayName: string;
  /** Name of the class behind it; null for those somebody described by an OpenAPI document. */
  inCode: string | null;
  /** That document. */
  definition: unknown;
  /** What it gives back. Only tools without a class have one. */
  run?: (args: unknown) => unknown;
}

/** Name of the tool that searches what was ingested. */
export const searchTool = "internal_search";
/** Name of the tool that reads a web page. */
export const openUrlTool = "open_url";
/** Name of the tool that adds to an account's memory. */
export const memoryTool = "add_memory";

/** A tool with a class behind it. */
function builtIn(id: number, name: string, displayName: string, inCode: string, description: string): Tool {
  return { id, name, description, displayName, inCode, definition: null };
}

/** The tools of a server: the built-in ones, and one that looks up a record elsewhere. */
export function defaultTools(): Tool[] {
  const searching = "The Search Action allows the agent to search through connected knowledge.";
  const opening = "The Open URL Action allows the agent to fetch and read contents of web pages.";
  const remembering = "Save memories about the user for future conversations.";
  return [
    builtIn(1, searchTool, "Internal Search", "SearchTool", searching),
    builtIn(7, openUrlTool, "Open URL", "OpenURLTool", opening),
    builtIn(10, memoryTool, "Add Memory", "MemoryTool", remembering),
    customTool(12, "getRecord", (args) => ({ record: args })),
  ];
}

/** A tool that calls an address elsewhere. */
export function customTool(id: number, name: string, run: (args: unknown) => unknown): Tool {
  const operation = {
    summary: `Calls ${name}`,
    operationId: name,
    parameters: [{ in: "path", name: "id", schema: { type: "string" } }],
  };
  return {
    id,
    name,
    description: "Looks something up elsewhere.",
    displayName: name,
    inCode: null,
    definition: {
      openapi: "3.0.0",
      info: { title: name, description: "Looks something up elsewhere." },
      servers: [{ url: "https://records.example.com" }],
      paths: { "/records/{id}": { get: operation } },
    },
    run,
  };
}

/** A tool as `/tool` and `/persona` list it. */
export function toolEntry(tool: Tool, owner: string | null): Record<string, unknown> {
  const { id, name, description, definition, displayName, inCode } = tool;
  const isCustom = inCode === null;
  return {
    id,
    name: isCustom ? displayName : name,
    description,
    definition,
    display_name: displayName,
    in_code_tool_id: inCode,
    custom_headers: isCustom ? [] : null,
    passthrough_auth: false,
    mcp_server_id: null,
    user_id: isCustom ? owner : null,
    oauth_config_id: null,
    oauth_config_name: null,
    enabled: true,
    permissions: {},
    chat_selectable: name !== openUrlTool,
    agent_creation_selectable: name !== memoryTool,
    default_enabled: name === openUrlTool,
  };
}
