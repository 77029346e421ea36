/** The sources a document may have; any other word is refused. */
export const documentSources: readonly string[] = (
  "ingestion_api slack web google_drive gmail github gitbook gitlab guru bookstack outline confluence jira slab " +
  "productboard file coda canvas notion zulip linear hubspot document360 gong google_sites zendesk loopio box dropbox " +
  "sharepoint teams salesforce discourse axero clickup mediawiki wikipedia asana s3 r2 google_cloud_storage " +
  "oci_storage xenforo not_applicable discord freshdesk fireflies egnyte airtable highspot drupal_wiki imap bitbucket " +
  "testrail braintrust lumapps mock_connector user_file craft_file"
).split(" ");

/** Where a question may say it comes from. */
export const messageOrigins: readonly string[] =
  "webapp chrome_extension api slackbot widget discordbot mobile unknown unset".split(" ");

/** What a file beside a question may be. */
export const chatFileTypes: readonly string[] = "image document plain_text tabular".split(" ");
