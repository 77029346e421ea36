import { FailureCard } from "./failure-card.tsx";
import { forgetConversation, keepConversation, readConversations } from "./history-store.ts";
import { HistoryView } from "./history-view.tsx";
import { BacklogBar, KeepBar, UndoBar } from "./keep-bar.tsx";
import { KeyBar } from "./key-bar.tsx";
import { followKeeping } from "./keeping.ts";
import { readServerConversations, readServerTurns } from "./server-history.ts";
import { holdDraft, holdView, openLinksIn, readDraft, readView } from "./this-window.ts";

/**
 * What the panel loads as soon as it is there to be seen: nothing of it is needed to draw it first. In one file, as all of
 * it is loaded at that moment.
 */
export const onceDrawn = {
  BacklogBar,
  FailureCard,
  HistoryView,
  KeepBar,
  KeyBar,
  UndoBar,
  followKeeping,
  forgetConversation,
  holdDraft,
  holdView,
  keepConversation,
  openLinksIn,
  readConversations,
  readDraft,
  readServerConversations,
  readServerTurns,
  readView,
};
