import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

/** Every leaf field of the specification's sections 2 to 4, and of its replies, by the table of the README it stands in. */
const FIELDS: Readonly<Record<string, string>> = {
  "Chat: POST /chat/send-chat-message": `
    message
    llm_override.model_provider llm_override.model_version llm_override.temperature
    allowed_tool_ids forced_tool_id
    file_descriptors[].id file_descriptors[].type file_descriptors[].name file_descriptors[].user_file_id
    internal_search_filters.source_type internal_search_filters.document_set internal_search_filters.time_cutoff
    internal_search_filters.tags[].tag_key .tag_value
    deep_research origin parent_message_id chat_session_id
    chat_session_info.persona_id chat_session_info.description chat_session_info.project_id
    stream include_citations additional_context`,
  "Ingestion: POST /service-api/ingestion": `
    document.id semantic_identifier title sections[].text sections[].link sections[].image_file_id
    source metadata doc_updated_at chunk_count primary_owners secondary_owners
    display_name first_name middle_initial last_name email from_ingestion_api cc_pair_id already_existed`,
  Administration:
    "new_credential_id connector_id success message data definition methods name summary path method spec",
  "Authentication, errors, versions": "detail loc msg type",
};

const readme = readFileSync(join(import.meta.dirname, "../README.md"), "utf8");

function rowsOf(title: string): string[] {
  const section = readme.split(`\n### ${title}\n`)[1]?.split(/\n##/)[0] ?? "";
  return section.split("\n").filter((line) => line.startsWith("| "));
}

describe("the interface, line by line", () => {
  it.each(Object.entries(FIELDS))("names every field, with a test that shows it: %s", (title, fields) => {
    const rows = rowsOf(title);
    const unshown = fields
      .trim()
      .split(/\s+/)
      .filter((field) => !rows.some((row) => row.includes(`\`${field}\``) && /\]\(src\/[^)]+\.test\.ts\)/.test(row)));
    expect(rows.length).toBeGreaterThan(2);
    expect(unshown).toEqual([]);
  });
});
