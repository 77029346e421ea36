import { JsonObject, ToolValidationRequest, ToolValidationResponse } from "@threadlore/client/models";
import * as z from "zod/mini";
import { bytesOfBody, textOfBody } from "../http/body.ts";
import type { ServiceContext } from "../context.ts";
import { Problem, refusal } from "../http/problem.ts";
import { type Route, route } from "../http/route.ts";
import { addTool, SEARCH_TOOL, type Tool, usableTools } from "../store/tools.ts";
import { methodsOf, validateToolBody } from "../tools/definition.ts";

/** A custom tool to be kept. Its definition must pass validation. */
const NewTool = z.object({
  name: z.string().check(z.trim(), z.minLength(1, "Input should be a name such as 'tickets'"), z.maxLength(200)),
  description: z._default(z.nullable(z.string()), null),
  definition: JsonObject,
});

/** The tool validation of the specification, and the tools a chat can name in `allowed_tool_ids`. */
export function toolRoutes({ store }: ServiceContext): readonly Route[] {
  return [
    route("POST /admin/tool/custom/validate", "admin", "Validate a custom tool definition and return its methods", {
      rawBody: { ToolValidationRequest },
      reply: { ToolValidationResponse },
      handle: async ({ request }) => {
        // Text in, text out: parsing would move paths and statuses that look like numbers out of their written order.
        const outcome = validateToolBody(textOfBody(await bytesOfBody(request)));
        if ("problems" in outcome) throw new Problem(422, { detail: outcome.problems });
        return new Response(outcome.body, { headers: { "content-type": "application/json" } });
      },
    }),
    route("GET /tool", "caller", "Tools an answer can use", {
      handle: async ({ caller }) => {
        // A definition names hosts of the company's own; only who may add one needs to read it.
        const hidden = caller.role === "admin" ? {} : { definition: null };
        return (await store.read(usableTools(caller))).map((tool) => ({ ...toolOnWire(tool), ...hidden }));
      },
    }),
    route("POST /admin/tool/custom", "admin", "Add a custom tool whose definition is valid", {
      body: { NewTool },
      handle: async (_, { name, description, definition }) => {
        const derived = methodsOf(definition);
        if ("problems" in derived) throw new Problem(422, { detail: derived.problems });
        const summaries = derived.methods.map((method) => method.summary).join(" ");
        const tool = { name, description: description ?? summaries, definition };
        const id = await store.write(() => addTool(tool));
        if (id !== undefined) return toolOnWire({ id, ...tool });
        throw refusal(409, "TOOL_EXISTS", `There is a tool "${name}" already. Choose another name.`);
      },
    }),
  ];
}

/** A tool in the shape deployed servers list it. */
function toolOnWire({ id, name, description, definition }: Tool): Record<string, unknown> {
  const builtIn = id === SEARCH_TOOL;
  return {
    id,
    name,
    display_name: builtIn ? "Internal Search" : name,
    description,
    definition: builtIn ? null : definition,
    in_code_tool_id: builtIn ? "SearchTool" : null,
    enabled: true,
  };
}
