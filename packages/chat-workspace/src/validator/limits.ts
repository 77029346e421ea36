/**
 * How much Slack takes. Lengths are UTF-16 code units, the strict reading of Slack's "characters". Where Slack publishes
 * no figure, the comment says where the one here comes from and when it was looked at.
 */
export const LIMITS = {
  // Messages.
  blocksPerMessage: 50,
  /** `text` of chat.postMessage and chat.postEphemeral; Slack cuts what is longer, which loses words: refused here. */
  text: 40_000,
  /** `text` of chat.update, which has its own limit (method page, 2026-05). */
  updatedText: 4000,
  markdownText: 12_000,
  /** Over all markdown blocks of one message together. */
  markdownBlocks: 12_000,
  attachments: 100,
  tables: 1,
  /** Bytes of JSON. Not published; a figure people report, as of 2026-11. */
  metadataBytes: 16_384,

  // Views.
  blocksPerView: 100,
  viewTitle: 24,
  privateMetadata: 3000,
  viewBytes: 250_000,

  // Streamed messages, as people measured them, 2026-11: Slack publishes only the first.
  streamedPerCall: 12_000,
  streamedCharacters: 12_000,
  streamedBytes: 11_000,
  taskField: 256,
  streamLifeMs: 300_000,

  // Parts of blocks.
  id: 255,
  url: 3000,
  sectionText: 3000,
  sectionFields: 10,
  sectionField: 2000,
  header: 150,
  contextElements: 10,
  actionsElements: 25,
  contextActionsElements: 5,
  buttonText: 75,
  buttonValue: 2000,
  accessibilityLabel: 75,
  altText: 2000,
  imageTitle: 2000,
  inputLabel: 2000,
  placeholder: 150,
  inputLength: 3000,
  optionText: 75,
  optionValue: 75,
  selectOptions: 100,
  checkOptions: 10,
  overflowOptions: 5,
  confirmTitle: 100,
  confirmText: 300,
  confirmButton: 30,
  tableRows: 100,
  tableColumns: 20,
  /** Over all cells of one table. */
  tableCharacters: 10_000,
  /** Rows of a data table, its header row counted. */
  dataTableRows: 101,
  dataTablePage: 100,
  planTasks: 50,
  cardTitle: 150,
  cardBody: 200,
  carouselCards: 10,
  containerTitle: 150,
  containerChildren: 10,
  videoTitle: 199,
  videoAuthor: 49,

  // Search. Published (developing apps with Enterprise Search features, 2026-05).
  searchResults: 50,
  searchFilters: 5,
  /** How long an app has for a search, milliseconds. */
  searchMs: 10_000,
  /** Results of one call of assistant.search.context. */
  searchContextResults: 20,

  // Agents.
  suggestedPrompts: 4,
  loadingMessages: 10,
  sessionTitle: 200,
} as const;
