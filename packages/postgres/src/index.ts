export { type Client, type ConnectionOptions, Connections, type OwnConnection, ownConnection } from "./connections.ts";
export { codeOf, isTimedOut, isUnanswered, placeOfServer, reasonOf } from "./trouble.ts";
