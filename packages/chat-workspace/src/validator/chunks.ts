import { z } from "zod";
import { urlSource } from "./blocks.ts";
import { LIMITS } from "./limits.ts";
import { typed } from "./text-objects.ts";

const field = z.string().max(LIMITS.taskField);

/** A chunk of a streamed message. Blocks within one are looked at apart: what is wrong there has another code. */
export const chunk = z.discriminatedUnion("type", [
  typed("markdown_text", { text: z.string().min(1) }),
  typed("task_update", {
    id: z.string().min(1).max(LIMITS.id),
    title: field.min(1),
    status: z.enum(["pending", "in_progress", "complete", "error"]),
    details: field.optional(),
    output: field.optional(),
    sources: z.array(urlSource).optional(),
  }),
  typed("plan_update", { title: field.min(1) }),
  typed("blocks", { blocks: z.array(z.unknown()).min(1) }),
]);
