/**
 * What the panel loads as soon as it is there to be seen: nothing of it is needed to draw it first. In one file, as all of
 * it is loaded at that moment.
 */
export { BacklogBar, KeepBar, UndoBar } from "./keep-bar.tsx";
export { followKeeping } from "./keeping.ts";
export { forgetConversation, keepConversation, readConversations } from "./history-store.ts";
export { HistoryView } from "./history-view.tsx";
export { readServerConversations, readServerTurns } from "./server-history.ts";
export { holdDraft, holdView, openLinksIn, readDraft, readView } from "./this-window.ts";
