import type { Beside, BesideOptions } from "../testing/beside.ts";
import { besideInChromium } from "../testing/beside-chromium.ts";
import { besideInFirefox } from "../testing/beside-firefox.ts";
import { hasChromium } from "../testing/chromium.ts";
import { hasFirefox } from "../testing/firefox.ts";
import { servePages, type TestPages } from "../testing/pages.ts";

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

/** What a flow goes over in one browser. */
export interface Scene<Service> {
  readonly beside: Beside;
  readonly service: Service;
  readonly pages: TestPages;
  /** Ends the browser, then what it spoke with. */
  end(): Promise<void>;
}

/** What a scene is made of. */
export interface SceneParts<Service> extends Pick<BesideOptions, "allowedSites"> {
  /** Starts the service; throws where it cannot. */
  readonly service: () => Promise<Service>;
  /** What each path of the pages' site answers with, as `servePages` takes it. */
  readonly pages: Parameters<typeof servePages>[0];
  /** Whether the extension is set up with the service from the start. Default: true. */
  readonly isSetUp?: boolean;
}

/** Begins a scene in a browser: its service, its pages, and the browser with the extension. Throws what any of them throws. */
export async function beginScene<Service extends NonNullable<BesideOptions["service"]> & { close(): Promise<void> }>(
  launch: TestedBrowser["launch"],
  { service: start, pages: answer, isSetUp = true, allowedSites }: SceneParts<Service>,
): Promise<Scene<Service>> {
  const [service, pages] = await Promise.all([start(), servePages(answer)]);
  const beside = await launch({ ...(isSetUp && { service }), ...(allowedSites && { allowedSites }) });
  return {
    beside,
    service,
    pages,
    async end() {
      await beside.close();
      await Promise.all([service.close(), pages.close()]);
    },
  };
}
