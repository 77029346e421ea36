/** What takes an answer to the platform, without the rest of the bot: for measuring it. */
export { type AnswerView, createAnswerView } from "./answer-view.ts";
export { type Clients, createClients } from "./slack/clients.ts";
export type { Delivery, DeliveryDeps } from "./slack/delivery-seam.ts";
export { openDelivery } from "./slack/delivery.ts";
export { type Clock, createPacer, type Pacer } from "./slack/pacing.ts";
