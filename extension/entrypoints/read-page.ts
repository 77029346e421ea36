import { readPage } from "@threadlore/documents/read-page";
import { defineUnlistedScript } from "wxt/utils/define-unlisted-script";
import { keepPageOnce } from "../src/capture/keep-page.ts";
import type { CaptureScope } from "../src/capture/capture.ts";
import { provideDigest } from "../src/capture/plain-http-digest.ts";

export default defineUnlistedScript(() => {
  provideDigest(globalThis);
  (globalThis as CaptureScope).threadlore = {
    read: ({ selection }) => readPage(document, { selection }),
    keep: (request) => keepPageOnce(document, request),
  };
});
