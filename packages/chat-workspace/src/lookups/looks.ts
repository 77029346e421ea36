import { isObject } from "../fields.ts";
import { Interactions } from "../interactions.ts";
import type { StoredDetails, StoredExecution } from "../state.ts";
import { LIMITS } from "../validator/limits.ts";
import { linksIn, unfurlDomains } from "./links.ts";
import { titleOf } from "./work-objects.ts";

/** One thing the platform's search shows of the app. */
export interface SearchResult {
  readonly external_ref: { readonly id: string; readonly type?: string };
  readonly title: string;
  readonly description: string;
  readonly link: string;
  readonly date_updated: string;
  readonly content?: string;
}

/** What a search of the app's gave: results, or what is said in their place. */
export interface SearchOutcome {
  readonly results: readonly SearchResult[];
  readonly said?: string;
}

/** What stands beside the conversation when a preview or a result was opened. */
export interface Details {
  readonly metadata?: Record<string, unknown> | undefined;
  readonly error?: Record<string, unknown> | undefined;
}

const SEARCH = { name: "search_results", type: "slack#/types/search_results" };
const FILTERS = { name: "filter", type: "slack#/types/search_filters" };

/** Somebody who looks things up: in the search, in what they are writing, in what a preview shows when it is opened. */
export class Looks extends Interactions {
  /** Searches where the app's results are; `filters` are those chosen. */
  async search(query: string, filters: Record<string, unknown> = {}): Promise<SearchOutcome> {
    const { callbackId } = this.#searchOffered();
    const ended = await this.#execute(callbackId, SEARCH, { query, filters });
    if ("error" in ended) return { results: [], said: ended.error };
    return { results: ended.outputs[SEARCH.name] as readonly SearchResult[] };
  }

  /** Filters the app offers beside its results. */
  async searchFilters(): Promise<readonly Record<string, unknown>[]> {
    const { filtersCallbackId } = this.#searchOffered();
    if (filtersCallbackId === undefined) return [];
    const ended = await this.#execute(filtersCallbackId, FILTERS, {});
    return "error" in ended ? [] : (ended.outputs[FILTERS.name] as readonly Record<string, unknown>[]);
  }

  #searchOffered(): { readonly callbackId: string; readonly filtersCallbackId?: string } {
    const { search } = this.state.options.app ?? {};
    if (search === undefined) throw new Error("The app offers nothing to search.");
    if (!this.parts.delivery.isSubscribed("function_executed")) {
      throw new Error("Nothing can be searched: the app is not subscribed to function_executed.");
    }
    return search;
  }

  async #execute(
    callbackId: string,
    output: { name: string; type: string },
    given: Record<string, unknown>,
  ): Promise<{ outputs: Record<string, unknown> } | { error: string }> {
    const { state } = this;
    const id = state.id("Fx");
    const { promise, resolve } = Promise.withResolvers<Parameters<StoredExecution["settle"]>[0]>();
    const declared = { [output.name]: output.type };
    const workflowToken = `xwfp-${state.hex(24)}`;
    const { scopes = [] } = state.tokens.get(state.credentials.botToken) ?? {};
    state.tokens.set(workflowToken, { value: workflowToken, kind: "bot", scopes, revoked: false });
    const execution: StoredExecution = { id, user: this.user.id, declared, state: "running", settle: resolve };
    state.executions.set(id, execution);
    this.parts.delivery.tell({
      type: "function_executed",
      function: {
        id: state.id("Fn"),
        callback_id: callbackId,
        title: callbackId,
        type: "app",
        input_parameters: [],
        output_parameters: [{ type: output.type, name: output.name, is_required: true }],
        app_id: state.app.appId,
        date_created: 0,
        date_updated: 0,
        date_deleted: 0,
      },
      inputs: { ...given, user_context: { id: this.user.id, secret: state.hex(16) } },
      function_execution_id: id,
      workflow_execution_id: state.id("Wx"),
      bot_access_token: workflowToken,
    });
    const late = setTimeout(() => {
      execution.state = "failed";
      resolve({ error: "The app took too long to answer." });
    }, LIMITS.searchMs);
    return promise.finally(() => {
      clearTimeout(late);
      // Good for this function alone.
      const token = state.tokens.get(workflowToken);
      if (token !== undefined) token.revoked = true;
    });
  }

  /**
   * Writes a message and does not send it: of the links in it the app is told, and what it shows of them stands below
   * what is written. Returns the id of that; see `composed`.
   */
  async compose(words: string): Promise<string> {
    const { state } = this;
    const id = state.hex(32);
    const links = linksIn(words, unfurlDomains(state));
    state.composed.set(id, { user: this.user.id, text: words, attachments: [], entities: [] });
    const about = { user: this.user.id, channel: "COMPOSER", message_ts: id, unfurl_id: id, source: "composer" };
    if (links.length > 0) {
      this.parts.delivery.tell({
        type: "link_shared",
        ...about,
        is_bot_user_member: false,
        links,
        user_locale: "en-US",
      });
    }
    return id;
  }

  /** Titles of the previews below what is being written. */
  composed(id: string): readonly string[] {
    const written = this.state.composed.get(id);
    return (written?.entities ?? []).map(titleOf);
  }

  /** Opens the preview of an address below a message. */
  async openPreview(channel: string, ts: string, url: string): Promise<Details> {
    const message = this.message(channel, ts);
    const entity = message.entities.find((one) => one["app_unfurl_url"] === url);
    if (entity === undefined) throw new Error(`There is no preview of ${url} below this message.`);
    const thread = message.threadTs === undefined ? {} : { thread_ts: message.threadTs };
    const shown = { entity_url: String(entity["url"]), app_unfurl_url: url, external_ref: refOf(entity) };
    return this.#openDetails(shown, { channel, ts }, { channel, message_ts: ts, ...thread });
  }

  /** Opens one of the app's results. */
  async openResult({ link, external_ref }: SearchResult): Promise<Details> {
    return this.#openDetails({ entity_url: link, external_ref });
  }

  async #openDetails(
    shown: { entity_url: string; app_unfurl_url?: string; external_ref: { id: string } },
    at?: StoredDetails["at"],
    place: Record<string, unknown> = {},
  ): Promise<Details> {
    const { state } = this;
    if (!this.parts.delivery.isSubscribed("entity_details_requested")) {
      throw new Error("Nothing is shown: the app is not subscribed to entity_details_requested.");
    }
    const trigger = `${state.digits(13)}.${state.digits(12)}.${state.hex(32)}`;
    const { promise, resolve } = Promise.withResolvers<Details>();
    const { external_ref: ref, entity_url: url } = shown;
    state.details.set(trigger, { ref, issuedAt: state.now(), settle: resolve, ...(at !== undefined && { at }) });
    this.parts.delivery.tell({
      type: "entity_details_requested",
      user: this.user.id,
      trigger_id: trigger,
      link: { url, domain: URL.parse(url)?.hostname ?? "" },
      user_locale: "en-US",
      ...shown,
      ...place,
    });
    return promise;
  }
}

function refOf(entity: Record<string, unknown>): { id: string } {
  const ref = entity["external_ref"];
  return { id: isObject(ref) ? String(ref["id"]) : "" };
}
