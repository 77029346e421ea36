import { setTimeout as pause } from "node:timers/promises";
import {
  acceptedContent,
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  completable,
  createRequestStateCodec,
  fromJsonSchema,
  inputRequired,
  McpServer,
  ResourceTemplate,
  type ServerContext,
} from "@modelcontextprotocol/server";
import * as z from "zod";

/**
 * A server with what the protocol's suite wants to find on one: tools, resources and prompts that show nothing but that
 * whoever serves them passes on every kind of message. Their names and words are the suite's.
 */
export function fixtureServer(): McpServer {
  const server = new McpServer(
    { name: "fixtures", version: "1.0.0" },
    {
      capabilities: {
        logging: {},
        tools: { listChanged: false },
        prompts: { listChanged: false },
        resources: { listChanged: false, subscribe: true },
      },
      requestState: { verify: states.verify },
    },
  );
  addPlainTools(server);
  addTellingTools(server);
  addAskingTools(server);
  addResources(server);
  addPrompts(server);
  // The stateless revision has no such methods; of the one before, a server without sessions can do no more than agree.
  server.server.setRequestHandler("resources/subscribe", () => ({}));
  server.server.setRequestHandler("resources/unsubscribe", () => ({}));
  return server;
}

/** One red pixel, and a sound without samples. */
const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";
const WAV = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA=";
const image = { type: "image", data: PNG, mimeType: "image/png" } as const;

const states = createRequestStateCodec<string>({ key: "a key of thirty-two bytes or more" });

const text = (words: string): CallToolResult => ({ content: [{ type: "text", text: words }] });

const capabilitiesIn = ({ mcpReq }: ServerContext): ClientCapabilities =>
  ((mcpReq.envelope as Readonly<Record<string, unknown>> | undefined)?.[CLIENT_CAPABILITIES_META_KEY] ??
    {}) as ClientCapabilities;

const SCHEMA = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  $defs: {
    address: {
      $anchor: "addressDef",
      type: "object",
      properties: { street: { type: "string" }, city: { type: "string" } },
    },
  },
  properties: {
    name: { type: "string" },
    address: { $ref: "#/$defs/address" },
    contactMethod: { type: "string", enum: ["phone", "email"] },
    phone: { type: "string" },
    email: { type: "string" },
  },
  allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
  if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
  // oxlint-disable-next-line unicorn/no-thenable -- a word of JSON Schema
  then: { required: ["phone"] },
  else: { required: ["email"] },
  additionalProperties: false,
} as const;

function addPlainTools(server: McpServer): void {
  const plain: Readonly<Record<string, CallToolResult>> = {
    test_simple_text: text("This is a simple text response for testing."),
    test_image_content: { content: [image] },
    test_audio_content: { content: [{ type: "audio", data: WAV, mimeType: "audio/wav" }] },
    test_embedded_resource: {
      content: [
        {
          type: "resource",
          resource: {
            uri: "test://embedded-resource",
            mimeType: "text/plain",
            text: "This is an embedded resource content.",
          },
        },
      ],
    },
    test_multiple_content_types: {
      content: [
        { type: "text", text: "Multiple content types test:" },
        image,
        {
          type: "resource",
          resource: {
            uri: "test://mixed-content-resource",
            mimeType: "application/json",
            text: '{"test":"data","value":123}',
          },
        },
      ],
    },
  };
  for (const [name, result] of Object.entries(plain)) server.registerTool(name, { description: name }, () => result);
  server.registerTool("test_error_handling", { description: "Always fails" }, () => {
    throw new Error("This tool intentionally returns an error for testing");
  });
  server.registerTool(
    "json_schema_2020_12_tool",
    { description: "Tool with JSON Schema 2020-12 features", inputSchema: fromJsonSchema(SCHEMA) },
    () => text("Done"),
  );
  server.registerTool(
    "test_headers",
    {
      description: "An argument that a header repeats",
      inputSchema: z.object({ region: z.string().meta({ "x-mcp-header": "Region" }) }),
    },
    ({ region }) => text(region),
  );
}

/** Tools that tell something before they answer. */
function addTellingTools(server: McpServer): void {
  const logging = async ({ mcpReq }: ServerContext): Promise<CallToolResult> => {
    for (const words of ["Tool execution started", "Tool processing data", "Tool execution completed"]) {
      await mcpReq.log("info", words);
      await pause(5);
    }
    return text("Logged");
  };
  server.registerTool("test_tool_with_logging", { description: "Logs" }, logging);
  server.registerTool("test_logging_tool", { description: "Logs" }, logging);
  server.registerTool("test_tool_with_progress", { description: "Tells its progress" }, async ({ mcpReq }) => {
    const progressToken = mcpReq._meta?.progressToken;
    for (const progress of [0, 50, 100]) {
      if (progressToken !== undefined) {
        await mcpReq.notify({ method: "notifications/progress", params: { progressToken, progress, total: 100 } });
      }
      await pause(5);
    }
    return text("Progressed");
  });
}

const asksFor = (message: string, name: string, type: "string" | "boolean" = "string") =>
  inputRequired.elicit({
    message,
    requestedSchema: fromJsonSchema({ type: "object", properties: { [name]: { type } }, required: [name] }),
  });
const sampling = (words: string) =>
  inputRequired.createMessage({
    messages: [{ role: "user", content: { type: "text", text: words } }],
    maxTokens: 100,
  });

/** Tools that need something of whoever calls before they answer. */
function addAskingTools(server: McpServer): void {
  const ask = (name: string, work: (context: ServerContext) => unknown): void => {
    server.registerTool(name, { description: name }, async (context) => (await work(context)) as CallToolResult);
  };
  const answered = ({ mcpReq }: ServerContext, key: string): boolean => mcpReq.inputResponses?.[key] !== undefined;

  const elicitation = ({ mcpReq }: ServerContext) => {
    const name = acceptedContent<{ name: string }>(mcpReq.inputResponses, "user_name")?.name;
    if (name !== undefined) return text(`Hello, ${name}!`);
    return inputRequired({ inputRequests: { user_name: asksFor("What is your name?", "name") } });
  };
  ask("test_input_required_result_elicitation", elicitation);
  ask("test_streaming_elicitation", elicitation);
  ask("test_input_required_result_sampling", (context) =>
    answered(context, "capital_question")
      ? text(JSON.stringify(context.mcpReq.inputResponses?.["capital_question"]))
      : inputRequired({ inputRequests: { capital_question: sampling("What is the capital of France?") } }),
  );
  ask("test_input_required_result_list_roots", (context) =>
    answered(context, "client_roots")
      ? text(JSON.stringify(context.mcpReq.inputResponses?.["client_roots"]))
      : inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } }),
  );
  const confirmed = async (context: ServerContext) => {
    if (answered(context, "confirm")) {
      return text(context.mcpReq.requestState<string>() === "asked" ? "state-ok" : "state-missing");
    }
    const requestState = await states.mint("asked");
    return inputRequired({ inputRequests: { confirm: asksFor("Please confirm", "ok", "boolean") }, requestState });
  };
  ask("test_input_required_result_request_state", confirmed);
  ask("test_input_required_result_tampered_state", confirmed);
  ask("test_input_required_result_multiple_inputs", async (context) =>
    ["user_name", "greeting", "client_roots"].every((key) => answered(context, key))
      ? text("All there")
      : inputRequired({
          inputRequests: {
            user_name: asksFor("What is your name?", "name"),
            greeting: sampling("Generate a greeting"),
            client_roots: inputRequired.listRoots(),
          },
          requestState: await states.mint("asked"),
        }),
  );
  ask("test_input_required_result_multi_round", async (context) => {
    const state = context.mcpReq.requestState<string>();
    if (state === "two" && answered(context, "step2")) return text("Done");
    const [next, request] =
      state === "one" && answered(context, "step1")
        ? (["two", { step2: asksFor("Step 2: What is your favorite color?", "color") }] as const)
        : (["one", { step1: asksFor("Step 1: What is your name?", "name") }] as const);
    return inputRequired({ inputRequests: request, requestState: await states.mint(next) });
  });
  ask("test_input_required_result_capabilities", (context) => {
    const { elicitation: elicits, sampling: samples } = capabilitiesIn(context);
    return inputRequired({
      inputRequests: {
        ...(elicits !== undefined && { user_name: asksFor("What is your name?", "name") }),
        ...(samples !== undefined && { greeting: sampling("Generate a greeting") }),
      },
      requestState: "asked",
    });
  });
  ask("test_missing_capability", () => inputRequired({ inputRequests: { greeting: sampling("Generate a greeting") } }));
  // Of the revision before: questions to the client while a call is under way, which need a session.
  server.registerTool(
    "test_sampling",
    { description: "Samples", inputSchema: z.object({ prompt: z.string() }) },
    async ({ prompt }, { mcpReq }) => {
      const content = { type: "text", text: prompt } as const;
      // Without a session no answer reaches this call: it says so soon.
      const options = { timeout: 500 };
      const sampled = await mcpReq.requestSampling({ messages: [{ role: "user", content }], maxTokens: 100 }, options);
      return text(`LLM response: ${JSON.stringify(sampled.content)}`);
    },
  );
  server.registerTool(
    "test_elicitation",
    { description: "Elicits", inputSchema: z.object({ message: z.string() }) },
    async ({ message }, { mcpReq }) => {
      const requestedSchema = { type: "object", properties: { username: { type: "string" } } } as const;
      return text(`User response: ${JSON.stringify(await mcpReq.elicitInput({ message, requestedSchema }))}`);
    },
  );
  for (const name of ["test_elicitation_sep1034_defaults", "test_elicitation_sep1330_enums"]) {
    server.registerTool(name, { description: name }, async ({ mcpReq }) => {
      const requestedSchema = { type: "object", properties: {} } as const;
      return text(JSON.stringify(await mcpReq.elicitInput({ message: name, requestedSchema })));
    });
  }
}

function addResources(server: McpServer): void {
  server.registerResource(
    "static-text",
    "test://static-text",
    { description: "Text", mimeType: "text/plain" },
    ({ href }) => ({
      contents: [{ uri: href, mimeType: "text/plain", text: "This is the content of the static text resource." }],
    }),
  );
  server.registerResource(
    "static-binary",
    "test://static-binary",
    { description: "Bytes", mimeType: "image/png" },
    ({ href }) => ({ contents: [{ uri: href, mimeType: "image/png", blob: PNG }] }),
  );
  server.registerResource(
    "watched",
    "test://watched-resource",
    { description: "Never changes", mimeType: "text/plain" },
    ({ href }) => ({ contents: [{ uri: href, mimeType: "text/plain", text: "As ever." }] }),
  );
  server.registerResource(
    "template",
    new ResourceTemplate("test://template/{id}/data", { list: undefined }),
    { description: "By its id", mimeType: "application/json" },
    ({ href }, { id }) => ({
      contents: [
        {
          uri: href,
          mimeType: "application/json",
          text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${String(id)}` }),
        },
      ],
    }),
  );
}

const said = (words: string) => ({ role: "user", content: { type: "text", text: words } }) as const;

function addPrompts(server: McpServer): void {
  server.registerPrompt("test_simple_prompt", { description: "Simple" }, () => ({
    messages: [said("This is a simple prompt for testing.")],
  }));
  const places = completable(z.string(), (value) => ["paris", "park", "party"].filter((one) => one.startsWith(value)));
  server.registerPrompt(
    "test_prompt_with_arguments",
    { description: "With arguments", argsSchema: z.object({ arg1: places, arg2: z.string() }) },
    ({ arg1, arg2 }) => ({ messages: [said(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)] }),
  );
  server.registerPrompt(
    "test_prompt_with_embedded_resource",
    { description: "With a resource", argsSchema: z.object({ resourceUri: z.string() }) },
    ({ resourceUri: uri }) => {
      const resource = { uri, mimeType: "text/plain", text: "Embedded resource content for testing." };
      return {
        messages: [
          { role: "user", content: { type: "resource", resource } },
          said("Please process the embedded resource above."),
        ],
      };
    },
  );
  server.registerPrompt("test_prompt_with_image", { description: "With an image" }, () => ({
    messages: [{ role: "user", content: image }, said("Please analyze the image above.")],
  }));
  server.registerPrompt("test_input_required_result_prompt", { description: "Asks first" }, ({ mcpReq }) =>
    mcpReq.inputResponses?.["user_context"] === undefined
      ? inputRequired({
          inputRequests: { user_context: asksFor("What context should the prompt use?", "context") },
        })
      : { messages: [said("With the context that was given.")] },
  );
}
