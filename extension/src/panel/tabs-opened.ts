import { KeepTabs } from "./keep-tabs/keep-tabs.tsx";
import { PageMenu } from "./view/page-menu.tsx";

/** What opens of the page in front and of the window's other tabs: their menu, and the list of those to keep, to which it leads. */
export const tabsOpened = { KeepTabs, PageMenu };
