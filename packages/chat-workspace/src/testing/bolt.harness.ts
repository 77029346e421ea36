import { App, LogLevel, SocketModeReceiver } from "@slack/bolt";
import { afterThisTest } from "@threadlore/testkit";
import { startWorkspace, type Channel, type Person, type Workspace, type WorkspaceOptions } from "../index.ts";

/** A workspace with one person and one channel, gone after the test. */
export interface Place {
  readonly workspace: Workspace;
  readonly ann: Person;
  readonly general: Channel;
}

/** Starts a workspace for one test. */
export async function startPlace(options: WorkspaceOptions = {}): Promise<Place> {
  const workspace = await startWorkspace(options);
  afterThisTest(() => workspace.close());
  const ann = workspace.addUser({ name: "ann", realName: "Ann Lee", email: "ann@harbour.example" });
  return { workspace, ann, general: workspace.addChannel({ name: "general" }) };
}

/** A genuine Bolt app over Socket Mode that is not started yet. Reconnects quickly, unlike with Bolt's defaults. */
export function boltApp(workspace: Workspace): App {
  const { botToken, appToken } = workspace.credentials;
  const clientOptions = { slackApiUrl: workspace.slackApiUrl };
  const receiver = new SocketModeReceiver({
    appToken,
    logger: silent,
    clientPingTimeout: 400,
    installerOptions: { clientOptions },
  });
  return new App({ token: botToken, receiver, logger: silent, clientOptions });
}

/** Starts the app, once it is connected. */
export async function connect(app: App, workspace: Workspace, sockets = 1): Promise<void> {
  await app.start();
  afterThisTest(() => app.stop());
  await workspace.until(() => workspace.sockets() >= sockets);
}

const nothing = (): void => undefined;

/** Cut connections are what these tests are about; the app's complaints about them are not shown. */
const silent = {
  debug: nothing,
  info: nothing,
  warn: nothing,
  error: nothing,
  setLevel: nothing,
  getLevel: () => LogLevel.ERROR,
  setName: nothing,
};

/** A call of the Web API as any program would make it. */
export async function callApi(
  workspace: Workspace,
  method: string,
  args: Record<string, unknown> = {},
  token: string = workspace.credentials.botToken,
): Promise<Record<string, unknown>> {
  const response = await fetch(`${workspace.slackApiUrl}${method}`, {
    method: "POST",
    headers: { "content-type": "application/json; charset=utf-8", authorization: `Bearer ${token}` },
    body: JSON.stringify(args),
  });
  return (await response.json()) as Record<string, unknown>;
}
