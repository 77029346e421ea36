import { HistoryView } from "./history/history-view.tsx";
import { holdView } from "./history/this-window.ts";
import * as keepBars from "./keep/keep-bar.tsx";
import { Keeping } from "./keep/keeping.ts";
import { answeredAsks, keptMenu, Later, nearAnswers } from "./keep/later.tsx";
import { serviceAccess } from "./connection/service-access.ts";
import { followClicks } from "./pages/clicks.ts";
import { openLinks } from "./pages/open-links.ts";
import { KeyBar } from "./view/key-bar.tsx";

/**
 * What the panel loads as soon as it is there to be seen: nothing of it is needed to draw it first. In one file, as all of
 * it is loaded at that moment. What comes after it is loaded from here, so that none of it need bring along, in a file of
 * its own, what is in this one.
 */
export const onceDrawn = {
  ...keepBars,
  answeredAsks,
  HistoryView,
  loadToAsk: () => import("./to-ask.ts"),
  loadTabs: () => import("./tabs-opened.ts").then(({ tabsOpened }) => tabsOpened),
  Keeping,
  KeyBar,
  Later,
  followClicks,
  holdView,
  keptMenu,
  nearAnswers,
  openLinks,
  serviceAccess,
};
