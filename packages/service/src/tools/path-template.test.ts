import { ownTime } from "@threadlore/testkit";
import { describe, expect, it } from "vitest";
import { checkPathTemplate, PathTemplateError } from "./path-template.ts";

const names = new Set(["id", "größe", "id*", ";id", "user id", "self"]);
const check = (path: string) => checkPathTemplate(path, names);

// Each verdict is what Python's `path.format(id="value", …)` gives.
const fillable = [
  "",
  "/",
  "/x/{id}",
  "/x/{id}/{id}",
  "/x/{größe}",
  "/x/{id*}",
  "/x/{;id}",
  "/x/{user id}",
  "/x/{self}",
  "/x?a={id}",
  "/{{id}}",
  "/{{",
  "/}}",
  "/{{{id}}}",
  "/x/{id!r}",
  "/x/{id!s}",
  "/x/{id!a:>10}",
  "/x/{id:>10}",
  "/x/{id:*^10}",
  "/x/{id:010}",
  "/x/{id:.2}",
  "/x/{id:10.2s}",
  "/x/{id:s}",
  "/x/{id:}",
  "/x/{id.upper}",
  "/x/{id.__class__}",
  "/x/{id[0]}",
  "/x/{id[4]}",
  "/x/{id[0].upper}",
  "/x/{id[0][0]}",
  "/x/{id.upper.__name__}",
  "/x/{id.upper!r:>40}",
  "/x/{id:{id[4]}<9}",
  "/x/{id:{id[0]:>}<9}",
];

const unfillable = [
  "/x/{}",
  "/x/{0}",
  "/x/{12}",
  "/x/{٣}",
  "/x/{other}",
  "/x/{ID}",
  "/x/{ id }",
  "/x/{id",
  "/x/{",
  "/x/}",
  "/x/{id}}",
  "/x/{{id}",
  "/x/{pet.id}",
  "/x/{a:b}",
  "/x/{id.name}",
  "/x/{id.}",
  "/x/{id..upper}",
  "/x/{id[a]}",
  "/x/{id[5]}",
  "/x/{id[-1]}",
  "/x/{id[]}",
  "/x/{id[0}",
  "/x/{id[0]x}",
  "/x/{id{id}}",
  "/x/{id!}",
  "/x/{id!x}",
  "/x/{id!rs}",
  "/x/{id!r",
  "/x/{id!",
  "/x/{id:d}",
  "/x/{id:=5}",
  "/x/{id:+5}",
  "/x/{id:#}",
  "/x/{id:z}",
  "/x/{id:,}",
  "/x/{id:_}",
  "/x/{id:.}",
  "/x/{id:5x}",
  "/x/{id:",
  "/x/{id:{w}}",
  "/x/{id:{id}}",
  "/x/{id:{id:{id}}}",
  "/x/{id:{}}",
  "/x/{id.upper:>10}",
  "/x/{id.upper[0]}",
  "/x/{id.upper.nothing}",
  "/x/{:}",
  "/x/{!r}",
  "/x/{.id}",
  "/x/{[0]}",
  "/x/{id:99999999999999999999}",
  "/x/{id:>2{id[0]}",
];

const caught = (path: string) => {
  try {
    check(path);
  } catch (error) {
    return error;
  }
  return undefined;
};

describe("a path template", () => {
  it.each(fillable)("%j can be filled in", (path) => {
    expect(() => check(path)).not.toThrow();
  });

  it.each(unfillable)("%j cannot be filled in", (path) => {
    expect(() => check(path)).toThrow(PathTemplateError);
  });

  it("names the parameter that is missing, and only then", () => {
    expect(caught("/a/{id}/{other}")).toMatchObject({ parameter: "other" });
    expect(caught("/a/{0}")).toMatchObject({ parameter: undefined });
  });

  it("takes no longer than the path is long", () => {
    const hostile = [
      "{".repeat(1_000_000),
      "{id[".repeat(200_000),
      "{id:".repeat(200_000),
      "{id}".repeat(200_000),
      `{id${".upper".repeat(100_000)}}`,
      `{id:${"{id[0]}".repeat(100_000)}}`,
      `{id${"[0]".repeat(200_000)}}`,
      `{id${"[]".repeat(5_000_000)}}`,
      `{id:${"0".repeat(1_000_000)}x}`,
      "}".repeat(1_000_001),
      `{id:{id:>2000000000}}`,
    ];
    const outcomes: unknown[] = [];
    expect(ownTime(() => outcomes.push(...hostile.map(caught)))).toBeLessThan(3_000);
    expect(outcomes.filter((error) => error !== undefined && !(error instanceof PathTemplateError))).toEqual([]);
  });
});
