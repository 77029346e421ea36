/** What companies export of the places where they write: read as it is documented, made into documents with lasting ids. */
export {
  confluencePage,
  type ConfluencePage,
  type PageReadingOptions,
  confluencePageId,
  confluencePageLink,
} from "./confluence/page.ts";
export { confluenceSpace, type ConfluenceSpace } from "./confluence/space.ts";
export { linkedHtml, linkedMarkdown } from "./notion/notion-links.ts";
export { type NotionName, notionLink, notionName, notionShownPath, notionTrail } from "./notion/notion-path.ts";
export { ConversationPlan, type ExportedGroup, type ExportedMessage, messagesIn } from "./slack/conversation-plan.ts";
export {
  isTeam,
  mostCommon,
  type SlackConversation,
  slackDirectory,
  type SlackDirectory,
  type SlackLists,
} from "./slack/directory.ts";
export { emptiedGroup, groupDocument, groupId, type GroupPlace, isHeadless } from "./slack/group-document.ts";
