import type { App } from "@slack/bolt";
import { WebAPIPlatformError } from "@slack/web-api";
import type { BotContext } from "./context.ts";
import type { Intake } from "./inbox/intake.ts";
import { field, record, records } from "@threadlore/documents/slack";
import type { Self } from "./slack/read/self.ts";
import { createHttpReceiver } from "./slack/transport/http-receiver.ts";
import type { ConnectionOptions } from "./slack/transport/socket-connection.ts";
import { createSocketReceiver, type WatchedReceiver } from "./slack/transport/receiver.ts";

/** What takes deliveries of the platform in, by the configuration; `url`: where they are posted, with HTTP. */
export function receiverFor(
  context: BotContext,
  { logger, dispatcher }: Pick<ConnectionOptions, "logger" | "dispatcher">,
): WatchedReceiver & { readonly url?: string } {
  const { config, clients, log, metrics, now } = context;
  if (config.receiver.kind === "http") {
    return createHttpReceiver({
      signingSecret: config.slack.signingSecret ?? "",
      host: config.receiver.host,
      port: config.receiver.port,
      logger,
      now,
      onRefused(problem) {
        const hint = "its time and this machine's differ by more than five minutes: check this machine's clock";
        log.warn("request refused", { reason: problem === "clock" ? hint : problem });
      },
    });
  }
  return createSocketReceiver({
    appToken: config.slack.appToken ?? "",
    sockets: config.receiver.sockets,
    logger,
    clientOptions: clients.boltOptions,
    dispatcher,
    onConnected: () => metrics.connected(),
    onEventsDropped() {
      metrics.eventsDropped();
      log.warn("events dropped", { reason: "more than 30,000 in an hour" });
    },
    onFatal(reason) {
      log.error("disconnected for good", { reason });
      context.end(new WebAPIPlatformError({ ok: false, error: reason }));
    },
  });
}

/** Deliveries of another workspace or app never reach a listener (docs/threats.md, T16). */
export function guardDeliveries(app: App, { self, log }: BotContext, intake: Intake): void {
  app.use(async ({ body, next }) => {
    if (isForUs(body, self)) {
      try {
        await next();
      } catch (error) {
        intake.failed(error, body);
        throw error;
      }
    } else log.warn("delivery refused", { reason: "it is for another workspace or app" });
  });
  app.error(async (error) => {
    log.error("listener failed", { error });
    // Thrown on, so that the platform is not told that it was taken.
    throw error;
  });
}

function isForUs(body: object, self: Self): boolean {
  const { api_app_id: appId, team_id: teamId, team, authorizations } = record(body);
  if (self.appId !== undefined && typeof appId === "string" && appId !== self.appId) return false;
  const teams = [teamId, field(team, "id"), ...records(authorizations).map((one) => one["team_id"])];
  // Everything of the platform names a workspace; what names none is not of ours.
  return teams.includes(self.teamId) || isSearchOfOurs(body, self);
}

/** What belongs to no channel comes from every workspace of the organisation the app is installed for. */
const OF_NO_CHANNEL: ReadonlySet<unknown> = new Set(["function_executed", "entity_details_requested"]);

function isSearchOfOurs(body: object, { organisation }: Self): boolean {
  const { event, enterprise_id: enterprise, authorizations } = record(body);
  if (organisation === undefined || !OF_NO_CHANNEL.has(field(event, "type"))) return false;
  return [enterprise, ...records(authorizations).map((one) => one["enterprise_id"])].includes(organisation);
}
