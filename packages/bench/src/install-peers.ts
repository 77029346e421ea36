import { installPeers } from "./peer-folder.ts";

installPeers();
