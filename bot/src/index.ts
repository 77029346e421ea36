/** The chat bot. */
export { type Bot, type BotParts, createBot } from "./bot.ts";
export { type Config, ConfigError, readConfig } from "./settings/config.ts";
export { createLog, type Log } from "./operations/log.ts";
export { type Secrets, secretsOf } from "./settings/secrets.ts";
export { ALL_FEATURES, createManifest, type Feature, type ManifestOptions } from "./settings/manifest.ts";
