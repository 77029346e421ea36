import { method, required, SlackError, type Call, type Methods } from "../web-api/method.ts";
import { outputRefusals } from "../validator/search-outputs.ts";
import { inWords } from "../web-api/refusing.ts";
import type { Arguments } from "../fields.ts";
import type { StoredExecution } from "../state.ts";

/** Methods by which an app says how a function of its own ended. */
export const functionMethods: Methods = {
  "functions.completeSuccess": method({ tier: 3 }, (args, call) => {
    const execution = running(args, call);
    const { outputs } = args;
    const refusals = outputRefusals(outputs, execution.declared);
    if (refusals.length > 0) {
      const messages = refusals.map(inWords);
      throw new SlackError("parameter_validation_failed", { response_metadata: { messages } });
    }
    execution.state = "completed";
    execution.settle({ outputs: structuredClone(outputs) as Record<string, unknown> });
    call.state.changed();
  }),
  "functions.completeError": method({ tier: 3 }, (args, call) => {
    const execution = running(args, call);
    execution.state = "failed";
    execution.settle({ error: required(args, "error") });
    call.state.changed();
  }),
};

function running(args: Arguments, { state }: Call): StoredExecution {
  const execution = state.executions.get(required(args, "function_execution_id"));
  if (execution === undefined) throw new SlackError("function_execution_not_found");
  if (execution.state !== "running") throw new SlackError("execution_not_in_running_state");
  return execution;
}
