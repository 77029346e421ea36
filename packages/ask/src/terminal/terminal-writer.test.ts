/* oxlint-disable no-control-regex -- control characters are what is looked for */
import type { Packet } from "@threadlore/client/models";
import { assert, constantFrom, integer, property } from "fast-check";
import { describe, expect, it } from "vitest";
import { type Answer, emptyAnswer, reduce } from "../answer/answer.ts";
import { linksOf } from "../answer/citations.ts";
import { createTerminalWriter, type TerminalWriterOptions, toTerminal } from "../terminal.ts";

const placement = { turn_index: 0, tab_index: 0 };
const say = (content: string): Packet => ({ placement, obj: { type: "message_delta", content } });
const start: Packet = { placement, obj: { type: "message_start" } };
const stop: Packet = { placement, obj: { type: "stop" } };
const deltas = (text: string, size: number): Packet[] =>
  Array.from({ length: Math.ceil(text.length / size) }, (_, index) =>
    say(text.slice(index * size, (index + 1) * size)),
  );

interface Played {
  written: string;
  /** The screen, as a terminal of endless height shows it. */
  screen: string;
  answer: Answer;
}

function play(packets: readonly Packet[], options: Partial<TerminalWriterOptions> = {}): Played {
  let written = "";
  const writer = createTerminalWriter({ write: (text) => (written += text), height: 1_000, ...options });
  let answer = emptyAnswer();
  for (const packet of packets) {
    answer = reduce(answer, packet);
    writer.update(answer);
  }
  return { written, screen: screenOf(written), answer };
}

/** Follows "up N lines, erase to the end"; every other sequence is left in. */
function screenOf(written: string): string {
  let lines: string[] = [];
  for (const part of written.split(/(?=\u001b\[\d+A\r)/)) {
    const up = /^\u001b\[(\d+)A\r\u001b\[K\u001b\[C\u001b\[J\r/.exec(part);
    if (up !== null) lines = lines.slice(0, lines.length - Number(up[1]));
    const rest = up === null ? part : part.slice(up[0].length);
    lines.push(...rest.split("\n").slice(0, -1));
  }
  return lines.join("\n");
}

const TEXT =
  "# Leave\n\nEmployees get **27 days**, see `handbook`.\n\n- one\n- two **bold**\n\n  loose\n- three\n\n| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n\n```\ncode\n```\n\nThe end of a longer paragraph that has to be broken into several lines.\n";

describe("a terminal writer", () => {
  it("leaves on the screen what toTerminal gives, whatever the answer is cut into", () => {
    assert(
      property(
        integer({ min: 1, max: 40 }),
        constantFrom(24, 40, 80),
        constantFrom(true, false),
        (size, width, color) => {
          const packets = [start, ...deltas(TEXT, size), stop];
          for (const repaint of [true, false]) {
            const { screen, answer } = play(packets, { width, color, repaint });
            expect(screen).toBe(toTerminal(answer.blocks, linksOf(answer), { width, color }));
          }
        },
      ),
      { numRuns: 40 },
    );
  });

  it("never moves the cursor unless repainting was asked for", () => {
    expect(play([start, ...deltas(TEXT, 3), stop]).written).not.toContain("\u001b");
  });

  it("writes complete blocks while the next one is on its way", () => {
    expect(play([start, say("# One\n\nTwo words"), say(" more")]).written).toBe("# One\n");
    expect(play([start, say("# One\n\nTwo words"), say(" more")], { repaint: true }).screen).toBe(
      "# One\n\nTwo words more",
    );
  });

  it("writes what is left when the answer fails or is stopped", () => {
    expect(play([start, say("Half a sen"), { error: "gone" }]).screen).toBe("Half a sen");
  });

  it("repaints only lines that changed, so that a long list costs little", () => {
    const list = "- an item with a few words\n".repeat(200);
    const { written, screen } = play([start, ...deltas(list, 5), stop], { repaint: true });
    expect(screen.split("\n")).toHaveLength(200);
    expect(written.length).toBeLessThan(list.length * 12);
  });

  it("never moves up further than the terminal is high", () => {
    const code = `\`\`\`\n${"line\n".repeat(100)}\`\`\`\n`;
    const { written } = play([start, ...deltas(code, 3), stop], { repaint: true, height: 10 });
    const moves = [...written.matchAll(/\u001b\[(\d+)A/g)].map((move) => Number(move[1]));
    expect(Math.max(...moves)).toBeLessThan(10);
  });

  it("leaves lines that have scrolled away as they were, also when they would now look different", () => {
    const rows = "| a | b |\n".repeat(30);
    const { written } = play([start, say(`| x | y |\n|---|---|\n${rows}`), say("| a much wider cell | b |\n")], {
      repaint: true,
      height: 10,
    });
    const moves = [...written.matchAll(/\u001b\[(\d+)A/g)].map((move) => Number(move[1]));
    expect(moves).toEqual([9]);
  });

  it("moves up by the rows that lines wider than the terminal really take", () => {
    // 82 columns fill two rows of 41, but not with wide characters: each row ends with a column left empty.
    const { written } = play([start, say("```\n"), say("語".repeat(39)), say("語")], { repaint: true, width: 41 });
    expect(written.match(/\u001b\[\d+A/g)).toEqual(["\u001b[1A", "\u001b[3A"]);
  });

  it("never erases the whole screen in one go, which would leave every stage in tmux's history", () => {
    const { written } = play([start, ...deltas(TEXT, 3), stop], { repaint: true });
    expect(written).toContain("A\r\u001b[K\u001b[C\u001b[J\r");
    expect(written).not.toContain("\r\u001b[J");
  });

  it("keeps an earlier group above the answer", () => {
    const packets = [start, say("Let me "), say("check."), start, say("Here "), say("it is."), stop];
    for (const repaint of [true, false]) expect(play(packets, { repaint }).screen).toBe("Let me check.\n\nHere it is.");
  });
});
