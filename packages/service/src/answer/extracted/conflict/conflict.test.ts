import { describe, expect, it } from "vitest";
import { understand } from "../asked.ts";
import { candidatesOf } from "../candidates.ts";
import { choose } from "../choosing.ts";
import { evidenceOf, told } from "./conflict.harness.ts";
import { decide } from "../decide.ts";
import { ranked } from "../weighing/ranking.ts";

describe("what two sources say differently", () => {
  it("a number", () => {
    expect(
      told(
        "How many days of remote work are allowed per month?",
        ["Remote work", "Up to now everybody has asked first. 8 days of remote work per month are allowed."],
        ["Starting with us", "You will like it here. Each month 12 days of remote work are allowed to everyone."],
      ),
    ).toEqual(["8 days", "12 days"]);
  });

  it("an amount of money, in a table as well", () => {
    expect(
      told(
        "What does a parking permit cost?",
        ["Prices of parking", "| Permit | Price |\n| --- | --- |\n| Parking permit | 45 € |\n| Locker | 5 € |"],
        ["Parking", "The garage has two floors. A parking permit costs 60 euros."],
      ),
    ).toEqual(["45 €", "60 euros"]);
  });

  it("a date, the newest source first", () => {
    expect(
      told(
        "When does the new warehouse open?",
        ["Building works", "The roof is finished. The new warehouse opens on 3 May 2024.", "2024-01-10T00:00:00Z"],
        ["News", "We are late. The new warehouse opens on 17 June 2024.", "2024-04-02T00:00:00Z"],
      ),
    ).toEqual(["17 June 2024", "3 May 2024"]);
  });

  it("a date, a source of unknown age last", () => {
    expect(
      told(
        "When does the new warehouse open?",
        ["Building works", "The roof is finished. The new warehouse opens on 3 May 2024.", null],
        ["News", "We are late. The new warehouse opens on 17 June 2024.", "2020-04-02T00:00:00Z"],
      ),
    ).toEqual(["17 June 2024", "3 May 2024"]);
  });

  it("a person", () => {
    expect(
      told(
        "Who is responsible for fire safety?",
        ["Safety", "Exits are kept free. Responsible for fire safety is Mara Lindqvist."],
        ["Contacts", "The list is on every floor. Tom Okafor is responsible for fire safety."],
      ),
    ).toEqual(["Mara Lindqvist", "Tom Okafor"]);
  });

  it("a rule", () => {
    expect(
      told(
        "Is it allowed to eat at the desk?",
        ["House rules", "Windows are closed at night, and it is forbidden to eat at the desk."],
        ["Everyday life", "Everybody is allowed to eat at the desk. Plants are welcome."],
      ),
    ).toEqual(["it is forbidden to eat at the desk", "Everybody is allowed to eat at the desk"]);
  });

  it("in German", () => {
    expect(
      told(
        "Wie lange dauert die Probezeit?",
        ["Arbeitsvertrag", "Der Vertrag gilt ab Mai. Die Probezeit dauert sechs Monate."],
        ["Willkommen", "Schön, dass Sie da sind! Die Probezeit dauert drei Monate."],
      ),
    ).toEqual(["sechs Monate", "drei Monate"]);
  });

  it("in French, Spanish and Russian", () => {
    expect(
      told(
        "Quand ferme la bibliothèque le samedi ?",
        ["Horaires", "Les prêts durent un mois. Le samedi, la bibliothèque ferme à 18 h."],
        ["Quartier", "Le samedi, la bibliothèque ferme à 16 h. Le marché est en face."],
      ),
    ).toEqual(["18 h", "16 h"]);
    expect(
      told(
        "¿Cuánto cuesta la inscripción al torneo?",
        ["Bases del torneo", "La inscripción al torneo cuesta 25 euros. Se juega en marzo."],
        ["Noticias", "Ya falta poco. La inscripción al torneo cuesta 30 euros."],
      ),
    ).toEqual(["25 euros", "30 euros"]);
    expect(
      told(
        "Сколько дней действует пропуск?",
        ["Охрана", "Вход с улицы. Пропуск действует 30 дней."],
        ["Новичкам", "Пропуск действует 90 дней. Столовая на втором этаже."],
      ),
    ).toEqual(["30 дней", "90 дней"]);
  });

  it("in Chinese and Japanese", () => {
    expect(told("停车费每月多少钱?", ["停车", "停车费每月300元。"], ["物业通知", "停车费每月450元。"])).toEqual([
      "300元",
      "450元",
    ]);
    expect(told("会費はいくらですか", ["会則", "会費は3000円です。"], ["お知らせ", "会費は5000円です。"])).toEqual([
      "3000円",
      "5000円",
    ]);
  });

  it("of several values, those of one unit", () => {
    expect(
      told(
        "What is the rate limit of the Quill service?",
        ["Quill service", "The Quill service has a rate limit of 600 requests per minute, then status 429."],
        ["Quill client", "It waits 3 times. The Quill service has a rate limit of 200 requests per minute."],
      ),
    ).toEqual(["600 requests", "200 requests"]);
  });

  it("under the name of a column", () => {
    const table = "| Line | Stations |\n| --- | --- |\n| Green line | 24 |\n| Red line | 30 |";
    expect(
      told(
        "How many stations does the green line have?",
        ["The metro in figures", table],
        ["Green line", "The green line has 21 stations."],
      ),
    ).toEqual(["24", "21 stations"]);
  });

  it("a number that is a name in the question", () => {
    expect(
      told(
        "How long does the battery of the Mole 3 last?",
        ["Mole 3", "The battery of the Mole 3 lasts 18 months."],
        ["Gardening", "Made for three years: that is how long the battery of the Mole 3 lasts."],
      ),
    ).toEqual(["18 months", "three years"]);
  });

  it("a rule with a condition", () => {
    expect(
      told(
        "Darf man im Serverraum fotografieren?",
        ["Hausordnung", "Im Serverraum ist das Fotografieren verboten."],
        ["Leitfaden", "Im Serverraum darf man fotografieren, sofern keine Personen zu sehen sind."],
      ),
    ).toEqual(["Im Serverraum ist das Fotografieren verboten", "Im Serverraum darf man fotografieren"]);
  });

  it("a rule in Japanese", () => {
    expect(
      told(
        "会議室で食事をしてもいいですか",
        ["会議室", "会議室で食事をしてはいけません。"],
        ["手引き", "会議室で食事をしてもかまいません。"],
      ),
    ).toEqual(["会議室で食事をしてはいけません", "会議室で食事をしてもかまいません"]);
  });

  it("a size, whichever noun the question asks for", () => {
    expect(
      told(
        "What is the wing span of the Skua drone?",
        ["Skua drone", "The wing span of the Skua drone is 2.1 m."],
        ["Fields", "It rains. The Skua drone has a wing span of 2.6 metres."],
      ),
    ).toEqual(["2.1 m", "2.6 metres"]);
  });

  it("what both say to be the most", () => {
    expect(
      told(
        "How many guests can join a tour of the mill?",
        ["Mill tours", "At most 12 guests can join a tour of the mill."],
        ["Weekend", "Up to 20 guests can join a tour of the mill."],
      ),
    ).toEqual(["12 guests", "20 guests"]);
  });

  it("in three sources", () => {
    expect(
      told(
        "How many guests fit into the hall?",
        ["Hall", "The hall is bright. 120 guests fit into the hall."],
        ["Fire safety", "Exits are lit. 90 guests fit into the hall."],
        ["Weddings", "Flowers are welcome. 150 guests fit into the hall."],
      ),
    ).toEqual(["120 guests", "90 guests", "150 guests"]);
  });
});

describe("what only seems to differ", () => {
  it("one is a copy of the other", () => {
    const text = "A parking permit costs 60 euros.";
    expect(told("What does a parking permit cost?", ["Parking", text], ["Prices", text])).toBeUndefined();
  });

  it("the same in other units, rounded, or about", () => {
    for (const [one, other] of [
      ["14 days", "two weeks"],
      ["24 hours", "one day"],
      ["about 40 minutes", "41 minutes"],
      ["an hour and a half", "90 minutes"],
      ["30 days", "one month"],
      ["24 months", "two years"],
      ["a quarter of an hour", "15 minutes"],
      ["4 to 6 weeks", "about 5 weeks"],
      ["between 20 and 30 days", "20 to 30 days"],
    ])
      expect(
        told(
          "How long does the repair of a laptop take?",
          ["Help desk", `The repair of a laptop takes ${one}.`],
          ["Answers", `We are quick. The repair of a laptop takes ${other}.`],
        ),
      ).toBeUndefined();
    expect(
      told(
        "How many inhabitants has Ostermoor?",
        ["Ostermoor", "Ostermoor has 8,964 inhabitants."],
        ["The region", "The town of Ostermoor has 9,000 inhabitants."],
      ),
    ).toBeUndefined();
  });

  it("a date that says less", () => {
    expect(
      told(
        "When was the bridge at Kell built?",
        ["Kell", "The bridge at Kell was built in 1874."],
        ["Bridges", "The bridge at Kell was built in May 1874 by soldiers."],
      ),
    ).toBeUndefined();
  });

  it("another place, year, version or role", () => {
    expect(
      told(
        "What is the hotel limit in London?",
        ["Travel", "The hotel limit in London is 210 pounds."],
        ["Trips", "The hotel limit in Berlin is 150 pounds."],
      ),
    ).toBeUndefined();
    expect(
      told(
        "When was the summer party 2024?",
        ["Summer party 2024", "The summer party 2024 was on 4 July 2024."],
        ["Summer party 2023", "The summer party 2023 was on 6 July 2023."],
      ),
    ).toBeUndefined();
    expect(
      told(
        "How many users does version 3 support?",
        ["Version 3", "The server supports 500 users."],
        ["Version 2", "The server supports 200 users."],
      ),
    ).toBeUndefined();
    expect(
      told(
        "What is the daily rate?",
        ["Daily rates: staff", "The daily rate is 300 euros."],
        ["Daily rates: trainers", "The daily rate is 450 euros."],
      ),
    ).toBeUndefined();
  });

  it("another model, and another time", () => {
    expect(
      told(
        "How long does the battery of the Tern X2 last?",
        ["Tern X2", "The battery of the X2 lasts 30 hours."],
        ["Tern X1", "The battery of the X1 lasts 18 hours."],
      ),
    ).toBeUndefined();
    expect(
      told(
        "Who was president of the society in 1950?",
        ["Presidents", "In 1950 the president of the society was Harold Quist."],
        ["The society today", "The president of the society is Ellen Dray."],
      ),
    ).toBeUndefined();
  });

  it("another deed", () => {
    expect(
      told(
        "Are dogs allowed in the office?",
        ["Office rules", "Dogs are allowed in the office."],
        ["Visiting the office", "Photos are not allowed in here."],
      ),
    ).toBeUndefined();
  });

  it("one source's own history", () => {
    expect(
      told(
        "What does a ticket cost?",
        ["Chronicle", "Until 2019 a ticket cost 20 euros, since then it costs 25 euros."],
        ["Prices", "A ticket costs 25 euros."],
      ),
    ).toBeUndefined();
  });

  it("one of a list", () => {
    expect(
      told(
        "Who teaches the evening course?",
        ["Courses", "The evening course is taught by Ana Ruiz and Leo Brandt."],
        ["Notes", "Last week the evening course was taught by Leo Brandt."],
      ),
    ).toBeUndefined();
  });

  it("what is paid for a day, beside a number of days", () => {
    expect(
      told(
        "有給休暇は入社日に何日もらえますか？",
        ["休暇規程", "入社日に有給休暇が12日付与されます。"],
        ["入社と退社", "有給休暇が残ったまま退社する場合、入社日にかかわらず1日1万円で買い取ります。"],
      ),
    ).toBeUndefined();
    expect(
      told("入社时有几天年假？", ["假期", "入社时有12天年假。"], ["离职", "入社时的年假没有用完的，一天补500元。"]),
    ).toBeUndefined();
  });

  it("what stands in another column of a row than the one that is asked for", () => {
    const prices = (team: string) =>
      `| Plan | Price per month | Shipments included |\n| --- | --- | --- |\n| Starter | 49 € | 500 |\n| Team | ${team} | 5,000 |`;
    const lists = [
      ["Prices 2024", prices("179 €")],
      ["Prices 2025", prices("199 €")],
    ] as const;
    expect(told("How many shipments does the Team plan include?", ...lists)).toBeUndefined();
    expect(told("How much is the Team plan?", ...lists)).toEqual(["179 €", "199 €"]);
  });

  it("answers to a question of one word that says something", () => {
    expect(
      told("How many days?", ["Logs", "Logs are kept for 14 days."], ["Leave", "Everybody has 28 days of leave."]),
    ).toBeUndefined();
  });

  it("a rule that is only said in other words", () => {
    expect(
      told(
        "Is a helmet required in the hall?",
        ["Hall", "A helmet is required in the hall."],
        ["Course", "Nobody may enter the hall without a helmet."],
      ),
    ).toBeUndefined();
  });

  it("a mere mention, with other numbers", () => {
    expect(
      told(
        "What is the budget for training per person?",
        ["Learning", "The budget for training is 1,500 euros per person."],
        ["Minutes", "18 members discussed the budget for training per person. Lunch cost 90 euros."],
      ),
    ).toBeUndefined();
  });

  it("one source alone, or none", () => {
    expect(told("What does it cost?")).toBeUndefined();
    expect(
      told("What does a permit cost?", ["Parking", "A permit costs 60 euros. For guests a permit costs 10 euros."]),
    ).toBeUndefined();
  });
});

describe("what is quoted", () => {
  it("leaves out what has another number in its place", () => {
    const text = "1. Error 41: the clock is wrong.\n2. Error 52: an update is missing.";
    const evidence = [evidenceOf(0, ["VPN", text])];
    const question = understand("What does VPN error 41 mean?", { passages: 1, holding: () => 1 });
    expect(choose(question, ranked(candidatesOf(question, evidence))).map((quote) => quote.text)).toEqual([
      "Error 41: the clock is wrong.",
    ]);
  });

  it("may be nothing, and sources that differ are told even so", () => {
    const evidence = [
      evidenceOf(0, ["Alder House", "Cancelling a booking of the room is free up to 21 days before."]),
      evidenceOf(1, ["Seminars", "Cancelling a booking of the room is free up to ten days before."]),
    ];
    const question = understand("zorblax quuxify frobnicate: how many days before is cancelling a booking free?", {
      passages: 2,
      holding: (word) => (/^(?:zorblax|quuxify|frobnicate)$/.test(word) ? 0 : 2),
    });
    const decision = decide(question, evidence);
    expect(decision.state).toBe("closest");
    expect(decision.state === "closest" && decision.conflict?.statements.map(({ says }) => says)).toEqual([
      "21 days",
      "ten days",
    ]);
  });
});

describe("what is told of a rule", () => {
  it("is no longer than 80 characters", () => {
    const more = "as long as the neighbours in the same room have agreed to it before";
    const says = told(
      "Is it allowed to eat at the desk?",
      ["House rules", "It is forbidden to eat at the desk."],
      ["Everyday life", `Everybody is allowed to eat at the desk ${more}.`],
    );
    expect(says?.map(({ length }) => length <= 80)).toEqual([true, true]);
    expect(says?.[1]).toMatch(/^Everybody is allowed to eat at the desk .*…$/);
  });
});
