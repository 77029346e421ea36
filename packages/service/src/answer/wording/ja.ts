import { allOf, anyOf, counted, dayOf } from "./listing.ts";
import type { Wording } from "./wording.ts";

const LANGUAGE = "ja";

const quoted = (text: string) => `「${text}」`;
const count = (number: number) => counted(number, LANGUAGE);
/** Japanese sets no space between sentences; behind an English one, as remarks on files still are, there is one. */
const joined = (sentences: readonly string[]) =>
  sentences
    .map((sentence) => (/[.!?]$/.test(sentence) ? `${sentence} ` : sentence))
    .join("")
    .trimEnd();

/** Japanese. */
export const JA: Wording = {
  language: LANGUAGE,
  joined,
  nothing: {
    inDocuments: "これについて、文書の中には何も見つかりませんでした。",
    inDocumentsOrSent: "これについて、文書の中にも、添えられたテキストの中にも、何も見つかりませんでした。",
    inSent: "これについて、添えられたテキストの中には何も見つかりませんでした。文書は検索していません。",
    toSearch:
      "検索できるものがありません。この質問では文書の検索が許可されておらず、読めるテキストも添えられていません。",
    advice: "別の言葉で試すか、答えとなる文書を追加してください。",
    partIndexed: (percent) =>
      `検索インデックスを作り直しているため、現在は文書の一部（${percent}%）だけを検索できます。完了してからもう一度質問してください。`,
    inPart: "これについては何も見つかりませんでした。",
  },
  courtesies: {
    greeting: "こんにちは。閲覧できる文書の内容について質問してください。文書の言葉で答え、出典を示します。",
    thanks: "どういたしまして。また知りたいことがあれば質問してください。",
  },
  closest: {
    lead: "答えは見つかりませんでしたが、最も近いのは次の文書です。",
    unmentioned: (words) => `${anyOf(words.map(quoted), LANGUAGE)}に触れている文書はありません。`,
    missing: {
      number: "見つかった文書はこれに触れていますが、数は書かれていません。",
      money: "見つかった文書はこれに触れていますが、金額は書かれていません。",
      duration: "見つかった文書はこれに触れていますが、期間は書かれていません。",
      time: "見つかった文書はこれに触れていますが、日付や時刻は書かれていません。",
      person: "見つかった文書はこれに触れていますが、人の名前は書かれていません。",
      place: "見つかった文書はこれに触れていますが、場所は書かれていません。",
      reason: "見つかった文書はこれに触れていますが、理由は書かれていません。",
      manner: "見つかった文書はこれに触れていますが、方法は書かれていません。",
      definition: "見つかった文書はこれに触れていますが、何であるかは書かれていません。",
    },
    tooLittle: "見つかった文書には、お尋ねの内容がわずかしか書かれていません。",
    noYear: (years) =>
      `見つかった文書には、${anyOf(
        years.map((year) => `${year}年`),
        LANGUAGE,
      )}のことは書かれていません。`,
  },
  differing: {
    lead: "次の出典は内容が異なります（新しい順）。",
    statement: ({ title, date, says }) => `${quoted(title)}（${dayOf(date, LANGUAGE) ?? "日付不明"}）：${says}`,
  },
  corrected: (words) =>
    `${allOf(
      words.map(({ written, read }) => `${quoted(written)}を${quoted(read)}`),
      LANGUAGE,
    )}と読み替えました。`,
  mainPoints: (title) => (title === undefined ? "要点は次のとおりです。" : `${quoted(title)}の要点は次のとおりです。`),
  notInSource: (values) => `（出典に見当たりません：${allOf(values, LANGUAGE)}）`,
  oppositeInSource: "（出典には逆のことが書かれているようです）",
  notes: {
    pictureUnread: (name) => `ここでは画像を読み取らないため、${quoted(name)}はこの回答に使われていません。`,
    noRoom: (name) => `添付ファイルが合わせて長すぎるため、${quoted(name)}はこの回答に使われていません。`,
    noText: (name, why) =>
      joined([
        `${quoted(name)}からテキストを読み取れなかったため、この回答には使われていません。`,
        ...(why === undefined ? [] : [why]),
      ]),
    ofFile: (name, remarks) => `${quoted(name)}について：${joined(remarks)}`,
    onlyBeginning: "長すぎるため、初めの部分だけを読みました。",
    quoteNotKept: "（この質問に添えられたテキストからの引用です。そのテキストは保存されません。）",
    diskFull: "サービスのディスクがいっぱいのため、この質問と回答は履歴に残りません。",
    damaged: "サービスのデータベースが壊れているため、この回答は履歴に残りません。",
    modelCutShort: "モデルの出力はここで長さの上限に達しました。",
    modelSubstituted: (model) => `モデルサーバーに ${model} がないため、ここに設定されているモデルが回答しました。`,
    modelUnused: (model) => `ここにはモデルが設定されていないため、${model} は使われませんでした。`,
    modelFailed: (reason) => `モデルは回答できませんでした（${reason}）。代わりに、以下は出典からの引用です。`,
  },
  gaps: {
    cut: (one) => `初めの${count(one)}文字だけを読みました。残りは別のファイルとして送ってください。`,
    scanned: () =>
      "ページの画像だけで、テキストがありません（スキャン）。文字認識（OCR）にかけてから、もう一度送ってください。",
    damaged: () => "ファイルが壊れているか、不完全です。保存またはダウンロードし直してから、もう一度送ってください。",
    locked: () => "パスワードで保護されています。パスワードなしで保存してから、もう一度送ってください。",
    unfolds: () => "展開すると読み取れる大きさを超えます。分割するか、テキストだけを送ってください。",
    empty: () => "テキストが含まれていません。",
    picture: () => "ここでは画像を読み取りません。",
    "blank-beginning": (one, other) =>
      `初めの${count(one)}ページにはテキストがなく、残りの${count(other)}ページは読んでいません。`,
    beginning: (one, other) =>
      `全${count(other)}ページのうち、初めの${count(one)}ページだけを読みました。残りは別のファイルとして送ってください。`,
    "blank-pages": (one, other) =>
      `全${count(other)}ページのうち${count(one)}ページにはテキストがありません（スキャン、画像、または白紙）。`,
    memory: () => "読み取りに使えるメモリーを超えます。分割するか、テキストだけを送ってください。",
    slow: () =>
      "読み取りに時間がかかりすぎたため、中止しました。別のプログラムで保存し直すか、テキストだけを送ってください。",
    output: () => "一つのファイルから取り出せる量を超えています。分割してから、もう一度送ってください。",
    ended: () =>
      "読み取りが中断されました。もう一度送ってください。また起きる場合は、先に別のプログラムで保存し直してください。",
    crowded: () => "読み取りを待っているあなたのファイルが多すぎます。終わってから、もう一度送ってください。",
    full: () => "読み取りを待っているファイルが多すぎます。1分後にもう一度送ってください。",
  },
  modelTroubles: {
    silent: (seconds) => `${count(seconds)}秒間、何も返しませんでした`,
    endless: () => "返答が終わりませんでした",
    unreadable: () => "返答を読み取れませんでした",
    "empty or unreadable": () => "返答が空か、読み取れませんでした",
    "broken off": () => "返答が途中で切れました",
    withheld: () => "提供元が返答を差し止めました",
    unreachable: () => "サーバーに接続できませんでした",
    "over its limit": (status) => `サーバーが上限に達しています（ステータス ${status}）`,
    "key refused": (status) => `サーバーがキーを拒否しました（ステータス ${status}）`,
    failed: (status) => `サーバーで障害が起きました（ステータス ${status}）`,
    error: () => "サーバーがエラーを返しました",
    "only tools": () => "回答せずにツールを呼び出し続けました",
    empty: () => "何も返しませんでした",
  },
  failures: {
    internal: "回答中にサービスで障害が起きました。場所はログに書かれています。もう一度質問してください。",
    damaged:
      "サービスのデータベースが壊れているため、回答できません。サービスを止め、`threadlore restore` でバックアップを復元してください。",
    closing: "サービスを終了しています。再開したら、もう一度質問してください。",
    interrupted: "この回答は完成する前に途切れました。もう一度質問してください。",
  },
};
