export { type Client, type ConnectionOptions, Connections, ownConnection } from "./connections.ts";
export { codeOf, isUnanswered, placeOfServer, reasonOf } from "./trouble.ts";
