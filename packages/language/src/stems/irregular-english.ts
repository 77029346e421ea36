/**
 * Forms of English words that no ending leads back to their base: past tenses and participles, and plurals. Left out is
 * what is mostly another word: "found" (to found), "wound", "lives", "media".
 */
const FORMS =
  "arise arose arisen,awake awoke awoken,bear bore borne,beat beaten,become became,begin began begun,bend bent,bid bade," +
  "bind bound,bite bit bitten,bleed bled,blow blew blown,break broke broken,breed bred,bring brought,build built," +
  "burn burnt,buy bought,catch caught,choose chose chosen,cling clung,come came,creep crept,deal dealt,dig dug," +
  "draw drew drawn,dream dreamt,drink drank drunk,drive drove driven,eat ate eaten,fall fell fallen,feed fed,feel felt," +
  "fight fought,flee fled,fling flung,fly flew flown,forbid forbade forbidden,forget forgot forgotten,forgive forgave forgiven," +
  "freeze froze frozen,grow grew grown,hang hung,hear heard,hide hid hidden,hold held,keep kept,kneel knelt,know knew known," +
  "lay laid,lead led,leap leapt,learn learnt,leave left,lend lent,lie lain,light lit,lose lost,make made,meet met," +
  "mistake mistook mistaken,overcome overcame,override overrode overridden,oversee oversaw overseen,overtake overtook overtaken," +
  "pay paid,prove proven,ride rode ridden,ring rang rung,rise rose risen,run ran,see saw seen,seek sought,sell sold,send sent," +
  "sew sewn,shake shook shaken,shine shone,shoot shot,show shown,shrink shrank shrunk,sing sang sung,sink sank sunk,sit sat," +
  "sleep slept,slide slid,speak spoke spoken,spell spelt,spend spent,spin spun,spoil spoilt,spring sprang sprung,stand stood," +
  "steal stole stolen,stick stuck,sting stung,strike struck,strive strove striven,swear swore sworn,sweep swept,swell swollen," +
  "swim swam swum,swing swung,take took taken,teach taught,tear tore torn,tell told,think thought,throw threw thrown," +
  "tread trod trodden,undergo underwent undergone,understand understood,undertake undertook undertaken,undo undid undone," +
  "uphold upheld,wake woke woken,wear wore worn,weave wove woven,weep wept,win won,withdraw withdrew withdrawn," +
  "withhold withheld,withstand withstood,write wrote written," +
  "child children,foot feet,goose geese,man men,mouse mice,ox oxen,person people,tooth teeth,wife wives,woman women," +
  "half halves,knife knives,shelf shelves,thief thieves,wolf wolves,analysis analyses,basis bases,crisis crises," +
  "criterion criteria,phenomenon phenomena,index indices,matrix matrices,appendix appendices,datum data";

const BASES: ReadonlyMap<string, string> = new Map(
  FORMS.split(",").flatMap((line) => {
    const [base = "", ...forms] = line.split(" ");
    return forms.map((form): [string, string] => [form, base]);
  }),
);

/** The base of an irregular form ("won": "win", "women": "woman"); any other word as it is. */
export function regular(spelling: string): string {
  return BASES.get(spelling) ?? spelling;
}
