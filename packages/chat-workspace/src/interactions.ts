import { choiceOf, elementsIn } from "./blocks.ts";
import { Undelivered } from "./delivery/envelope.ts";
import { refusalsOf } from "./validator/refusals.ts";
import { messageObject } from "./objects.ts";
import type { Parts } from "./workspace-parts.ts";
import { newResponseUrl, showReply } from "./response-urls.ts";
import type { State, StoredChannel, StoredMessage, StoredView } from "./state.ts";
import { closeModal, modalsOf, newTrigger, openModal, updateView, viewObject } from "./views.ts";
import { inWords } from "./web-api/refusing.ts";
import { fieldsOf, isObject } from "./fields.ts";
import type { User } from "./workspace.ts";

type Reply = Record<string, unknown> | undefined;

/**
 * Somebody before the app: what they see there, and do with buttons, modals, commands and shortcuts. What the workspace
 * would not let them do throws an Error in plain words.
 */
export class Interactions {
  protected readonly parts: Parts;
  readonly #joined: User;

  constructor(parts: Parts, user: User) {
    this.parts = parts;
    this.#joined = user;
  }

  get user(): User {
    return this.state.users.get(this.#joined.id) ?? this.#joined;
  }

  protected get state(): State {
    return this.parts.state;
  }

  /** Presses a button (or other element) of a message, of an ephemeral one too, of a modal or of the Home. */
  async press(
    target: { channel: string; ts: string } | { viewId: string },
    actionId: string,
    value?: string,
  ): Promise<void> {
    if ("viewId" in target) await this.#pressInView(this.#view(target.viewId), actionId, value);
    else await this.#pressInMessage(this.message(target.channel, target.ts), actionId, value);
  }

  async #pressInMessage(message: StoredMessage, actionId: string, value?: string): Promise<void> {
    const action = this.#action(message.blocks, actionId, value);
    const { channel, ts, threadTs } = message;
    const ephemeral = message.only !== undefined;
    const thread = threadTs === undefined ? {} : { thread_ts: threadTs };
    await this.#interact(`Pressing "${actionId}"`, {
      type: "block_actions",
      container: { type: "message", message_ts: ts, channel_id: channel, is_ephemeral: ephemeral, ...thread },
      ...this.#answerable(message),
      ...(!ephemeral && { message: messageObject(this.state, message, { metadata: true }) }),
      state: { values: {} },
      actions: [action],
    });
  }

  /** What an element of a modal or of the Home chooses stays chosen. */
  async #pressInView(view: StoredView, actionId: string, value?: string): Promise<void> {
    const { action_ts, block_id, action_id, text, ...choice } = this.#action(view["blocks"], actionId, value);
    const chosen = { ...view.state.values[String(block_id)], [String(action_id)]: choice };
    if (text === undefined) view.state.values[String(block_id)] = chosen;
    this.state.changed();
    await this.#interact(`Pressing "${actionId}"`, {
      type: "block_actions",
      container: { type: "view", view_id: view.id },
      trigger_id: newTrigger(this.state, this.user.id, view.id),
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
    const base = { action_id: actionId, block_id: blockId, action_ts: this.state.ts() };
    return { ...base, ...choiceOf(element, value) };
  }

  /** Fills in the open modal and submits it; resolves with the app's reply (`response_action`, errors), if any. */
  async submit(viewId: string, values: Readonly<Record<string, string>>): Promise<Reply> {
    const view = this.#modal(viewId);
    this.#fillIn(view, values);
    const reply = await this.#interact("Submitting", {
      type: "view_submission",
      trigger_id: newTrigger(this.state, this.user.id, view.id),
      view: viewObject(view),
      response_urls: [],
    });
    this.#refuse("submission_reply", reply);
    this.#afterSubmission(view, reply);
    return Object.keys(reply).length === 0 ? undefined : reply;
  }

  #fillIn(view: StoredView, values: Readonly<Record<string, string>>): void {
    const used = new Set<string>();
    for (const block of fieldsOf(view["blocks"]).filter(({ type }) => type === "input")) {
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
    const { state } = this;
    const given = isObject(reply["view"]) ? reply["view"] : {};
    const action = reply["response_action"];
    if (action === "errors") return;
    if (action === "update") updateView(state, view, given);
    else if (action === "push") openModal(state, given, this.user.id);
    else if (action === "clear") {
      state.modals.set(this.user.id, []);
      state.changed();
    } else closeModal(state, this.user.id, view);
  }

  /** Closes a modal without submitting it; the app hears of it when it asked to. */
  async dismiss(viewId: string): Promise<void> {
    const view = this.#modal(viewId);
    const all = view["clear_on_close"] === true ? modalsOf(this.state, this.user.id) : [view];
    const closed = all.flatMap((one) => closeModal(this.state, this.user.id, one));
    for (const one of closed.filter((each) => each["notify_on_close"] === true)) {
      await this.#interact("Closing", { type: "view_closed", view: viewObject(one), is_cleared: all.length > 1 });
    }
  }

  /**
   * Types a slash command; resolves with what came back at once, if anything. Like every act that the app must
   * acknowledge, it rejects when the app does not, or is not connected: Slack tells the person, and tries no second time.
   */
  async command(channelId: string, command: string, text: string): Promise<Reply> {
    const { state, user } = this;
    const channel = this.open(channelId).id;
    const known = state.options.app?.commands;
    if (known !== undefined && !known.includes(command)) throw new Error(`${command} is not a valid command.`);
    const body = {
      token: state.credentials.verificationToken,
      team_id: state.team.id,
      team_domain: state.team.domain,
      channel_id: channel,
      channel_name: this.#channel(channel).name,
      user_id: user.id,
      user_name: user.name,
      command,
      text,
      api_app_id: state.app.appId,
      is_enterprise_install: "false",
      response_url: newResponseUrl(state, { user: user.id, channel }),
      trigger_id: newTrigger(state, user.id),
    };
    const reply = await inTime(command, this.parts.delivery.send("slash_commands", body));
    if (Object.keys(reply).length === 0) return undefined;
    this.#refuse("command_reply", reply);
    showReply(this.parts, { user: user.id, channel }, reply, () => undefined);
    return reply;
  }

  /** Chooses a message shortcut. */
  async shortcut(callbackId: string, { channel, ts }: { channel: string; ts: string }): Promise<void> {
    const { state } = this;
    const message = this.message(channel, ts);
    this.#requireShortcut(callbackId, "message");
    await this.#interact(callbackId, {
      type: "message_action",
      action_ts: state.ts(),
      callback_id: callbackId,
      ...this.#answerable(message),
      message_ts: ts,
      message: messageObject(state, message),
    });
  }

  /** Where it happened, and what the app may answer it with. */
  #answerable({ channel, ts, threadTs }: StoredMessage): Record<string, unknown> {
    return {
      channel: this.#channel(channel),
      trigger_id: newTrigger(this.state, this.user.id),
      response_url: newResponseUrl(this.state, { user: this.user.id, channel, source: ts, threadTs }),
    };
  }

  /** Chooses a global shortcut. */
  async globalShortcut(callbackId: string): Promise<void> {
    this.#requireShortcut(callbackId, "global");
    const trigger_id = newTrigger(this.state, this.user.id);
    const about = { type: "shortcut", action_ts: this.state.ts(), callback_id: callbackId, trigger_id };
    await this.#interact(callbackId, about);
  }

  #requireShortcut(callbackId: string, type: "message" | "global"): void {
    const known = this.state.options.app?.shortcuts;
    if (known === undefined || known.some((one) => one.callbackId === callbackId && one.type === type)) return;
    throw new Error(`The app has no ${type} shortcut "${callbackId}".`);
  }

  #interact(act: string, fields: Record<string, unknown>): Promise<Record<string, unknown>> {
    const { state, delivery } = this.parts;
    const { id, name, teamId } = this.user;
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
    const { state, record } = this.parts;
    const refusals = refusalsOf(method, reply).map(inWords);
    const response = { ok: refusals.length === 0 };
    record({ at: state.now(), method, args: reply, response, status: 200, refusals, breaches: [] });
    if (refusals.length > 0) throw new Error(`Slack would not show the app's reply: ${refusals.join("; ")}.`);
  }

  #channel(id: string): { id: string; name: string } {
    const channel = this.state.channel(id);
    const hidden = { im: "directmessage", private: "privategroup", mpim: "privategroup", public: channel.name };
    return { id, name: hidden[channel.kind] };
  }

  // ── What is there to act on ───────────────────────────────────────────────────────────────────────────────────

  /** A channel the person may write in; a public one is joined in passing, as the button under it does. */
  protected open(id: string): StoredChannel {
    const channel = this.state.channel(id);
    if (this.user.deactivated) throw new Error(`The account of ${this.user.realName} is deactivated.`);
    if (channel.archived) throw new Error(`#${channel.name} is archived: nothing can be posted there.`);
    if (!channel.members.has(this.user.id)) {
      if (channel.kind !== "public") throw new Error(`${this.user.realName} is not in #${channel.name}.`);
      channel.members.add(this.user.id);
    }
    return channel;
  }

  /** A message the person sees. */
  protected message(channel: string, ts: string): StoredMessage {
    const message = this.state.message(channel, ts);
    const isForThem = message?.only === undefined || message.only === this.user.id;
    if (message !== undefined && message.unshown !== true && isForThem) return message;
    throw new Error(`${this.user.realName} sees no message ${ts} in ${channel}.`);
  }

  #view(id: string): StoredView {
    const view = this.state.views.get(id);
    if (view === undefined || view["user_id"] !== this.user.id) throw new Error(`There is no view ${id} to see.`);
    return view;
  }

  #modal(id: string): StoredView {
    const open = modalsOf(this.state, this.user.id).find((view) => view.id === id);
    if (open === undefined) throw new Error(`The modal ${id} is not open.`);
    return open;
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
