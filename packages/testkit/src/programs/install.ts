/** Installs what tests need of Debian's packages, one after the other, where that can be done; tests say what is missing. */
import { browserProgram, firefoxProgram } from "./browser-program.ts";
import { desktopPrograms, japaneseFont } from "./desktop-programs.ts";
import { postgresProgram } from "./postgres-program.ts";
import { systemdAnalyze } from "./systemd-program.ts";

for (const find of [browserProgram, postgresProgram, desktopPrograms, firefoxProgram, japaneseFont, systemdAnalyze])
  await find();
