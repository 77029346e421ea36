import { lookAt } from "./diagnose/look.ts";
import type { ConnectionDiagnosis } from "./diagnose/options.ts";
import { checkStream } from "./diagnose/stream.ts";
import type { ServerFinding } from "./diagnose/finding.ts";

export type { ConnectionDiagnosis } from "./diagnose/options.ts";
export type { ServerFinding, Need } from "./diagnose/finding.ts";

/** What is to be looked at. */
export interface DiagnoseOptions extends ConnectionDiagnosis {
  /**
   * Asked to see whether its answer arrives bit by bit or is held back by a proxy. The one check that has the server
   * work; its session is deleted again. Absent: not looked at.
   */
  question?: string;
}

/**
 * Tries what a connection needs, in the order things go wrong: address, clock, key, permissions, ingestion path, pair.
 * Nothing is stored on the server: where only trying tells, a request is sent that has to be refused as empty.
 *
 * A server that cannot be reached or refuses is a finding, not an error; only an aborted signal throws. Checks that
 * another failure made pointless are left out.
 */
export async function diagnose(options: DiagnoseOptions): Promise<ServerFinding[]> {
  const { question, signal } = options;
  const { findings, transport } = await lookAt(options);
  if (question === undefined || transport === undefined) return findings;
  const connection = { ...options, baseUrl: transport.baseUrl };
  return [...findings, await checkStream(connection, transport, question, signal)];
}

/**
 * Tries what a connection needs, as `diagnose` does, and asks it nothing: for callers that want none of what answers take.
 */
export async function diagnoseConnection(options: ConnectionDiagnosis): Promise<ServerFinding[]> {
  return (await lookAt(options)).findings;
}
