import { answering } from "./ask/answering.ts";
import * as historyStore from "./history/history-store.ts";
import { HistoryView } from "./history/history-view.tsx";
import * as serverHistory from "./history/server-history.ts";
import { holdView } from "./history/this-window.ts";
import * as keepBars from "./keep/keep-bar.tsx";
import { Keeping } from "./keep/keeping.ts";
import { followClicks } from "./pages/clicks.ts";
import { openLinks } from "./pages/open-links.ts";
import { readPages } from "./pages/read-pages.ts";
import { FollowEnd } from "./answer/follow-end.tsx";
import { KeyBar } from "./view/key-bar.tsx";
import { announcement, TurnView } from "./view/turn-view.tsx";

const views = { ...keepBars, FollowEnd, HistoryView, KeyBar, TurnView, announcement };

/**
 * What the panel loads as soon as it is there to be seen: nothing of it is needed to draw it first. In one file, as all of
 * it is loaded at that moment.
 */
export const onceDrawn = {
  ...views,
  ...historyStore,
  ...serverHistory,
  answering,
  Keeping,
  followClicks,
  holdView,
  openLinks,
  readPages,
};
