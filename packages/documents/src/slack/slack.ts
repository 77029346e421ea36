/** Slack's JSON and its markup, read without trusting their shape: for whoever reads messages, live or out of an export. */
export { field, record, records, text } from "./fields.ts";
export {
  type AttachedFile,
  attachedFile,
  isByProgram,
  isOwn,
  type Message,
  permalinkOf,
  readMessage,
} from "./message.ts";
export { escapeControl, markdownOf, type Names, someNames } from "./mrkdwn.ts";
