// Put into a browser page by markdown-browser.ts, beside the page's own contestants.
import { createIncremarkParser } from "@incremark/core";
import dompurify from "dompurify";
import { createElement } from "react";
import { flushSync } from "react-dom";
import { createRoot } from "react-dom/client";
import { Streamdown } from "streamdown";
import { default_renderer, parser, parser_end, parser_write } from "streaming-markdown";
import type { PeerWriters } from "../src/markdown/live.ts";

const nothing = () => {};

export const writers: PeerWriters = {
  sanitize: (html) => dompurify.sanitize(html),
  streamingMarkdown: (place) => {
    const stream = parser(default_renderer(place));
    return {
      take: (piece) => parser_write(stream, piece),
      show: nothing,
      end: () => parser_end(stream),
      remove: nothing,
    };
  },
  streamdown: (place) => {
    const root = createRoot(place);
    return {
      render: (text) => flushSync(() => root.render(createElement(Streamdown, null, text))),
      remove: () => root.unmount(),
    };
  },
  incremark: () => createIncremarkParser({ gfm: true }),
};
