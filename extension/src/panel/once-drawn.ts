import { forgetConversation, keepConversation, readConversations } from "./history/history-store.ts";
import { HistoryView } from "./history/history-view.tsx";
import { BacklogBar, KeepBar, UndoBar } from "./keep/keep-bar.tsx";
import { KeyBar } from "./view/key-bar.tsx";
import { Keeping } from "./keep/keeping.ts";
import { readServerConversations, readServerTurns } from "./history/server-history.ts";
import { readPages } from "./pages/read-pages.ts";
import { announcement, TurnView } from "./view/turn-view.tsx";
import { holdView, openLinksIn } from "./history/this-window.ts";

/**
 * What the panel loads as soon as it is there to be seen: nothing of it is needed to draw it first. In one file, as all of
 * it is loaded at that moment.
 */
export const onceDrawn = {
  BacklogBar,
  HistoryView,
  KeepBar,
  Keeping,
  KeyBar,
  TurnView,
  UndoBar,
  announcement,
  forgetConversation,
  holdView,
  keepConversation,
  openLinksIn,
  readConversations,
  readPages,
  readServerConversations,
  readServerTurns,
};
