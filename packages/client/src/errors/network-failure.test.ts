import { describe, expect, it } from "vitest";
import { createTransport } from "../http/transport.ts";
import { networkFailure } from "./network-failure.ts";

describe("ports that nothing is sent to", () => {
  it.each([9, 25, 6000, 6667, 10_080])("are named for what they are: %i", async (port) => {
    const transport = createTransport({ baseUrl: `http://127.0.0.1:${port}`, retries: { retries: 0 } });
    await expect(transport.text({ method: "GET", path: "/health", repeatable: true })).rejects.toMatchObject({
      name: "UnavailableError",
      message:
        `The server at 127.0.0.1:${port} cannot be reached: port ${port} is kept for another service, and neither ` +
        "browsers nor this program send anything there. Check the port.",
      maybeProcessed: false,
    });
  });

  it.each(["service.test:9", "[::1]:9"])("are known to a page too, which is not told why: %s", (host) => {
    const failure = networkFailure(new TypeError("Failed to fetch"), host);
    expect(failure.message).toContain("port 9 is kept for another service");
    expect(failure.message).not.toContain("origin");
    expect(failure.maybeProcessed).toBe(false);
  });

  it.each(["service.test", "service.test:8080", "service.test:90", "[::9]", "9"])("are not any other: %s", (host) => {
    const failure = networkFailure(new TypeError("Failed to fetch"), host);
    expect(failure.message).not.toContain("kept for another service");
    expect(failure.maybeProcessed).toBe(true);
  });
});
