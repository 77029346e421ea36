/**
 * What the panel loads as soon as it is there to be seen: nothing of it is needed to draw it first. In one file, as all of
 * it is loaded at that moment.
 */
export { forgetConversation, keepConversation, readConversations } from "./history/history-store.ts";
export { HistoryView } from "./history/history-view.tsx";
export { readServerConversations, readServerTurns } from "./history/server-history.ts";
export { holdView, openLinksIn } from "./history/this-window.ts";
export { BacklogBar, KeepBar, UndoBar } from "./keep/keep-bar.tsx";
export { Keeping } from "./keep/keeping.ts";
export { readPages } from "./pages/read-pages.ts";
export { KeyBar } from "./view/key-bar.tsx";
export { announcement, TurnView } from "./view/turn-view.tsx";
