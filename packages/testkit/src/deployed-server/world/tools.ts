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

/** The tools of a server: the built-in ones, and one that looks up a record elsewhere. */
export function defaultTools(): Tool[] {
  return [
    {
      id: 1,
      name: searchTool,
      description: "The Search Action allows the agent to search through connected knowledge.",
      displayName: "Internal Search",
      inCode: "SearchTool",
      definition: null,
    },
    {
      id: 7,
      name: openUrlTool,
      description: "The Open URL Action allows the agent to fetch and read contents of web pages.",
      displayName: "Open URL",
      inCode: "OpenURLTool",
      definition: null,
    },
    {
      id: 10,
      name: memoryTool,
      description: "Save memories about the user for future conversations.",
      displayName: "Add Memory",
      inCode: "MemoryTool",
      definition: null,
    },
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
  const listed = inCode === null ? displayName : name;
  return {
    id,
    name: listed,
    description,
    definition,
    display_name: displayName,
    in_code_tool_id: inCode,
    custom_headers: inCode === null ? [] : null,
    passthrough_auth: false,
    mcp_server_id: null,
    user_id: inCode === null ? owner : null,
    oauth_config_id: null,
    oauth_config_name: null,
    enabled: true,
    permissions: {},
    chat_selectable: name !== openUrlTool,
    agent_creation_selectable: name !== memoryTool,
    default_enabled: name === openUrlTool,
  };
}
