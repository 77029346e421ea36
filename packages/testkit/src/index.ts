export { cutBody, type Cut } from "./servers/cut-body.ts";
export { startDeployedServer, type DeployedServer } from "./deployed-server/deployed-server.ts";
export type { Answer } from "./deployed-server/answer/answer-script.ts";
export type { Place, ReplyCut } from "./deployed-server/faults.ts";
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
export { ownStream, ownStreams } from "./fixtures/own-streams.ts";
export { ownTime, quickest } from "./own-time.ts";
export { createAuthority, type Authority, type Certified } from "./servers/certificates.ts";
export { startProxyServer, type ProxyServer } from "./servers/proxy-server.ts";
export { startSecureFront, type SecureFront } from "./servers/secure-front.ts";
export { startTraceCollector, type CollectedSpan, type TraceCollector } from "./servers/trace-collector.ts";
export { replayFetch, startReplayServer, type Replayable } from "./servers/replay.ts";
export {
  startScriptedModel,
  type ModelReply,
  type ModelRequest,
  type ModelScript,
  type ScriptedModel,
} from "./servers/scripted-model.ts";
export { mean, ndcg10 } from "./ranking-quality.ts";
export { quickDisk } from "./quick-disk.ts";
export { directionOf, drawnFor, mixed, ofLengthOne, seedOf } from "./made-vectors.ts";
export { seededRandom } from "./seeded-random.ts";
export { type PageSection, runnableSections } from "./containers/page.ts";
export { repositoryRoot, sharedFolder } from "./shared-folder.ts";
export { wireJson } from "./fixtures/wire-json.ts";
export { afterThisFile, afterThisTest, temporaryFolder } from "./tidying.ts";
export {
  ASKED_OF_HANDBOOK,
  type AskedOfHandbook,
  CARELESS,
  type HandbookPage,
  handbookPages,
} from "./fixtures/handbook-pages.ts";
