import { writeFileSync } from "node:fs";
import { billOfWorkspace } from "./bill.ts";

/** Writes the bill of materials: `pnpm run sbom [FILE]`, by default sbom.cdx.json. */
const [, , file = "sbom.cdx.json"] = process.argv;
const bill = await billOfWorkspace();
writeFileSync(file, `${JSON.stringify(bill, undefined, 2)}\n`);
const of = (scope: string): number => bill.components.filter((one) => one.scope === scope).length;
console.log(
  `${file}: CycloneDX ${bill.specVersion}, ${of("required")} parts that ship, ${of("excluded")} that tests and the build need, ` +
    `${of("optional")} for other systems.`,
);
