/** The chat bot. */
export { type Bot, type BotParts, createBot } from "./bot.ts";
export { type Config, ConfigError, readConfig } from "./config.ts";
export { createLog, type Log } from "./log.ts";
export { type Secrets, secretsOf } from "./secrets.ts";
export { ALL_FEATURES, createManifest, type Feature, type ManifestOptions } from "./slack/manifest.ts";
