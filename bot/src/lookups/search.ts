import { setTimeout as delay } from "node:timers/promises";
import { askerWords } from "@threadlore/ask";
import { AuthError } from "@threadlore/client";
import { parseMoment } from "@threadlore/client/models";
import * as z from "zod";
import { chooseKeyAlone } from "../accounts/choose-key.ts";
import { isOwn } from "../accounts/question-key.ts";
import type { BotContext, Register } from "../context.ts";
import type { Settings } from "../rules/settings.ts";
import { CALLBACKS } from "../settings/manifest.ts";
import { field, text } from "@threadlore/documents/slack";
import { platformError } from "../slack/read/people.ts";
import { literalText, shortened } from "../slack/render/escape.ts";
import { excerptOf } from "./excerpts.ts";
import { findDocuments, type FoundDocument } from "./documents.ts";
import { rightsAlone, whyOverBudgetAlone } from "./rights.ts";

/** The platform shows no more. */
const MAX_RESULTS = 50;
const MAX_TITLE = 150;
const MAX_DESCRIPTION = 300;
/** For the platform's own answers, which are written from it. */
const MAX_CONTENT = 4_000;
/** The platform waits ten seconds for a search; a delivery has to be acknowledged after three. */
const PATIENCE_MS = 8_500;
const ACKNOWLEDGE_AFTER_MS = 2_000;
/** Options of a filter. */
const MAX_SETS = 50;

const Inputs = z.object({
  query: z.string().default(""),
  filters: z.record(z.string(), z.unknown()).default({}),
  user_context: z.object({ id: z.string() }),
});
type Inputs = z.infer<typeof Inputs>;

const DOCUMENT_SETS = "document_sets";

/** The platform's search: what somebody would be answered from in a direct message, as results. */
export const registerSearch: Register = (app, context) => {
  const begun = new Set<string>();
  const answering = (id: string, work: (inputs: Inputs) => Promise<Record<string, unknown>>) => {
    app.function(id, { autoAcknowledge: false }, async ({ event, inputs, ack }) => {
      const { function_execution_id: execution } = event;
      // Brought again because it took long.
      if (!begun.has(execution)) {
        begun.add(execution);
        const done = answer(context, execution, () => work(Inputs.parse(inputs)));
        context.later("search", () => done.finally(() => begun.delete(execution)));
        // The platform would have it acknowledged after it is done; where that takes long, before it is brought again.
        await Promise.race([done, delay(ACKNOWLEDGE_AFTER_MS)]);
      }
      await ack();
    });
  };
  answering(CALLBACKS.search, async (inputs) => ({ search_results: await resultsFor(context, inputs) }));
  answering(CALLBACKS.searchFilters, async ({ user_context: { id } }) => {
    const filter = await filtersFor(context, id);
    // The documentation calls it `filter`, the platform's own samples `filters`; what is not looked for is passed over.
    return { filter, filters: filter };
  });
};

/** Why there are no results, for whoever searches. */
class NotSearched extends Error {
  override readonly name = "NotSearched";
}

async function answer(
  { clients, pacer, self, log }: BotContext,
  execution: string,
  work: () => Promise<Record<string, unknown>>,
): Promise<void> {
  const named = { function_execution_id: execution };
  const where = (method: string) => ({ team: self.teamId, method });
  try {
    const outputs = await work();
    await pacer.call(where("functions.completeSuccess"), () =>
      clients.posts.functions.completeSuccess({ ...named, outputs }),
    );
  } catch (error) {
    const isRefusal = error instanceof NotSearched;
    // Brought again after it had ended: what it gave counts.
    if (OVER.has(platformError(error) ?? "")) return;
    if (!isRefusal) log.warn("search failed", { error });
    await pacer
      .call(where("functions.completeError"), () =>
        clients.posts.functions.completeError({ ...named, error: isRefusal ? error.message : wordsFor(error) }),
      )
      .catch((failed: unknown) => log.info("search over", { reason: platformError(failed) ?? "no answer" }));
  }
}

const OVER: ReadonlySet<string> = new Set(["execution_not_in_running_state", "function_execution_not_found"]);

const TOO_LATE = "The knowledge server did not answer in time, so nothing was searched. Try again in a minute.";

/** Why the server gave nothing, in the words that answers have for it; what it said itself is for the log. */
export function wordsFor(error: unknown): string {
  const [outcome, code, name] = ["outcome", "code", "name"].map((key) => text(field(error, key)));
  if (outcome === "aborted" || name === "TimeoutError" || name === "AbortError") return TOO_LATE;
  // A search has no words that could be wrong: what is refused is what the rules narrow it by.
  const cause = outcome === "invalid" ? "NOT_FOUND" : code || (name === "PermissionError" ? "forbidden" : outcome);
  return askerWords({ status: "failed", failure: { message: "", retryable: false, code: cause ?? "" } });
}

async function resultsFor(context: BotContext, { query, filters, user_context: { id: user } }: Inputs) {
  if (query.trim() === "") return [];
  const decision = await rightsAlone(context, user);
  if (decision.kind !== "answer") throw new NotSearched(decision.kind === "refuse" ? decision.words : NOT_FOR_YOU);
  const wait = await whyOverBudgetAlone(context, user);
  if (wait !== undefined) throw new NotSearched(wait);
  const chosen = await chooseKeyAlone(context, user, decision);
  if ("words" in chosen) throw new NotSearched(chosen.words.replaceAll("*", ""));
  const { key } = chosen;
  const settings = narrowed(decision.settings, filters[DOCUMENT_SETS]);
  const signal = AbortSignal.timeout(PATIENCE_MS);
  const found = await findDocuments(context, { query, key, user, settings }, signal).catch(async (error: unknown) => {
    if (!isOwn(key) || !(error instanceof AuthError)) throw error;
    // Nobody would see that these were found with less.
    await context.accounts.refused(key);
    throw new NotSearched("The knowledge server no longer accepts your own account. Connect it again on my Home.");
  });
  const today = new Date(context.now()).toISOString().slice(0, 10);
  return found.slice(0, MAX_RESULTS).map((document) => resultOf(document, today));
}

const NOT_FOR_YOU = "I answer members of this workspace only.";

/** Sets somebody chose can leave something out, and bring in nothing the rules do not let. */
function narrowed(settings: Settings, chosen: unknown): Settings {
  const sets = z.array(z.string()).catch([]).parse(chosen);
  if (sets.length === 0) return settings;
  const { document_sets: allowed } = settings;
  const left = allowed.length === 0 ? sets : allowed.filter((set) => sets.includes(set));
  return { ...settings, document_sets: left.length === 0 ? allowed : left };
}

/** A result as the platform takes it. A document whose day nobody knows is told as of today: it has to have one. */
export function resultOf({ id, title, link, passages, updatedAt }: FoundDocument, today: string) {
  const moment = parseMoment(updatedAt ?? "");
  const content = excerptOf(passages, title, MAX_CONTENT);
  const name = shortened(literalText(title), MAX_TITLE);
  return {
    external_ref: { id, type: "document" },
    title: name,
    description: excerptOf(passages, title, MAX_DESCRIPTION) || name,
    link,
    date_updated: moment === undefined ? today : new Date(moment).toISOString().slice(0, 10),
    ...(content !== "" && { content }),
  };
}

/** Document sets the person may choose between; nothing where there is no choice. */
async function filtersFor(context: BotContext, user: string): Promise<Record<string, unknown>[]> {
  const decision = await rightsAlone(context, user);
  if (decision.kind !== "answer") return [];
  const { document_sets: allowed } = decision.settings;
  const chosen = await chooseKeyAlone(context, user, decision);
  if ("words" in chosen) return [];
  const server = await context.accounts.server(chosen.key, user).catch(() => undefined);
  const listed = (await server?.deployment.documentSets().catch(() => [])) ?? [];
  const names = listed.map(({ name }) => name).filter((name) => allowed.length === 0 || allowed.includes(name));
  if (names.length < 2) return [];
  const options = names.slice(0, MAX_SETS).map((name) => ({ name, value: name }));
  return [
    {
      name: DOCUMENT_SETS,
      display_name: "Document set",
      display_name_plural: "Document sets",
      type: "multi_select",
      options,
    },
  ];
}
