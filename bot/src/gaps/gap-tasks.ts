import type { TaskKind } from "@threadlore/inbox";
import type { TaskWork } from "../context.ts";
import { gapWork } from "./gap-work.ts";
import { closeWork } from "./tell-askers.ts";
import { digestWork } from "./digest/digest-work.ts";
import { stillWork } from "./still-true/still-work.ts";
import { tellWork } from "./telling/tell-work.ts";

/** What is done about gaps, by the kind of task. */
export const gapTasks = {
  gap: gapWork,
  close: closeWork,
  tell: tellWork,
  still: stillWork,
  digest: digestWork,
} satisfies Partial<Record<TaskKind, TaskWork>>;
