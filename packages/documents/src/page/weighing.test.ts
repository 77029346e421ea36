import { describe, expect, it } from "vitest";
import { weighed } from "./weighing.ts";

const pieces = (...texts: readonly string[]) =>
  texts.map((text) => ({ text, level: /^#+/.exec(text)?.[0].length ?? 0 }));

describe("what of a page has to do with a question", () => {
  it("is told by the words that are rare in the page, however many common ones another piece shares", () => {
    const common = Array.from({ length: 30 }, (_, index) => `The keeper of the station answers letter ${index}.`);
    const [first] = weighed(
      pieces(...common, "A barometer is replaced in Kem."),
      "Who of the station's keepers replaces the barometer?",
    );
    expect(first).toBe(30);
  });

  it("is found in other forms of a word", () => {
    const texts = ["Les chiens restent dehors.", "Les commandes urgentes passent par l'économe.", "Le port est fermé."];
    expect(weighed(pieces(...texts), "Qui passe une commande urgente ?")[0]).toBe(1);
  });

  it("is what stands below a heading that says it", () => {
    const texts = ["# Canteen", "Open from eleven to two.", "# Library", "Open from nine to five."];
    const order = weighed(pieces(...texts), "When is the library open?");
    expect(order.indexOf(3)).toBeLessThan(order.indexOf(1));
  });

  it("is nothing where no word is shared, and nothing is asked", () => {
    expect(weighed(pieces("Gardens and roofs."), "¿Cuándo?")).toEqual([]);
    expect(weighed(pieces("Gardens and roofs."), "?!")).toEqual([]);
    expect(weighed([], "Gardens?")).toEqual([]);
  });

  it("is told of a question as long as a book by its beginning", () => {
    const question = `barometer ${Array.from({ length: 50_000 }, (_, index) => `zz${index}`).join(" ")}`;
    const page = pieces(...Array.from({ length: 2_000 }, (_, index) => `Piece ${index} of a garden.`), "A barometer.");
    expect(weighed(page, question)[0]).toBe(2_000);
  });
});
