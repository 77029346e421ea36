import type { Deployment } from "@threadlore/client/deployment";
import { expect, it } from "vitest";
import { idsOnServer } from "./on-server.ts";

it("asks for what a server has a page at a time, so that it has time for others", async () => {
  const ids = Array.from({ length: 1_203 }, (_, at) => `d${at}`);
  const asked: (number | undefined)[] = [];
  const documents: Deployment["documents"] = async ({ most, oldest } = {}) => {
    asked.push(most);
    const from = oldest === undefined ? 0 : ids.length - oldest;
    return ids
      .slice(from, from + (most ?? ids.length))
      .map((id, at) => ({ document_id: id, older: ids.length - from - at - 1 }));
  };
  const found = await idsOnServer({ documents }, 1, new AbortController().signal);
  expect([...found]).toEqual(ids);
  expect(asked).toEqual([500, 500, 500]);
});
