export { debianProgram, isProgram, onPath } from "./debian-program.ts";
export { desktopPrograms, japaneseFont } from "./desktop-programs.ts";
