/** What a unit of systemd runs. */
export interface UnitOptions {
  /** What it is, in a few words. */
  readonly description: string;
  /** The account it runs as. */
  readonly account: string;
  /** The program and its arguments, by whole paths. */
  readonly command: readonly string[];
  /** Folder it starts in. */
  readonly folder: string;
  /** File of settings, which only systemd has to be able to read; it may be missing. */
  readonly settings: string;
  /** The one folder it writes to. */
  readonly state: string;
  /** What Node is told of memory; absent: nothing. */
  readonly nodeOptions?: string;
  /** Exit codes after which starting again would help nobody. */
  readonly finalCodes: readonly number[];
  /** How long its end may take, seconds. */
  readonly stopSeconds: number;
}

/**
 * The text of a unit: it runs as its own account, sees nothing of people's homes, writes to one folder, may use the
 * network, and nothing else. Node makes code as it runs, so memory may become code (MemoryDenyWriteExecute is not there).
 */
export function unitText(options: UnitOptions): string {
  const { state, nodeOptions } = options;
  const name = /^\/var\/lib\/([\w.-]+)$/.exec(state)?.[1];
  const paths = [state, options.folder, ...options.command.filter((one) => one.startsWith("/"))];
  const ofService = [
    `User=${options.account}`,
    `EnvironmentFile=-${path(options.settings)}`,
    `WorkingDirectory=${path(options.folder)}`,
    ...(nodeOptions === undefined ? [] : [`Environment=NODE_OPTIONS="${nodeOptions}"`]),
    `ExecStart=${options.command.map(word).join(" ")}`,
    ...(name === undefined ? [`ReadWritePaths=${word(state)}`] : [`StateDirectory=${name}`, "StateDirectoryMode=0700"]),
    "Restart=always",
    "RestartSec=5",
    "# Wrong settings do not become right by trying again.",
    `RestartPreventExitStatus=${options.finalCodes.join(" ")}`,
    "# What runs is let end; the rest goes on at the next start.",
    `TimeoutStopSec=${options.stopSeconds}`,
    "",
    "# It may use the network and its own folder, and nothing else of the machine.",
    "UMask=0077",
    "NoNewPrivileges=yes",
    "CapabilityBoundingSet=",
    "AmbientCapabilities=",
    "SystemCallFilter=@system-service",
    "SystemCallFilter=~@privileged",
    "SystemCallErrorNumber=EPERM",
    "SystemCallArchitectures=native",
    "ProtectSystem=strict",
    // A program or its data in somebody's home has to be seen; nothing there can be written but its own folder.
    `ProtectHome=${paths.some(isInHome) ? "read-only" : "yes"}`,
    "ProtectProc=invisible",
    "ProtectClock=yes",
    "ProtectHostname=yes",
    "ProtectKernelLogs=yes",
    "ProtectKernelModules=yes",
    "ProtectKernelTunables=yes",
    "ProtectControlGroups=yes",
    "PrivateTmp=yes",
    "PrivateDevices=yes",
    "PrivateIPC=yes",
    "PrivateUsers=yes",
    "RemoveIPC=yes",
    "RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX",
    "RestrictNamespaces=yes",
    "RestrictRealtime=yes",
    "RestrictSUIDSGID=yes",
    "LockPersonality=yes",
  ];
  return [
    "[Unit]",
    `Description=${options.description}`,
    "Wants=network-online.target",
    "After=network-online.target",
    "",
    "[Service]",
    ...ofService,
    "",
    "[Install]",
    "WantedBy=multi-user.target",
    "",
  ].join("\n");
}

function isInHome(text: string): boolean {
  return /^\/(?:home|root|run\/user)(?:\/|$)/.test(text);
}

/** A path as the whole value of a setting: blanks are part of it. */
function path(text: string): string {
  return text.replaceAll("%", "%%");
}

/** One word of a list: what means something to systemd is taken as it is. */
function word(text: string): string {
  const plain = text.replaceAll("%", "%%").replaceAll("$", "$$$$");
  return /^[\w./:=@,+%$-]+$/.test(plain) ? plain : `"${plain.replace(/["\\]/g, "\\$&")}"`;
}
