/** Everyday words of offices that say the same, Japanese. */
export const JA = `
leave: 休暇 | 有給 | 休み | 年休 | 有休
sick: 病気 | 病欠 | 体調
salary: 給料 | 給与 | 賃金
bonus: ボーナス | 賞与
contract: 契約 | 契約書
!notice: 退職 | 辞める
training: 研修 | 講習
boss: 上司 | マネージャー
employee: 社員 | 従業員
guest: 来客 | ゲスト | 訪問者
remote: 在宅 | テレワーク | リモート
abroad: 海外 | 国外
overtime: 残業 | 時間外
travel: 出張 | 旅行
flight: 飛行機 | フライト
hotel: ホテル | 宿泊
expense: 経費 | 費用
!refund: 精算 | 払い戻し | 返金
receipt: 領収書 | レシート
allowance: 手当 | 日当
!price: 値段 | 料金 | 価格
budget: 予算
invoice: 請求書
customer: 顧客 | 客
!buy: 購入 | 買う | 注文 | 発注
!approve: 承認 | 許可 | 署名 | サイン | 決裁
!apply: 申請 | 申し込み | 申込
!submit: 提出
form: 用紙 | 書式 | フォーム | テンプレート
!deadline: 締め切り | 締切 | 期限 | 期日
!limit: 上限 | 最大
!responsible: 担当 | 責任 | 担当者 | 責任者
password: パスワード | 暗証
account: アカウント
access: アクセス | 権限
laptop: ノートパソコン | パソコン | pc
phone: 電話 | 携帯
printer: プリンター | 印刷 | プリンタ
!broken: 故障 | 壊れ
!repair: 修理
room: 会議室 | 部屋
!reserve: 予約
meeting: 会議 | 打ち合わせ
key: 鍵 | キー
parking: 駐車場 | 駐車
parcel: 荷物 | 小包
!trash: ごみ | ゴミ
lunch: 昼食 | 食堂 | ランチ
!start: 開始 | 始まり
!end: 終了 | 終わり
!change: 変更
!cancel: キャンセル | 取り消し
!delete: 削除
!keep: 保管 | 保存
!borrow: 借りる | 貸し出し
!return: 返却
!report: 報告 | 連絡
help: サポート | 支援
rule: 規則 | ルール | 規定
data: データ
hr: 人事
finance: 経理
businesscard: 名刺
battery: 電池 | バッテリー
christmas: 年末 | 年始 | クリスマス
!renew: 更新 | 延長
!stolen: 盗難 | 盗まれ
!error: エラー
`;
