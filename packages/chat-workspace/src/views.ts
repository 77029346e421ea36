import { withIds } from "./blocks.ts";
import type { State, StoredTrigger, StoredView } from "./state.ts";
import { fieldsOf } from "./fields.ts";
import { SlackError } from "./web-api/method.ts";

/** How long a trigger may be used, milliseconds. */
const TRIGGER_MS = 3_000;
/** Modals one above the other. */
const MAX_MODALS = 3;

/** Permission to open one modal. `view`: the modal the person acted in, which one may be pushed upon. */
export function newTrigger(state: State, user: string, view?: string): string {
  const id = `${state.digits(12)}.${state.digits(12)}.${state.hex(32)}`;
  state.triggers.set(id, { user, issuedAt: state.now(), used: false, view });
  return id;
}

/** Spends a trigger. Throws `invalid_trigger_id`, `exchanged_trigger_id`, `expired_trigger_id`. */
export function spendTrigger(state: State, id: string): StoredTrigger {
  const trigger = state.triggers.get(id);
  if (trigger === undefined) throw new SlackError("invalid_trigger_id");
  if (trigger.used) throw new SlackError("exchanged_trigger_id");
  if (state.now() - trigger.issuedAt > TRIGGER_MS) throw new SlackError("expired_trigger_id");
  trigger.used = true;
  return trigger;
}

/** Open modals of a person, the topmost last. */
export function modalsOf(state: State, user: string): readonly StoredView[] {
  return state.modals.get(user) ?? [];
}

/** Opens a modal, upon the ones already open when it is pushed. Throws `push_limit_reached`. */
export function openModal(state: State, given: Record<string, unknown>, user: string): StoredView {
  const stack = modalsOf(state, user);
  if (stack.length >= MAX_MODALS) throw new SlackError("push_limit_reached");
  const view = newView(state, given, user, { root: stack[0]?.id, previous: stack.at(-1)?.id });
  state.modals.set(user, [...stack, view]);
  state.changed();
  return view;
}

/** Puts a person's Home up. Throws `hash_conflict`. */
export function publishHome(state: State, given: Record<string, unknown>, user: string, hash?: string): StoredView {
  const before = state.homes.get(user);
  if (before !== undefined) return updateView(state, before, given, hash);
  const view = newView(state, given, user, {});
  state.homes.set(user, view);
  state.changed();
  return view;
}

/** Puts new content into a view. Throws `hash_conflict` when the hash is not the latest one's. */
export function updateView(state: State, view: StoredView, given: Record<string, unknown>, hash?: string): StoredView {
  if (hash !== undefined && hash !== view.hash) throw new SlackError("hash_conflict");
  const blocks = blocksOf(state, given);
  // What was typed stays where block and element kept their names.
  Object.assign(view, { ...contentOf(given), blocks, hash: newHash(state), state: keptState(view, blocks) });
  state.changed();
  return view;
}

/** Closes a modal and those above it; returns the closed ones. */
export function closeModal(state: State, user: string, view: StoredView): readonly StoredView[] {
  const stack = modalsOf(state, user);
  const at = stack.indexOf(view);
  if (at < 0) return [];
  state.modals.set(user, stack.slice(0, at));
  state.changed();
  return stack.slice(at);
}

/** A view as apps and people see it: a copy, without whose it is. */
export function viewObject(stored: StoredView): Record<string, unknown> & { readonly id: string } {
  const { user_id: _, ...view } = structuredClone(stored);
  return { ...view, id: stored.id };
}

function newView(
  state: State,
  given: Record<string, unknown>,
  user: string,
  place: { root?: string; previous?: string },
): StoredView {
  const externalId = given["external_id"];
  const taken = modalsOf(state, user).some((one) => externalId === one["external_id"]);
  if (typeof externalId === "string" && externalId !== "" && taken) throw new SlackError("duplicate_external_id");
  const id = state.id("V");
  const view: StoredView = {
    ...contentOf(given),
    id,
    team_id: state.team.id,
    type: given["type"] === "home" ? "home" : "modal",
    blocks: blocksOf(state, given),
    state: { values: {} },
    hash: newHash(state),
    root_view_id: place.root ?? id,
    previous_view_id: place.previous ?? null,
    app_id: state.app.appId,
    bot_id: state.app.botId,
    app_installed_team_id: state.team.id,
    // Only the workspace reads this one.
    user_id: user,
  };
  state.views.set(id, view);
  return view;
}

function contentOf(given: Record<string, unknown>): Record<string, unknown> {
  return {
    title: given["title"] ?? { type: "plain_text", text: "View Title" },
    submit: given["submit"] ?? null,
    close: given["close"] ?? null,
    callback_id: given["callback_id"] ?? "",
    private_metadata: given["private_metadata"] ?? "",
    external_id: given["external_id"] ?? "",
    clear_on_close: given["clear_on_close"] === true,
    notify_on_close: given["notify_on_close"] === true,
  };
}

function blocksOf(state: State, given: Record<string, unknown>): Record<string, unknown>[] {
  return withIds(state, fieldsOf(given["blocks"]));
}

function keptState(view: StoredView, blocks: readonly Record<string, unknown>[]): StoredView["state"] {
  const ids = new Set(blocks.map((block) => String(block["block_id"])));
  return { values: Object.fromEntries(Object.entries(view.state.values).filter(([id]) => ids.has(id))) };
}

function newHash(state: State): string {
  return `${Math.floor(state.now() / 1000)}.${state.id("").toLowerCase()}`;
}
