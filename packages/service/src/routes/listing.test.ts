import { createDeployment } from "@threadlore/client/deployment";
import { afterThisTest } from "@threadlore/testkit";
import { expect, it } from "vitest";
import { inProcess, OWNER_KEY } from "../service.harness.ts";

it("a listing is asked for one document, for the newest so many, or from where another ended", async () => {
  const { url, fetch, call, close } = await inProcess.open();
  afterThisTest(close);
  const text = [{ text: "x" }];
  for (const id of ["first", "second/ü?", "third"]) {
    await call("POST", "/service-api/ingestion", { document: { id, semantic_identifier: id, sections: text } });
  }
  const ids = async (query: string): Promise<unknown> =>
    ((await call("GET", `/service-api/ingestion${query}`)).body as { document_id: string }[]).map(
      ({ document_id: id }) => id,
    );
  expect(await ids("")).toEqual(["third", "second/ü?", "first"]);
  expect(await ids("?most=2")).toEqual(["third", "second/ü?"]);
  expect(await ids(`?document_id=${encodeURIComponent("second/ü?")}`)).toEqual(["second/ü?"]);
  expect(await ids("?document_id=none")).toEqual([]);
  const [newest] = (await call("GET", "/service-api/ingestion?most=1")).body as { older: number }[];
  expect(newest?.older).toBe(2);
  expect(await ids("?most=1&oldest=2")).toEqual(["second/ü?"]);
  expect(await ids("?oldest=0")).toEqual([]);
  expect(await ids("?oldest=99")).toHaveLength(3);
  for (const wrong of ["most=many", "oldest=-1", "oldest=third"]) {
    expect((await call("GET", `/service-api/ingestion?${wrong}`)).status).toBe(422);
  }
  const deployment = createDeployment({ baseUrl: url, fetch, apiKey: OWNER_KEY });
  expect(await deployment.documents({ documentId: "second/ü?" })).toHaveLength(1);
  expect(await deployment.documents({ pairId: 1, most: 1 })).toMatchObject([{ document_id: "third" }]);
});
