import { describe, expect, it } from "vitest";
import { fileText } from "../file-text.ts";

const read = (notebook: unknown, characters = 2_000_000) =>
  fileText(
    {
      name: "a.ipynb",
      bytes: new TextEncoder().encode(typeof notebook === "string" ? notebook : JSON.stringify(notebook)),
    },
    { characters },
  );
const picture = `data:image/png;base64,${"iVBORw0KGgo".repeat(100)}`;

describe("a notebook", () => {
  it("becomes parts under the headings of its texts, with its code and what that has put out", async () => {
    const found = await read({
      nbformat: 4,
      metadata: { kernelspec: { language: "python" }, authors: [{ name: "Ada" }] },
      cells: [
        { cell_type: "markdown", source: ["# Ferries\n", "\n", `How many? ![x](${picture})\n`, "## Load"] },
        {
          cell_type: "code",
          source: "print('```')\nload()",
          outputs: [
            { output_type: "stream", name: "stdout", text: ["\u001b[31mrows: 12\u001b[0m\n"] },
            { output_type: "display_data", data: { "image/png": "iVBORw0KGgo", "text/plain": "<Figure>" } },
            { output_type: "error", ename: "KeyError", evalue: "'pier'", traceback: ["..."] },
          ],
        },
        { cell_type: "raw", source: "as it is" },
        { cell_type: "code", source: "", outputs: [] },
      ],
    });
    expect(found.parts).toEqual([
      { level: 0, heading: "", text: "" },
      { level: 1, heading: "Ferries", text: "How many? ![x]()" },
      {
        level: 2,
        heading: "Load",
        text: "````python\nprint('```')\nload()\n````\n\n```\nrows: 12\n\n<Figure>\nKeyError: 'pier'\n```\n\nas it is",
      },
    ]);
    expect(found).toMatchObject({
      kind: "notebook",
      title: "Ferries",
      authors: ["Ada"],
      metadata: { programming_language: "python" },
    });
  });

  it("keeps the beginning of long output, and no picture", async () => {
    const outputs = [
      { output_type: "stream", text: "line of a log\n".repeat(10_000) },
      { data: { "image/png": picture } },
    ];
    const found = await read({ nbformat: 4, cells: [{ cell_type: "code", source: "run()", outputs }] });
    expect(found.parts[0]?.text.length).toBeLessThan(2_100);
    expect(found.parts[0]?.text).not.toContain("iVBOR");
  });

  it("of the third version is read as well", async () => {
    const cells = [
      { cell_type: "heading", level: 2, source: ["Old"] },
      { cell_type: "code", language: "julia", input: ["x = 1"], outputs: [{ output_type: "pyout", text: ["1"] }] },
    ];
    expect((await read({ nbformat: 3, worksheets: [{ cells }] })).parts.at(-1)).toEqual({
      level: 2,
      heading: "Old",
      text: "```julia\nx = 1\n```\n\n```\n1\n```",
    });
  });

  it("that is none, or is cut off, is refused; one that is long is read as far as there is room", async () => {
    await expect(read("[1, 2]")).rejects.toThrow("a.ipynb: it is no notebook: it is damaged");
    await expect(read('{"cells": [')).rejects.toThrow("damaged or incomplete");
    await expect(read({ nbformat: 4, cells: [null, 7, { cell_type: "code", outputs: "x" }] })).resolves.toMatchObject({
      cut: false,
    });
    const cell = { cell_type: "markdown", source: "word ".repeat(100) };
    expect(await read({ nbformat: 4, cells: Array.from({ length: 100 }, () => cell) }, 1_000)).toMatchObject({
      cut: true,
    });
  });
});
