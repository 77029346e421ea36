import { describe, expect, it } from "vitest";
import { markdownOf } from "./mrkdwn.ts";

const asked: string[] = [];
const names = {
  account: async (id: string) => {
    asked.push(id);
    return id === "U1" ? { name: "Ada Berg" } : undefined;
  },
  place: async (id: string) => (id === "C1" ? { name: "ops" } : undefined),
};

describe("mrkdwn as markdown", () => {
  it.each([
    ["ask <@U1> or <@U9>", "ask @Ada Berg or @U9"],
    ["<@U9|bo> in <#C1> and <#C2|sales>", "@bo in #ops and #sales"],
    [
      "<!here> <!channel> <!everyone> <!subteam^S1|@night-crew> <!subteam^S2>",
      "@here @channel @everyone @night-crew @S2",
    ],
    ["<!date^1392734382^{date}|18 February> <!date^1392734382^{date}>", "18 February 2014-02-18"],
    ["see <https://wiki.example/a?b=1&amp;c=2|the plan>", "see [the plan](https://wiki.example/a?b=1&c=2)"],
    ["<https://wiki.example/a_(b)|x [y]>", "[x y](https://wiki.example/a_%28b%29)"],
    ["<https://wiki.example/>", "https://wiki.example/"],
    ["<mailto:ada@harbour.example|ada@harbour.example>", "ada@harbour.example"],
    ["*bold* _soft_ ~gone~ 2*3*4 a~b~c", "**bold** _soft_ ~~gone~~ 2*3*4 a~b~c"],
    ["*bold with <@U1>*", "*bold with @Ada Berg*"],
    ["• one\n• two\n  ◦ three", "- one\n- two\n  - three"],
    ["&gt; quoted\n5 &lt; 6 &amp;amp; 7", "> quoted\n5 < 6 &amp; 7"],
    ["`*not bold* &lt;b&gt;` :anchor:", "`*not bold* <b>` :anchor:"],
    ["```\n• <https://x.example|x> *y*\n```\n*z*", "```\n• x *y*\n```\n**z**"],
    ["``` never closed *x*", "``` never closed *x*"],
    ["a < b <not|", "a < b <not|"],
  ])("%j reads %j", async (mrkdwn, markdown) => {
    expect(await markdownOf(mrkdwn, names)).toBe(markdown);
  });

  it("looks each name up once and no more than so many", async () => {
    asked.length = 0;
    await markdownOf("<@U1> ".repeat(50), names);
    expect(asked).toEqual(["U1"]);
    asked.length = 0;
    await markdownOf(Array.from({ length: 1_000 }, (_, index) => `<@X${index}>`).join(" "), names);
    expect(asked).toHaveLength(200);
  });

  it("takes long hostile text in its stride", async () => {
    for (const piece of ["<", "<@", "*", "~", "`", "```", "<!|", "<a|"]) {
      expect((await markdownOf(piece.repeat(40_000), names)).length).toBeGreaterThan(0);
    }
  });
});
