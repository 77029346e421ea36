import { expect, it } from "vitest";
import { placeOf, taskKey } from "./task-key.ts";

const message = { team: "T1", channel: "C1", ts: "1.5" };

it("makes one task of two deliveries of a message, and two of two clicks", () => {
  expect(placeOf(message)).toBe("T1:C1:1.5");
  expect(taskKey("question", message)).toBe("question:T1:C1:1.5");
  expect(taskKey("regenerate", message, "1700.2")).not.toBe(taskKey("regenerate", message, "1700.3"));
});
