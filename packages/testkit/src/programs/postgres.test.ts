import { expect, it, vi } from "vitest";
import { startPostgres } from "./postgres.ts";

it("is missed aloud, once, with what to do, where no server is and none can be installed", async () => {
  const write = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  const tries = [
    await startPostgres({ PATH: "/absent" }, "/absent"),
    await startPostgres({ PATH: "/absent" }, "/absent"),
  ];
  const said = write.mock.calls.map(([text]) => String(text));
  write.mockRestore();
  expect(tries).toEqual([{ missing: expect.any(String) }, { missing: expect.any(String) }]);
  expect(said).toEqual([expect.stringMatching(/^skipped: .+ left out, .+ Install one .+ run the tests again/)]);
});
