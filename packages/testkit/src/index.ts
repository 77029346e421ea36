export { cutBody, type Cut, type Timing } from "./cut-body.ts";
export {
  startDeployedServer,
  type Absence,
  type DeployedServer,
  type SeedDocument,
} from "./deployed-server/deployed-server.ts";
export type { LoggedRequest } from "./deployed-server/responding.ts";
export type { Account, KeyOptions, Memory } from "./deployed-server/accounts.ts";
export type { Answer, AnswerPart, AnswerScript } from "./deployed-server/answer-script.ts";
export type { Faults, ModelFault, Place, RateLimit, ReplyCut, Sending } from "./deployed-server/faults.ts";
export { type Mishap, randomMishap } from "./deployed-server/mishaps.ts";
export type { Question } from "./deployed-server/question.ts";
export type { Settings } from "./deployed-server/settings.ts";
export { listExchanges, loadExchange, type Exchange } from "./exchanges.ts";
export {
  closedPort,
  startFaultServer,
  type Chunk,
  type FaultServer,
  type RecordedRequest,
  type Reply,
  type Script,
} from "./fault-server.ts";
export { ownStream, ownStreams, type Expectation, type OwnStream } from "./fixtures/own-streams.ts";
export { ownTime } from "./own-time.ts";
export { replayFetch, startReplayServer, type Replayable, type ReplayOptions, type ReplayPlan } from "./replay.ts";
export {
  startScriptedModel,
  type ModelReply,
  type ModelRequest,
  type ModelScript,
  type ModelToolCall,
  type ScriptedModel,
  type ScriptedModelOptions,
} from "./scripted-model.ts";
export { seededRandom } from "./seeded-random.ts";
export { repositoryRoot, sharedFolder } from "./shared-folder.ts";
export { afterThisFile, afterThisTest, temporaryFolder, type Ending } from "./tidying.ts";
