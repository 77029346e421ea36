import { afterEach, describe, expect, it } from "vitest";

import { ending, openScene, paragraphNumbers, paragraphs, type Scene } from "./delivery.harness.ts";
import { Delivery, resumeDelivery } from "./delivery.ts";

const scenes: Scene[] = [];
afterEach(async () => {
  for (const { workspace } of scenes.splice(0)) await workspace.close();
});

describe("an answer by response address", () => {
  /** What the address answers, one status after the other, and what it was told. */
  async function respondTo(statuses: readonly number[], pieces = paragraphs(2)) {
    const said: { text: string; blocks?: unknown }[] = [];
    const left = [...statuses];
    const at = await openScene({
      private: true,
      deps: {
        fetch: async (_, init) => {
          said.push(JSON.parse(String(init?.body)));
          return new Response("", { status: left.shift() ?? 200 });
        },
      },
    });
    scenes.push(at);
    const delivery = new Delivery({ ...at.place, responseUrl: "https://slack.test/response" }, at.deps);
    return { at, said, done: await delivery.finish(ending(pieces)) };
  }

  it("is told to the address alone, and recorded without messages", async () => {
    const { at, said, done } = await respondTo([]);
    expect(done).toEqual({ kind: "delivered", how: "ephemeral", messages: [] });
    expect(said).toMatchObject([{ response_type: "ephemeral", replace_original: false }]);
    expect(paragraphNumbers(JSON.stringify(said))).toEqual([0, 1]);
    expect(at.journal.at(-1)?.stage).toBe("closed");
    expect(at.count("chat.postEphemeral") + at.count("chat.postMessage")).toBe(0);
    const { place, deps } = at;
    expect(
      (await resumeDelivery(place, { stage: "closed", messages: at.journal.at(-1)?.messages ?? [] }, deps)).already,
    ).toEqual(done);
  });

  it("is told again where it may be lost, and as text where its blocks are refused", async () => {
    const lost = await respondTo([503, 429]);
    expect(lost.done.kind).toBe("delivered");
    expect(lost.said).toHaveLength(3);
    const refused = await respondTo([400]);
    expect(refused.done.kind).toBe("delivered");
    expect(
      paragraphNumbers(
        refused.said
          .slice(1)
          .map(({ text }) => text)
          .join("\n"),
      ),
    ).toEqual([0, 1]);
    expect(refused.said.slice(1).some(({ blocks }) => blocks !== undefined)).toBe(false);
  });

  it("ends quietly where the address is no more, and takes no more messages than Slack does", async () => {
    expect((await respondTo([404])).done).toEqual({ kind: "gone", reason: "response_url_404", messages: [] });
    const { said } = await respondTo([], paragraphs(40, 700));
    expect(said).toHaveLength(5);
  });
});
