/** What the panel loads once it is there to be seen: nothing of it is needed to draw it first. One file, since all of it is. */
export { BacklogBar, KeepBar, UndoBar } from "./keep-bar.tsx";
export { followKeeping } from "./keeping.ts";
export { forgetConversation, keepConversation, readConversations } from "./history-store.ts";
export { HistoryView } from "./history-view.tsx";
export { readServerConversations, readServerTurns } from "./server-history.ts";
export { serviceAccess } from "./service-access.ts";
export { holdDraft, holdView, openLinksIn, readDraft, readView } from "./this-window.ts";
