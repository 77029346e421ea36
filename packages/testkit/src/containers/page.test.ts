import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";
import { runnableSections, timedScript, timesOf } from "./page.ts";

const PAGE = `# A page
## 1. First
\`\`\`sh run
word=seen
\`\`\`
\`\`\`sh
exit 7
\`\`\`
## 2. Second
\`\`\`sh run
echo "$word"
\`\`\`
Words between.
\`\`\`\`sh run
false
echo never
\`\`\`\`
`;

it("runs the commands of a page in one shell, as they stand there, up to the first that fails, and says how long each took", () => {
  const sections = runnableSections(PAGE);
  expect(sections.map(({ heading }) => heading)).toEqual(["1. First", "2. Second"]);
  const run = spawnSync("bash", ["-c", timedScript(sections)], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe", "pipe"],
  });
  expect(run).toMatchObject({ status: 1, stdout: "seen\n" });
  const whole = spawnSync(
    "bash",
    ["-c", timedScript([...sections.slice(0, 1), { heading: "Wait", commands: "sleep 0.2" }])],
    {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe", "pipe"],
    },
  );
  const times = timesOf(whole.output[3] ?? "");
  expect([...times.keys()]).toEqual(["1. First", "Wait"]);
  expect(times.get("Wait")).toBeGreaterThanOrEqual(195);
});
