import { it } from "vitest";
import { loseEveryThird } from "./deployed-pins.harness.ts";

// oxlint-disable-next-line vitest/expect-expect -- the harness expects
it("300 pins of which the server loses every third are all found once it is well, without a command", async () => {
  await loseEveryThird(300, 1_200_000);
});
