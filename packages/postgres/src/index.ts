export { type Client, type ConnectionOptions, Connections, type OwnConnection, ownConnection } from "./connections.ts";
export { codeOf, isUnanswered, placeOfServer, reasonOf } from "./trouble.ts";
