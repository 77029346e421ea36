import type { Lexicon } from "./types.ts";

/** English. */
export const en: Lexicon = {
  asks: {
    time:
      "when | what/which time | at what/which time | how soon | how early/late/recently | what/which day/date/year/" +
      "month/week/century/decade/weekday | by when | since/until/till when",
    duration:
      "how long | how old | how often | how frequently | how many times a/per | for what length | what age | how quickly",
    number:
      "how much | how large/big/high/tall/far/fast/deep/wide/heavy/great/hot/cold/small/thick/close/common/likely | " +
      "to what extent",
    money:
      "how much … cost/costs/costed/paid/pay/spend/spent/earn/earned/worth/charge/charged/money/donate/donated/" +
      "reimbursed/refunded/sold/invested | how expensive",
    person: "who | whom | whose | who s | by whom | what person/people | what is the name of the person/man/woman",
    place: "where | whereabouts | what place | in what/which area/location",
    reason: "why | how come | for what reason/reasons/purpose | what is the reason",
    manner: "how | in what/which way/ways/manner | by what means",
    definition:
      "what does … mean/stand | what do … mean/stand | what did … mean/stand | what s/is/are meant by | define | what is … short for | meaning of",
    choice: "whether",
  },
  count: "how many",
  which: "what | which | what s",
  nouns: {
    number:
      "number | numbers | percentage | percent | proportion | fraction | share | population | amount | quantity | size | " +
      "height | weight | width | depth | distance | speed | temperature | limit | maximum | minimum | quota | rate | ratio | area | " +
      "capacity | count | total | score | threshold | allowance | quantity | elevation | density | volume | frequency | value",
    money:
      "price | prices | cost | costs | fee | fees | salary | wage | wages | budget | fine | tariff | rent | revenue | income | bonus | " +
      "compensation | money | reimbursement | per diem | gdp",
    duration:
      "age | duration | length of time | lifespan | retention period | notice period | notice | retention | period of notice | waiting period | timeout | " +
      "how many times per | lifetime",
    time:
      "year | years | day | days | date | dates | month | months | century | decade | time | deadline | due date | week | weekday | era | " +
      "hour | hours | opening hours | time period | cutoff | birthday | season",
    person:
      "person | persons | people | man | men | woman | women | king | queen | emperor | president | manager | player | actor | " +
      "author | writer | poet | leader | scientist | scientists | researcher | researchers | actress | chef | judge | lawyer | ruler | minister | founder | inventor | artist | " +
      "composer | singer | director | owner | contact | officer | employee | colleague | bishop | pope | philosopher | " +
      "historian | physicist | mathematician | economist | engineer | architect | prince | princess | khan | governor | mayor | astronaut | astronauts | explorer | " +
      "chemist | biologist | professor | scholar | theologian | monk | quarterback | coach | linebacker | " +
      "wife | husband | father | mother | son | daughter | brother | sister | successor | predecessor | ceo | cto | cfo | " +
      "chief executive | lead | head | boss | supervisor | approver | individual | figure | performer | performers | musician | leaders | chancellor | secretary",
    place:
      "city | cities | country | countries | state | states | town | village | place | places | location | continent | region | province | " +
      "river | lake | island | mountain | capital | street | venue | stadium | site | nation | district | county | room | " +
      "building | neighborhood | neighbourhood | borough | hometown | birthplace | destination | ocean | sea | " +
      "desert | valley | airport | station | address | locations | suburb",
    reason: "reason | reasons | cause | motive | motivation | rationale | purpose | goal | goals",
    manner: "way | method | means | procedure | steps",
    definition: "meaning | definition",
  },
  links:
    "name | names | kind | kinds | type | types | sort | sorts | part | group | title | nickname | term | word | one | example",
  skips:
    "is are was were s the a an of his her their its my your our this that these those some other major main primary first " +
    "last current original exact total official two three four specific particular another called different possible more",
  stops:
    "do does did has have had can could may might must should shall will would be been in on at by for from to with about " +
    "into than that which who whom whose and or but as he she it they we you i not there after before during between " +
    "under over if when where while because of is are was were",
  choice:
    "^is/are/was/were/do/does/did/can/could/may/might/must/should/shall/will/would/has/have/had/am/need/isn/aren/don/doesn/" +
    "didn/can/couldn/won/wasn/weren",
  isHeadLast: true,
  units: {
    second: "second | seconds | sec | secs",
    minute: "minute | minutes | min | mins",
    hour: "hour | hours | hr | hrs",
    day: "day | days | nights | night",
    workday: "working day/days | business day/days | workday | workdays",
    week: "week | weeks",
    month: "month | months",
    quarter: "quarters",
    year: "year | years | yrs | yr",
    decade: "decade | decades",
    century: "century | centuries",
    percent: "percent | per cent | percentage points/point | pct",
    EUR: "euro | euros",
    USD: "dollar | dollars | us dollars",
    GBP: "pound sterling | pounds sterling | pounds | quid",
    JPY: "yen",
    cent: "cent | cents",
    people:
      "people | person | persons | inhabitants | residents | men | women | employees | students | colleagues | members | guests | visitors | users | attendees | participants",
    times: "times",
    bit: "bit | bits",
    byte: "byte | bytes",
    kilobyte: "kilobyte | kilobytes",
    megabyte: "megabyte | megabytes",
    gigabyte: "gigabyte | gigabytes",
    terabyte: "terabyte | terabytes",
    metre: "metre | metres | meter | meters",
    centimetre: "centimetre | centimetres | centimeter | centimeters",
    millimetre: "millimetre | millimetres | millimeter | millimeters",
    kilometre: "kilometre | kilometres | kilometer | kilometers",
    mile: "mile | miles",
    foot: "foot | feet",
    inch: "inch | inches",
    yard: "yard | yards",
    gram: "gram | grams",
    kilogram: "kilogram | kilograms | kilo | kilos",
    tonne: "tonne | tonnes | ton | tons",
    pound: "lb | lbs",
    litre: "litre | litres | liter | liters",
    degree: "degree | degrees | degrees celsius",
  },
  numbers:
    "zero:0 one:1 two:2 three:3 four:4 five:5 six:6 seven:7 eight:8 nine:9 ten:10 eleven:11 twelve:12 thirteen:13 fourteen:14 " +
    "fifteen:15 sixteen:16 seventeen:17 eighteen:18 nineteen:19 twenty:20 thirty:30 forty:40 fifty:50 sixty:60 " +
    "seventy:70 eighty:80 ninety:90 hundred:100 hundreds:100 dozen:12 dozens:12 score:20 thousand:1000 thousands:1000 million:1000000 millions:1000000 " +
    "billion:1000000000 billions:1000000000 trillion:1000000000000 fortnight:14:day fortnights:14:day half:0.5 quarter:0.25 once:1x twice:2x thrice:3x a:1? an:1?",
  ordinals:
    "first:1 second:2 third:3 fourth:4 fifth:5 sixth:6 seventh:7 eighth:8 ninth:9 tenth:10 eleventh:11 twelfth:12 " +
    "thirteenth:13 fourteenth:14 fifteenth:15 sixteenth:16 seventeenth:17 eighteenth:18 nineteenth:19 twentieth:20",
  about:
    "about | around | approximately | approx | roughly | nearly | almost | some | circa | ca | an estimated | up to | over | more than",
  because:
    "because | due to | owing to | thanks to | so that | in order to | so as to | therefore | hence | as a result | caused | causes | leads/led to | " +
    "reason | reasons | for fear | to avoid | to prevent | to ensure | to protect | to keep | in response | attributed to | " +
    "result of | resulted | result in | results in | resulting | allows | enables | prevents | helps",
  mayBecause: "since | as | so | for | to | from | by | and thus | which | with",
  by: "by | using | use | through | via | with | click | select | open | choose | press | run | go to | follow | fill | send | submit | enter",
  when:
    "yesterday | today | tomorrow | now | currently | before | after | during | until | since | while | when | ago | later | " +
    "daily | weekly | monthly | yearly | annually | every | always | never | early | late | morning | evening | night | noon | midnight | " +
    "immediately | once | soon | recently | annual | eve | era | age | period",
  no:
    "not | no | never | none | nobody | nothing | neither | nor | cannot | without | don t | doesn t | didn t | can t | isn t | aren t | " +
    "wasn t | weren t | won t | shouldn t | mustn t | couldn t | haven t | hasn t | forbidden | prohibited | banned | unable | refuse | refused | denied | disallowed",
  rules: {
    forbidden:
      "must/may/can/should/shall not | mustn t | cannot | can t | shouldn t | not allowed/permitted/acceptable | forbidden | prohibited | banned | " +
      "not be … allowed/permitted/used/shared | not … allowed/permitted | never | no one may | nobody may | disallowed | do not | don t",
    optional:
      "need not | needn t | optional | voluntary | do/does not have to | don/doesn t have to | not required/mandatory/necessary/compulsory/obligatory/needed | not need to | don/doesn t need to | if you wish/like",
    required:
      "must | required | mandatory | have/has to | need/needs to | shall | compulsory | obligatory | obliged | necessary | should",
    allowed: "may | can | allowed | permitted | could | free to | acceptable | entitled",
  },
};
