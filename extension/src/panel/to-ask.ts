import { FollowEnd } from "./answer/follow-end.tsx";
import { answering } from "./ask/answering.ts";
import { wireTo } from "./connection/wire.ts";
import * as historyStore from "./history/history-store.ts";
import * as serverHistory from "./history/server-history.ts";
import { readPages } from "./pages/read-pages.ts";
import { toPassage } from "./pages/to-passage.ts";
import { announcement, TurnView } from "./view/turn-view.tsx";

/**
 * What it takes to ask, to show answers and to keep conversations: loaded when the first question begins to be written,
 * or something that was said before is wanted. In one file, as all of it is loaded at that moment.
 */
export const toAsk = {
  ...historyStore,
  ...serverHistory,
  answering,
  FollowEnd,
  TurnView,
  announcement,
  loadPeople: () => import("./people-opened.ts").then(({ peopleOpened }) => peopleOpened),
  readPages,
  toPassage,
  wireTo,
};
