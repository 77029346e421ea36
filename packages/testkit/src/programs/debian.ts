export { isProgram } from "./debian-program.ts";
export { desktopPrograms, japaneseFont } from "./desktop-programs.ts";
