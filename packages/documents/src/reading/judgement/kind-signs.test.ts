import { describe, expect, it } from "vitest";
import { kindSigns } from "./kind-signs.ts";

const KINDS = ["documentation", "forum", "product", "list", "article", "offer", "front"] as const;
const signsOf = (url: string) => KINDS.filter((_, at) => kindSigns(url)[at] === true);

describe("what an address says about its page", () => {
  it("finds the words that sites use for kinds of pages", () => {
    expect(signsOf("https://docs.allotment.example/watering")).toEqual(["documentation"]);
    expect(signsOf("https://allotment.example/forum/viewtopic.php?t=7")).toEqual(["forum"]);
    expect(signsOf("https://allotment.example/products/can")).toEqual(["product"]);
    expect(signsOf("https://allotment.example/category/cans")).toEqual(["list"]);
    expect(signsOf("https://allotment.example/2026/why-beans-want-water-early")).toEqual(["article"]);
    expect(signsOf("https://allotment.example/pricing")).toEqual(["offer"]);
  });

  it("knows a front page, in any language, and takes what is no address for nothing", () => {
    expect(signsOf("https://allotment.example/")).toEqual(["front"]);
    expect(signsOf("https://allotment.example/de")).toEqual(["front"]);
    expect(signsOf("https://allotment.example/beans")).toEqual([]);
    expect(signsOf("about beans")).toEqual([]);
  });
});
