export { debianProgram, isProgram, onPath } from "./debian-program.ts";
export { desktopPrograms, japaneseFont } from "./desktop-programs.ts";
export { systemdAnalyze } from "./systemd-program.ts";
