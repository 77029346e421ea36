import { resolve } from "node:path";
import { type Command, Option } from "commander";
import { decidePin } from "../pins/pin-rules.ts";
import { type Asker, type ChannelFacts, decide, ENTRIES, type Entry, type Rules, settingsFor } from "../rules/rules.ts";
import { type ReadRules, readRulesFile } from "../rules/rules-file.ts";
import type { Settings } from "../rules/settings.ts";
import { textFacts } from "../rules/text-facts.ts";
import { type CommandIo, UsageError } from "./command-line.ts";

interface ExplainFlags {
  rules?: string;
  user: string;
  text: string;
  entry: Entry;
  kind?: ChannelFacts["kind"];
  shared?: boolean;
  asker: Asker["kind"];
  groups?: string[];
  ownThread?: boolean;
  othersSpeak?: boolean;
}

/** `threadlore-bot rules explain` and `threadlore-bot rules check`. */
export function addRulesCommands(program: Command, surroundings: CommandIo): void {
  const rules = program.command("rules").summary("check the rules file, and see what it decides");
  rules
    .command("check")
    .argument("[file]", "the rules file; otherwise RULES_FILE")
    .summary("say what is wrong with a rules file, and what deserves a second look")
    .action(async (file: string | undefined) => {
      const { rules: read, remarks } = await rulesFrom(surroundings, file);
      const { size } = read.channels;
      const named = size === 1 ? "1 channel has rules of its own" : `${size} channels have rules of their own`;
      surroundings.out(`The rules can be used: ${named}.\n`);
      surroundings.out(remarks.map((remark) => `? ${remark}\n`).join(""));
    });
  rules
    .command("explain")
    .argument("<channel>", "channel id, such as C0123ABCD; D… for a direct message")
    .summary("try a message on the rules, without sending anything")
    .description("Says what the bot would do with a message, and why, step by step. Nothing is sent or looked up.")
    .option("--rules <file>", "the rules file; otherwise RULES_FILE")
    .option("--user <id>", "who writes", "U0000000")
    .option("--text <text>", "what they write, mentions as Slack sends them: <@U0123ABCD>", "How do I get access?")
    .addOption(new Option("--entry <how>", "how it reaches the bot").choices(ENTRIES).default("mention"))
    .addOption(new Option("--kind <kind>", "of the channel").choices(["public", "private", "mpim", "im"]))
    .option("--shared", "the channel is shared with another company")
    .addOption(
      new Option("--asker <kind>", "what kind of account")
        .choices(["member", "admin", "guest", "stranger", "bot"])
        .default("member"),
    )
    .option("--groups <ids...>", "user groups the account is in")
    .option("--own-thread", "it stands in a thread the bot has a part in")
    .option("--others-speak", "other people have spoken in that thread as well")
    .action(async (channel: string, flags: ExplainFlags) => {
      const { rules: read } = await rulesFrom(surroundings, flags.rules);
      surroundings.out(explained(read, channel, flags));
    });
}

function explained(rules: Rules, id: string, flags: ExplainFlags): string {
  if (!/^[CDG][A-Z0-9]{2,}$/.test(id)) {
    throw new UsageError(`${id} is no channel id (C…): a channel's id stands at the end of its details.`);
  }
  const kind = flags.kind ?? (id.startsWith("D") ? "im" : id.startsWith("G") ? "private" : "public");
  const channel = { id, kind, shared: flags.shared === true };
  const user = { id: flags.user, kind: flags.asker, groups: flags.groups ?? [] };
  const inThread = flags.entry === "follow_up" || flags.ownThread === true;
  const isAlone = flags.othersSpeak !== true;
  const decision = decide(rules, {
    entry: flags.entry,
    channel,
    user,
    ...(inThread && { thread: { own: flags.ownThread === true, onlyAsker: isAlone, afterAnswer: isAlone } }),
    text: textFacts(flags.text, { botUserId: "" }),
  });
  const outcome = {
    answer: "The bot answers.",
    refuse: `The bot declines: "${decision.kind === "refuse" ? decision.words : ""}"`,
    stay_out: "The bot says nothing.",
  }[decision.kind];
  const pins = decidePin(rules, { channel, user });
  const kept =
    pins.kind === "keep" ? "A message they pin becomes a document." : `A message they pin is not kept: ${pins.words}`;
  const lines = [outcome, ...decision.trace.map((line) => `- ${line}`), kept];
  if (rules.panelQuestions === id) lines.push(panelWords(settingsFor(rules, channel)));
  return lines.map((line) => `${line}\n`).join("");
}

/** What is asked in the channel besides: whom, as far as rules tell. */
function panelWords({ helpers }: Pick<Settings, "helpers">): string {
  const whom =
    helpers.length === 0 ? "whoever wrote the documents that come closest, as no `helpers` are named" : "its helpers";
  return `What somebody wants to ask a person in the side panel is asked here (\`panel_questions\`), of ${whom}.`;
}

function rulesFrom({ env, folder }: CommandIo, file = env["RULES_FILE"]): Promise<ReadRules> {
  const dmKey = Boolean(env["THREADLORE_DM_KEY"] || env["THREADLORE_DM_KEY_FILE"]);
  return readRulesFile(file ? resolve(folder, file) : undefined, { dmKey });
}
