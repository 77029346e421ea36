import { expect, it } from "vitest";
import { beginStill, StillWork } from "./still-tasks.ts";

const BY_PIN = { do: "doubted" as const, channel: "C0GENERAL", ts: "1.1", kept: "slack:T:C:2.2", by: "U0ADA" };
const BY_DOCUMENT = {
  do: "doubted" as const,
  channel: "C0ADMINS",
  newer: "crews",
  ref: "a1",
  kept: "slack:T:C:2.2",
  by: "U0BOSS",
};

it("somebody says of a message, or an administrator of a document, that it changes an answer: both are one kind of step", () => {
  expect(StillWork.parse(BY_PIN)).toEqual(BY_PIN);
  expect(StillWork.parse(BY_DOCUMENT)).toEqual(BY_DOCUMENT);
  expect(StillWork.safeParse({ ...BY_DOCUMENT, newer: undefined }).success).toBe(false);
});

it("what is said of a message is done in the order of that message, and of a document in that of the two documents", async () => {
  const accepted: { key: string; partitionKey?: string | undefined }[] = [];
  const accept = (task: (typeof accepted)[number]) => Promise.resolve(accepted.push(task) > 0);
  const inbox = { accept } as unknown as Parameters<typeof beginStill>[0]["inbox"];
  for (const work of [BY_PIN, BY_DOCUMENT, { ...BY_DOCUMENT, newer: `crews${"s".repeat(3_000)}` }]) {
    await beginStill({ inbox }, work, "pressed");
  }
  const [pin, one, other] = accepted;
  expect(pin).toMatchObject({ key: "still:doubted:C0GENERAL:1.1:pressed", partitionKey: "still:C0GENERAL:1.1" });
  expect(one?.partitionKey).not.toBe(other?.partitionKey);
  expect(other?.key.length).toBeLessThan(100);
});
