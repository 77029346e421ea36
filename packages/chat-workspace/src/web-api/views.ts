import type { State, StoredView } from "../state.ts";
import { modalsOf, openModal, publishHome, spendTrigger, updateView, viewObject } from "../views.ts";
import { object, required, method, SlackError, text, type Methods } from "./method.ts";
import type { Arguments } from "../fields.ts";

/** Methods about modals and the Home. */
export const viewMethods: Methods = {
  "views.open": method({ tier: 4 }, (args, { state }) => {
    const { user } = spendTrigger(state, triggerIn(args));
    // A modal that is opened and not pushed takes the place of what is open.
    state.modals.set(user, []);
    return { view: viewObject(openModal(state, viewIn(args), user)) };
  }),
  "views.push": method({ tier: 4 }, (args, { state }) => {
    const { user, view } = spendTrigger(state, triggerIn(args));
    const isOpen = modalsOf(state, user).some(({ id }) => id === view);
    if (!isOpen) throw new SlackError("not_found");
    return { view: viewObject(openModal(state, viewIn(args), user)) };
  }),
  "views.update": method({ tier: 4 }, (args, { state }) => {
    const view = namedView(state, args);
    return { view: viewObject(updateView(state, view, viewIn(args), text(args, "hash"))) };
  }),
  "views.publish": method({ tier: 4 }, (args, { state }) => {
    const user = required(args, "user_id");
    if (!state.users.has(user)) throw new SlackError("user_not_found");
    return { view: viewObject(publishHome(state, viewIn(args), user, text(args, "hash"))) };
  }),
};

function triggerIn(args: Arguments): string {
  return required(args, text(args, "trigger_id") === undefined ? "interactivity_pointer" : "trigger_id");
}

function viewIn(args: Arguments): Record<string, unknown> {
  return object(args, "view") ?? {};
}

function namedView(state: State, args: Arguments): StoredView {
  const external = text(args, "external_id");
  const view =
    external === undefined
      ? state.views.get(required(args, "view_id"))
      : [...state.views.values()].find((one) => one["external_id"] === external);
  if (view === undefined) throw new SlackError("not_found");
  return view;
}
