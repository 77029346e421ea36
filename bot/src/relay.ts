/** What takes an answer to the platform, without the rest of the bot: for measuring it. */
export { type AnswerView, createAnswerView } from "./ask/answer-view.ts";
export { type Clients, createClients } from "./slack/transport/clients.ts";
export type { DeliveryDeps } from "./slack/deliver/delivery-seam.ts";
export { Delivery } from "./slack/deliver/delivery.ts";
export { type Clock } from "./slack/transport/clock.ts";
export { Pacer } from "./slack/transport/pacing.ts";
