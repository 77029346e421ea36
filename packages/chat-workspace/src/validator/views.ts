import { z } from "zod";
import { homeBlock, modalBlock } from "./blocks.ts";
import { LIMITS } from "./limits.ts";
import { plainText, typed } from "./text-objects.ts";

const viewFields = {
  private_metadata: z.string().max(LIMITS.privateMetadata).optional(),
  callback_id: z.string().max(LIMITS.id).optional(),
  external_id: z.string().max(LIMITS.id).optional(),
};

interface Focusable {
  readonly type: string;
  readonly element?: object;
}

/** Refuses a second element that wants the focus when the view opens. */
function withOneFocus<View extends { readonly blocks: readonly Focusable[] }>(
  view: View,
  context: z.RefinementCtx<View>,
): void {
  const focused = view.blocks.filter(
    ({ element }) => element !== undefined && "focus_on_load" in element && element.focus_on_load === true,
  );
  if (focused.length > 1) {
    context.addIssue({ code: "custom", path: ["blocks"], message: "only one element may have focus_on_load" });
  }
}

const modal = typed("modal", {
  title: plainText(LIMITS.viewTitle),
  blocks: z.array(modalBlock).max(LIMITS.blocksPerView),
  close: plainText(LIMITS.viewTitle).optional(),
  submit: plainText(LIMITS.viewTitle).optional(),
  clear_on_close: z.boolean().optional(),
  notify_on_close: z.boolean().optional(),
  submit_disabled: z.boolean().optional(),
  ...viewFields,
})
  .refine((view) => view.submit !== undefined || !view.blocks.some((block) => block.type === "input"), {
    message: "submit is needed where there is an input block",
    path: ["submit"],
  })
  .superRefine(withOneFocus);

const home = typed("home", {
  blocks: z.array(homeBlock).max(LIMITS.blocksPerView),
  ...viewFields,
}).superRefine(withOneFocus);

/** A view as `views.open`, `views.push`, `views.update` and an acknowledged submission take it. */
export const modalView = modal;

/** A view as `views.publish` takes it. */
export const homeView = home;

/** A view of either kind. */
export const anyView = z.discriminatedUnion("type", [modal, home]);
