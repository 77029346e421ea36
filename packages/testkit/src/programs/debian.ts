export { debianProgram, isProgram } from "./debian-program.ts";
export { desktopPrograms, japaneseFont, type DesktopPrograms } from "./desktop-programs.ts";
