import { z } from "zod";
import { urlSource } from "./blocks.ts";
import { LIMITS } from "./limits.ts";
import { filled, some, someOf, typed } from "./text-objects.ts";

const field = z.string().max(LIMITS.taskField).optional();

/** A chunk of a streamed message. Blocks within one are looked at apart: what is wrong there has another code. */
export const chunk = z.discriminatedUnion("type", [
  typed("markdown_text", { text: some }),
  typed("task_update", {
    id: filled(LIMITS.id),
    title: filled(LIMITS.taskField),
    status: z.enum(["pending", "in_progress", "complete", "error"]),
    details: field,
    output: field,
    sources: z.array(urlSource).optional(),
  }),
  typed("plan_update", { title: filled(LIMITS.taskField) }),
  typed("blocks", { blocks: someOf(z.unknown()) }),
]);
