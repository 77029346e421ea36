import { type Assistant, type ConfigFile, type Entry, type Launch, SERVER_NAME } from "./assistant.ts";

/*
 * Every editor and assistant whose file could be verified, on 2026-11-26, each with the page that says so. What was left
 * out, and why, is in docs/assistants.md.
 */

/** A file that lies at the same path everywhere. */
const everywhere = (path: string, more: Partial<ConfigFile> = {}): ConfigFile => ({
  format: "json",
  paths: { linux: [path], macos: [path], windows: [path] },
  ...more,
});

/** Variables, only where there are any. */
const withEnv = (env: Launch["env"], key: string): Entry =>
  Object.keys(env).length === 0 ? {} : { [key]: { ...env } };

const plain = ({ command, args, env }: Launch): Entry => ({ command, args: [...args], ...withEnv(env, "env") });

const typed = (launch: Launch): Entry => ({ type: "stdio", ...plain(launch) });

const bearer = (key: string): Entry => ({ Authorization: `Bearer ${key}` });

const plainRemote = (url: string, key: string): Entry => ({ url, headers: bearer(key) });

const typedRemote = (url: string, key: string): Entry => ({ type: "http", ...plainRemote(url, key) });

const MCP_SERVERS = [["mcpServers"]];

/** The folder of a person's settings in VS Code and what is built on it. */
const codeFolder = (name: string): ConfigFile => ({
  format: "json",
  paths: {
    linux: [`\${XDG_CONFIG_HOME:-~/.config}/${name}/User/mcp.json`],
    macos: [`~/Library/Application Support/${name}/User/mcp.json`],
    windows: [`\${APPDATA:-~/AppData/Roaming}/${name}/User/mcp.json`],
  },
});

const IN_VSCODE =
  "Run `MCP: List Servers` in VS Code and start threadlore; its tools are in the tools picker of the Chat view, in agent mode.";
const VSCODE_DOCS = "https://code.visualstudio.com/docs/agents/reference/mcp-configuration.md";
const vscode = { under: [["servers"]], entry: typed, remote: typedRemote, next: IN_VSCODE, source: VSCODE_DOCS };

const IN_CLAUDE_CODE = "Start a new session of Claude Code; `/mcp` lists threadlore and its tools.";
const claudeCode = {
  under: MCP_SERVERS,
  entry: typed,
  remote: typedRemote,
  source: "https://code.claude.com/docs/en/mcp",
};

const cursor = {
  under: MCP_SERVERS,
  entry: plain,
  remote: plainRemote,
  next: "Restart Cursor; threadlore is in Customize, under MCPs, where it is switched on and shows its tools.",
  source: "https://cursor.com/docs/mcp",
};

/** The known editors and assistants, in the order of their ids. */
export const ASSISTANTS: readonly Assistant[] = [
  {
    id: "claude-code",
    name: "Claude Code",
    file: everywhere("${CLAUDE_CONFIG_DIR:-~}/.claude.json", { sign: "${CLAUDE_CONFIG_DIR:-~}/.claude.json" }),
    ...claudeCode,
    next: IN_CLAUDE_CODE,
  },
  {
    id: "claude-code-project",
    name: "Claude Code, this project",
    file: everywhere("./.mcp.json"),
    ...claudeCode,
    next: `${IN_CLAUDE_CODE} It asks once whether the project's servers may be used.`,
  },
  {
    id: "claude-desktop",
    name: "Claude Desktop",
    file: {
      format: "json",
      paths: {
        linux: ["${XDG_CONFIG_HOME:-~/.config}/Claude/claude_desktop_config.json"],
        macos: ["~/Library/Application Support/Claude/claude_desktop_config.json"],
        windows: [
          // Where it was installed as a package, it is shown this folder in the place of the other.
          "${LOCALAPPDATA:-~/AppData/Local}/Packages/Claude_pzs8sxrjxfjjc/LocalCache/Roaming/Claude/claude_desktop_config.json",
          "${APPDATA:-~/AppData/Roaming}/Claude/claude_desktop_config.json",
        ],
      },
    },
    under: MCP_SERVERS,
    entry: plain,
    next: "Quit Claude Desktop (closing its window is not enough) and open it again; threadlore is in Settings, Developer, and its tools are behind the + of the message box.",
    source: "https://modelcontextprotocol.io/quickstart/user, https://github.com/anthropics/claude-code/issues/26073",
  },
  {
    id: "cline",
    name: "Cline",
    file: everywhere("${CLINE_MCP_SETTINGS_PATH:-~/.cline/data/settings/cline_mcp_settings.json}", {
      sign: "~/.cline",
    }),
    under: MCP_SERVERS,
    entry: plain,
    remote: (url, key) => ({ type: "streamableHttp", ...plainRemote(url, key) }),
    next: "Cline takes it up by itself; threadlore is in MCP Servers, Configure.",
    source: "https://docs.cline.bot/getting-started/config.md",
  },
  {
    id: "codex",
    name: "Codex",
    file: everywhere("${CODEX_HOME:-~/.codex}/config.toml", { format: "toml" }),
    under: [["mcp_servers"]],
    entry: plain,
    remote: (url, key) => ({ url, http_headers: bearer(key) }),
    next: "Start Codex anew; `/mcp` lists threadlore and its tools.",
    source: "https://developers.openai.com/codex/mcp/",
  },
  {
    id: "continue",
    name: "Continue",
    file: everywhere("~/.continue/mcpServers/threadlore.json", { isOurs: true, sign: "~/.continue" }),
    under: MCP_SERVERS,
    entry: plain,
    next: "Reload the editor's window; the tools are in Continue's agent mode, under Tools.",
    source: "https://docs.continue.dev/customize/deep-dives/mcp",
  },
  {
    id: "copilot-cli",
    name: "GitHub Copilot CLI",
    file: everywhere("${COPILOT_HOME:-~/.copilot}/mcp-config.json"),
    under: MCP_SERVERS,
    entry: (launch) => ({ type: "local", ...plain(launch), tools: ["*"] }),
    remote: (url, key) => ({ ...typedRemote(url, key), tools: ["*"] }),
    next: "Start Copilot CLI anew; `/mcp show threadlore` shows its tools.",
    source: "https://docs.github.com/en/copilot/how-tos/copilot-cli/customize-copilot/add-mcp-servers",
  },
  { id: "cursor", name: "Cursor", file: everywhere("~/.cursor/mcp.json"), ...cursor },
  { id: "cursor-project", name: "Cursor, this project", file: everywhere("./.cursor/mcp.json"), ...cursor },
  {
    id: "devin-desktop",
    name: "Devin Desktop (formerly Windsurf)",
    file: {
      format: "json",
      paths: {
        linux: ["${XDG_CONFIG_HOME:-~/.config}/devin/mcp_config.json"],
        macos: ["~/.config/devin/mcp_config.json"],
        windows: ["${APPDATA:-~/AppData/Roaming}/devin/mcp_config.json"],
      },
    },
    under: MCP_SERVERS,
    entry: plain,
    remote: plainRemote,
    next: "Open the MCP section of the agent panel: it lists threadlore and its tools.",
    source: "https://vaadin.com/docs/latest/building-apps/agentic-development/mcp/supported-tools/devin-desktop.md",
  },
  {
    id: "gemini-cli",
    name: "Gemini CLI",
    file: everywhere("~/.gemini/settings.json"),
    under: MCP_SERVERS,
    entry: plain,
    remote: (httpUrl, key) => ({ httpUrl, headers: bearer(key) }),
    next: "Start Gemini CLI anew, in a folder it trusts; `/mcp` lists threadlore and its tools.",
    source: "https://github.com/google-gemini/gemini-cli/blob/main/docs/tools/mcp-server.md",
  },
  {
    id: "goose",
    name: "goose",
    file: {
      format: "yaml",
      paths: {
        linux: ["${XDG_CONFIG_HOME:-~/.config}/goose/config.yaml"],
        macos: ["~/.config/goose/config.yaml"],
        windows: ["${APPDATA:-~/AppData/Roaming}/Block/goose/config/config.yaml"],
      },
    },
    under: [["extensions"]],
    entry: ({ command, args, env }) => ({
      type: "stdio",
      name: SERVER_NAME,
      enabled: true,
      cmd: command,
      args: [...args],
      env_keys: [],
      envs: { ...env },
      timeout: 300,
    }),
    remote: (uri, key) => ({
      type: "streamable_http",
      name: SERVER_NAME,
      enabled: true,
      uri,
      headers: bearer(key),
      env_keys: [],
      envs: {},
      timeout: 300,
    }),
    next: "Start a new session of goose; threadlore is among its extensions.",
    source: "https://github.com/aaif-goose/goose/blob/main/documentation/docs/guides/config-files.md",
  },
  {
    id: "junie",
    name: "JetBrains Junie",
    file: everywhere("~/.junie/mcp/mcp.json", { sign: "~/.junie" }),
    under: MCP_SERVERS,
    entry: plain,
    next: "In the IDE: Settings, Tools, Junie, MCP Settings shows threadlore; in Junie CLI `/mcp`.",
    source:
      "https://junie.jetbrains.com/docs/junie-cli-mcp-configuration.html, https://www.jetbrains.com/help/junie/model-context-protocol-mcp.html",
  },
  {
    id: "kiro",
    name: "Kiro",
    file: everywhere("~/.kiro/settings/mcp.json", { sign: "~/.kiro" }),
    under: MCP_SERVERS,
    entry: plain,
    remote: plainRemote,
    next: "Kiro takes it up by itself; its panel lists threadlore under MCP Servers.",
    source: "https://kiro.dev/docs/mcp/configuration",
  },
  {
    id: "lm-studio",
    name: "LM Studio",
    file: everywhere("~/.lmstudio/mcp.json"),
    under: MCP_SERVERS,
    entry: plain,
    remote: plainRemote,
    next: "In LM Studio open the Program tab at the right and switch mcp/threadlore on.",
    source: "https://lmstudio.ai/docs/app/mcp",
  },
  {
    id: "opencode",
    name: "OpenCode",
    file: {
      format: "json",
      paths: {
        linux: ["${XDG_CONFIG_HOME:-~/.config}/opencode/opencode.json"],
        macos: ["~/.config/opencode/opencode.json"],
        windows: ["~/.config/opencode/opencode.json"],
      },
    },
    under: [["mcp", "servers"], ["mcp"]],
    entry: ({ command, args, env }) => ({ type: "local", command: [command, ...args], ...withEnv(env, "environment") }),
    remote: (url, key) => ({ type: "remote", ...plainRemote(url, key) }),
    next: "Start OpenCode anew; `opencode mcp list` shows threadlore.",
    source: "https://opencode.ai/docs/mcp-servers, https://opencode.ai/docs/migrate-v1.md",
  },
  { id: "vscode", name: "VS Code", file: codeFolder("Code"), ...vscode },
  { id: "vscode-insiders", name: "VS Code Insiders", file: codeFolder("Code - Insiders"), ...vscode },
  { id: "vscode-project", name: "VS Code, this project", file: everywhere("./.vscode/mcp.json"), ...vscode },
  {
    id: "windsurf",
    name: "Windsurf (before it became Devin Desktop)",
    file: everywhere("~/.codeium/windsurf/mcp_config.json"),
    under: MCP_SERVERS,
    entry: plain,
    remote: (serverUrl, key) => ({ serverUrl, headers: bearer(key) }),
    next: "Press Refresh in the MCP servers of Cascade; threadlore and its tools are listed there.",
    source: "https://docs.windsurf.com/windsurf/cascade/mcp",
  },
  {
    id: "zed",
    name: "Zed",
    file: {
      format: "json",
      paths: {
        linux: ["${XDG_CONFIG_HOME:-~/.config}/zed/settings.json"],
        macos: ["~/.config/zed/settings.json"],
        windows: ["${APPDATA:-~/AppData/Roaming}/Zed/settings.json"],
      },
    },
    under: [["context_servers"]],
    entry: plain,
    remote: plainRemote,
    next: "Zed takes it up by itself; threadlore has a green dot in the settings of the Agent Panel.",
    source: "https://zed.dev/docs/ai/mcp, https://zed.dev/docs/configuring-zed",
  },
];
