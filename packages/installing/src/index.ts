/** What an installation on a machine is made of: a hardened unit of systemd, private files, an account. */
export { askPerson } from "./ask-person.ts";
export {
  InstallError,
  lastingNode,
  lentFile,
  makeFolder,
  type Owner,
  ownerOf,
  privateFile,
  privateFolder,
  publicFile,
} from "./places.ts";
export { secretIn } from "./secret-file.ts";
export { settingsText } from "./settings-text.ts";
export { type UnitOptions, unitText } from "./unit.ts";
