import type { Beside, BesideOptions } from "../testing/beside.ts";
import { besideInChromium } from "../testing/beside-chromium.ts";
import { besideInFirefox } from "../testing/beside-firefox.ts";
import { hasChromium } from "../testing/chromium.ts";
import { hasFirefox } from "../testing/firefox.ts";

/** A browser that a flow is run in. */
interface TestedBrowser {
  readonly name: "Chromium" | "Firefox";
  /** Whether it is on this machine. */
  readonly isThere: boolean;
  launch(options: BesideOptions): Promise<Beside>;
}

/** Both, for `describe.each`. Asked where no time limit counts: this may install a browser first. */
export const BROWSERS: readonly TestedBrowser[] = [
  { name: "Chromium", isThere: await hasChromium(), launch: besideInChromium },
  { name: "Firefox", isThere: await hasFirefox(), launch: besideInFirefox },
];
