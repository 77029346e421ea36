import { JsonObject } from "@threadlore/client/models";
import * as z from "zod/mini";
import { parseBody, requireRole, type ServiceApp } from "../http/app.ts";
import { bytesOfBody, textOfBody } from "../http/body.ts";
import type { ServiceContext } from "../context.ts";
import { invalid, refusal } from "../http/problem.ts";
import { addTool, SEARCH_TOOL, type Tool, usableTools } from "../store/tools.ts";
import { methodsOf, validateToolBody } from "../tools/definition.ts";

/** A custom tool to be kept. Its definition must pass validation. */
export const NewTool = z.object({
  name: z.string().check(z.trim(), z.minLength(1, "Input should be a name such as 'tickets'"), z.maxLength(200)),
  description: z._default(z.nullable(z.string()), null),
  definition: JsonObject,
});

/** The tool validation of the specification, and the tools a chat can name in `allowed_tool_ids`. */
export function toolRoutes(app: ServiceApp, context: ServiceContext): void {
  const { db } = context;
  app.post("/admin/tool/custom/validate", async (c) => {
    requireRole(c.get("caller"), "admin");
    // Text in, text out: parsing would move paths and statuses that look like numbers out of their written order.
    const outcome = validateToolBody(textOfBody(await bytesOfBody(c.req.raw)));
    if ("problems" in outcome) throw invalid(outcome.problems, 1_000);
    return new Response(outcome.body, { headers: { "content-type": "application/json" } });
  });

  // A definition names hosts of the company's own; only who may add one needs to read it.
  app.get("/tool", (c) => {
    const caller = c.get("caller");
    const isAdmin = caller.role === "admin";
    return Response.json(
      usableTools(db, caller).map((tool) => ({ ...toolOnWire(tool), ...(isAdmin ? {} : { definition: null }) })),
    );
  });

  app.post("/admin/tool/custom", async (c) => {
    requireRole(c.get("caller"), "admin");
    const { name, description, definition } = await parseBody(context, c.req.raw, NewTool);
    const derived = methodsOf(definition);
    if ("problems" in derived) throw invalid(derived.problems, 1_000);
    const tool = {
      name,
      description: description ?? derived.methods.map((method) => method.summary).join(" "),
      definition,
    };
    const id = addTool(db, tool);
    if (id === undefined) throw refusal(409, "TOOL_EXISTS", `There is a tool "${name}" already. Choose another name.`);
    return Response.json(toolOnWire({ id, ...tool }));
  });
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
