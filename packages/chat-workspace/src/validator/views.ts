import { z } from "zod";
import { isObject } from "../fields.ts";
import { homeBlock, modalBlock } from "./blocks.ts";
import { LIMITS } from "./limits.ts";
import { flag, plainText, typed } from "./text-objects.ts";

const viewFields = {
  private_metadata: z.string().max(LIMITS.privateMetadata).optional(),
  callback_id: z.string().max(LIMITS.id).optional(),
  external_id: z.string().max(LIMITS.id).optional(),
};

/** Whether no more than one element wants the focus when the view opens. */
function hasOneFocus(view: { readonly blocks: readonly object[] }): boolean {
  const elements = view.blocks.map((block): unknown => Reflect.get(block, "element")).filter(isObject);
  return elements.filter((element) => element["focus_on_load"] === true).length <= 1;
}
const oneFocus = { path: ["blocks"], message: "only one element may have focus_on_load" };

/** A view as `views.open`, `views.push`, `views.update` and an acknowledged submission take it. */
export const modalView = typed("modal", {
  title: plainText(LIMITS.viewTitle),
  blocks: z.array(modalBlock).max(LIMITS.blocksPerView),
  close: plainText(LIMITS.viewTitle).optional(),
  submit: plainText(LIMITS.viewTitle).optional(),
  clear_on_close: flag,
  notify_on_close: flag,
  submit_disabled: flag,
  ...viewFields,
})
  .refine((view) => view.submit !== undefined || !view.blocks.some((block) => block.type === "input"), {
    message: "submit is needed where there is an input block",
    path: ["submit"],
  })
  .refine(hasOneFocus, oneFocus);

/** A view as `views.publish` takes it. */
export const homeView = typed("home", {
  blocks: z.array(homeBlock).max(LIMITS.blocksPerView),
  ...viewFields,
}).refine(hasOneFocus, oneFocus);

/** A view of either kind. */
export const anyView = z.discriminatedUnion("type", [modalView, homeView]);
