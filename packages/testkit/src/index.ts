export { cutBody, type Cut, type Timing } from "./servers/cut-body.ts";
export { startDeployedServer, type Absence, type DeployedServer } from "./deployed-server/deployed-server.ts";
export type { LoggedRequest } from "./deployed-server/routes/responding.ts";
export type { Account, KeyOptions, Memory } from "./deployed-server/world/accounts.ts";
export type { Answer, AnswerPart, AnswerScript } from "./deployed-server/answer/answer-script.ts";
export type { SeedDocument } from "./deployed-server/world/documents.ts";
export type { Faults, ModelFault, Place, RateLimit, ReplyCut, Sending } from "./deployed-server/faults.ts";
export { type Mishap, randomMishap } from "./deployed-server/mishaps.ts";
export type { Question } from "./deployed-server/answer/question.ts";
export type { Settings } from "./deployed-server/world/settings.ts";
export { listExchanges, loadExchange, type Exchange } from "./servers/exchanges.ts";
export {
  closedPort,
  startFaultServer,
  type Chunk,
  type FaultServer,
  type RecordedRequest,
  type Reply,
  type Script,
} from "./servers/fault-server.ts";
export { ownStream, ownStreams, type Expectation, type OwnStream } from "./fixtures/own-streams.ts";
export { ownTime } from "./own-time.ts";
export {
  replayFetch,
  startReplayServer,
  type Replayable,
  type ReplayOptions,
  type ReplayPlan,
} from "./servers/replay.ts";
export {
  startScriptedModel,
  type ModelReply,
  type ModelRequest,
  type ModelScript,
  type ModelToolCall,
  type ScriptedModel,
  type ScriptedModelOptions,
} from "./servers/scripted-model.ts";
export { mean, ndcg10 } from "./ranking-quality.ts";
export { seededRandom } from "./seeded-random.ts";
export { repositoryRoot, sharedFolder } from "./shared-folder.ts";
export { wireJson } from "./fixtures/wire-json.ts";
export { afterThisFile, afterThisTest, temporaryFolder, type Ending } from "./tidying.ts";
