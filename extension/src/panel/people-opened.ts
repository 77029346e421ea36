import { NearAnswers } from "./near/near-answers.tsx";
import { AnsweredAsks } from "./people/answered-asks.tsx";
import { AskPerson } from "./people/ask-person.tsx";
import { AskedList } from "./people/asked-list.tsx";
import { GapList } from "./people/gap-list.tsx";
import { keepersOf } from "./people/keepers.ts";

/**
 * What opens where people of the company can be asked: the form below an answer, what they answered, the lists of what was
 * asked and of what nobody could answer, who else keeps a page, and which of their answers it may change. In one file, as
 * they share the way to the service.
 */
export const peopleOpened = { AnsweredAsks, AskPerson, AskedList, GapList, NearAnswers, keepersOf };
