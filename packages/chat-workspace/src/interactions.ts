import type { Acts } from "./acts.ts";
import { choiceOf, elementsIn } from "./blocks.ts";
import type { Delivery } from "./delivery/delivery.ts";
import { Undelivered } from "./delivery/envelope.ts";
import { refusalsOf } from "./validator/refusals.ts";
import { messageObject } from "./objects.ts";
import { newResponseUrl, showReply } from "./response-urls.ts";
import type { State, StoredMessage, StoredView } from "./state.ts";
import { closeModal, modalsOf, newTrigger, openModal, updateView, viewObject } from "./views.ts";
import { inWords } from "./web-api/refusing.ts";
import { isObject } from "./fields.ts";
import type { ApiCall, User } from "./workspace.ts";

/** What interactions work on. */
export interface InteractionParts {
  readonly state: State;
  readonly acts: Acts;
  readonly delivery: Delivery;
  readonly record: (call: ApiCall) => void;
}

type Reply = Record<string, unknown> | undefined;

/** What a person does with what the app shows them: buttons, modals, commands, shortcuts. */
export class Interactions {
  readonly #parts: InteractionParts;
  readonly #user: User;

  constructor(parts: InteractionParts, user: User) {
    this.#parts = parts;
    this.#user = user;
  }

  /** Presses an element of a message. */
  async pressInMessage(message: StoredMessage, actionId: string, value?: string): Promise<void> {
    const { state } = this.#parts;
    const action = this.#action(message.blocks, actionId, value);
    const { channel, ts, threadTs } = message;
    const ephemeral = message.only !== undefined;
    const thread = threadTs === undefined ? {} : { thread_ts: threadTs };
    await this.#interact(`Pressing "${actionId}"`, {
      type: "block_actions",
      container: { type: "message", message_ts: ts, channel_id: channel, is_ephemeral: ephemeral, ...thread },
      trigger_id: newTrigger(state, this.#user.id),
      channel: this.#channel(channel),
      ...(!ephemeral && { message: messageObject(state, message, { metadata: true }) }),
      state: { values: {} },
      response_url: newResponseUrl(state, { user: this.#user.id, channel, source: ts, threadTs }),
      actions: [action],
    });
  }

  /** Presses an element of a modal or of the Home; what it chooses stays chosen. */
  async pressInView(view: StoredView, actionId: string, value?: string): Promise<void> {
    const { state } = this.#parts;
    const { action_ts, block_id, action_id, text, ...choice } = this.#action(view["blocks"], actionId, value);
    const chosen = { ...view.state.values[String(block_id)], [String(action_id)]: choice };
    if (text === undefined) view.state.values[String(block_id)] = chosen;
    state.changed();
    await this.#interact(`Pressing "${actionId}"`, {
      type: "block_actions",
      container: { type: "view", view_id: view.id },
      trigger_id: newTrigger(state, this.#user.id, view.id),
      view: viewObject(view),
      actions: [{ ...choice, ...(text !== undefined && { text }), action_id, block_id, action_ts }],
    });
  }

  #action(blocks: unknown, actionId: string, value: string | undefined): Record<string, unknown> {
    const named = elementsIn(blocks).filter(({ element }) => element["action_id"] === actionId);
    const found = named.find(({ element }) => value !== undefined && element["value"] === value) ?? named[0];
    if (found === undefined) {
      const there = elementsIn(blocks).map(({ element }) => String(element["action_id"]));
      throw new Error(`There is nothing to press called "${actionId}". There is: ${there.join(", ") || "nothing"}.`);
    }
    const { element, blockId } = found;
    const base = { action_id: actionId, block_id: blockId, action_ts: this.#parts.state.ts() };
    return { ...base, ...choiceOf(element, value) };
  }

  /** Fills in and submits a modal; returns the app's reply after it was shown. */
  async submit(view: StoredView, values: Readonly<Record<string, string>>): Promise<Reply> {
    const { state } = this.#parts;
    this.#fillIn(view, values);
    const reply = await this.#interact("Submitting", {
      type: "view_submission",
      trigger_id: newTrigger(state, this.#user.id, view.id),
      view: viewObject(view),
      response_urls: [],
    });
    this.#refuse("submission_reply", reply);
    this.#afterSubmission(view, reply);
    return Object.keys(reply).length === 0 ? undefined : reply;
  }

  #fillIn(view: StoredView, values: Readonly<Record<string, string>>): void {
    const used = new Set<string>();
    const blocks = Array.isArray(view["blocks"]) ? view["blocks"].filter(isObject) : [];
    for (const block of blocks.filter(({ type }) => type === "input")) {
      const { element } = block;
      const blockId = String(block["block_id"]);
      if (!isObject(element)) continue;
      const actionId = String(element["action_id"]);
      const name = [actionId, blockId].find((one) => Object.hasOwn(values, one));
      if (name !== undefined) used.add(name);
      const typed = name === undefined ? undefined : values[name];
      const before = view.state.values[blockId]?.[actionId];
      const choice = typed === undefined && isObject(before) ? before : choiceOf(element, typed);
      view.state.values[blockId] = { [actionId]: choice };
      const empty = Object.entries(choice).every(
        ([key, part]) => key === "type" || part === null || part === "" || (Array.isArray(part) && part.length === 0),
      );
      if (empty && block["optional"] !== true) throw new Error(`"${actionId}" must be filled in before submitting.`);
    }
    const unknown = Object.keys(values).filter((name) => !used.has(name));
    if (unknown.length > 0) throw new Error(`The modal has no input called ${unknown.join(", ")}.`);
  }

  #afterSubmission(view: StoredView, reply: Record<string, unknown>): void {
    const { state } = this.#parts;
    const given = isObject(reply["view"]) ? reply["view"] : {};
    switch (reply["response_action"]) {
      case "errors":
        return;
      case "update":
        updateView(state, view, given);
        return;
      case "push":
        openModal(state, given, this.#user.id);
        return;
      case "clear":
        state.modals.set(this.#user.id, []);
        state.changed();
        return;
      default:
        closeModal(state, this.#user.id, view.id);
    }
  }

  /** Closes a modal; the app hears of it when it asked to. */
  async dismiss(view: StoredView): Promise<void> {
    const all = view["clear_on_close"] === true ? modalsOf(this.#parts.state, this.#user.id) : [view];
    const closed = all.flatMap((one) => closeModal(this.#parts.state, this.#user.id, one.id));
    for (const one of closed.filter((each) => each["notify_on_close"] === true)) {
      await this.#interact("Closing", { type: "view_closed", view: viewObject(one), is_cleared: all.length > 1 });
    }
  }

  /** Types a slash command. */
  async command(channel: string, command: string, text: string): Promise<Reply> {
    const { state, delivery } = this.#parts;
    const known = state.options.app?.commands;
    if (known !== undefined && !known.includes(command)) throw new Error(`${command} is not a valid command.`);
    const body = {
      token: state.credentials.verificationToken,
      team_id: state.team.id,
      team_domain: state.team.domain,
      channel_id: channel,
      channel_name: this.#channel(channel).name,
      user_id: this.#user.id,
      user_name: this.#user.name,
      command,
      text,
      api_app_id: state.app.appId,
      is_enterprise_install: "false",
      response_url: newResponseUrl(state, { user: this.#user.id, channel }),
      trigger_id: newTrigger(state, this.#user.id),
    };
    const reply = await inTime(command, delivery.send("slash_commands", body));
    if (Object.keys(reply).length === 0) return undefined;
    this.#refuse("command_reply", reply);
    showReply(this.#parts, { user: this.#user.id, channel }, reply, () => undefined);
    return reply;
  }

  /** Chooses a shortcut of a message. */
  async messageShortcut(callbackId: string, message: StoredMessage): Promise<void> {
    const { state } = this.#parts;
    this.#requireShortcut(callbackId, "message");
    const { channel, ts, threadTs } = message;
    await this.#interact(callbackId, {
      type: "message_action",
      action_ts: state.ts(),
      callback_id: callbackId,
      trigger_id: newTrigger(state, this.#user.id),
      response_url: newResponseUrl(state, { user: this.#user.id, channel, source: ts, threadTs }),
      channel: this.#channel(channel),
      message_ts: ts,
      message: messageObject(state, message),
    });
  }

  /** Chooses a shortcut from the search bar. */
  async globalShortcut(callbackId: string): Promise<void> {
    const { state } = this.#parts;
    this.#requireShortcut(callbackId, "global");
    const trigger_id = newTrigger(state, this.#user.id);
    await this.#interact(callbackId, { type: "shortcut", action_ts: state.ts(), callback_id: callbackId, trigger_id });
  }

  #requireShortcut(callbackId: string, type: "message" | "global"): void {
    const known = this.#parts.state.options.app?.shortcuts;
    if (known === undefined || known.some((one) => one.callbackId === callbackId && one.type === type)) return;
    throw new Error(`The app has no ${type} shortcut "${callbackId}".`);
  }

  #interact(act: string, fields: Record<string, unknown>): Promise<Record<string, unknown>> {
    const { state, delivery } = this.#parts;
    const { id, name, teamId } = this.#user;
    const body = {
      user: { id, username: name, name, team_id: teamId },
      api_app_id: state.app.appId,
      token: state.credentials.verificationToken,
      team: { id: state.team.id, domain: state.team.domain },
      enterprise: null,
      is_enterprise_install: false,
      ...fields,
    };
    return inTime(act, delivery.send("interactive", body));
  }

  /** Records what the app answered a person with, and says when Slack would not show it. */
  #refuse(method: string, reply: Record<string, unknown>): void {
    const { state, record } = this.#parts;
    const refusals = refusalsOf(method, reply).map(inWords);
    const response = { ok: refusals.length === 0 };
    record({ at: state.now(), method, args: reply, response, status: 200, refusals, breaches: [] });
    if (refusals.length > 0) throw new Error(`Slack would not show the app's reply: ${refusals.join("; ")}.`);
  }

  #channel(id: string): { id: string; name: string } {
    const channel = this.#parts.state.channel(id);
    const hidden = { im: "directmessage", private: "privategroup", mpim: "privategroup", public: channel.name };
    return { id, name: hidden[channel.kind] };
  }
}

/** Slack waits three seconds for an app to acknowledge, then tells the person. */
async function inTime<Value>(act: string, answer: Promise<Value>): Promise<Value> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof Undelivered)) throw error;
    throw new Error(`${act} failed: the app did not acknowledge it (${error.reason}).`, { cause: error });
  }
}
