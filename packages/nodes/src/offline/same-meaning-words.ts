/**
 * Words of everyday business that say the same, a group a line. A word stands in one only: what else it says is left aside. Of verbs
 * that English forms otherwise (sent, told) and of nouns (refusal) each form stands here.
 */
export const english = `
  company business firm enterprise corporation organisation
  employee staff worker personnel
  director officer executive
  customer client consumer
  contractor vendor supplier outsource outsourcer
  person people individual
  child children minor kid
  parent guardian
  agent proxy
  applicant candidate
  law act legislation statute
  rule regulation guideline
  leak leakage breach
  lose lost loss missing
  steal stolen theft
  attack hack hacker intrusion
  damage harm
  accident incident
  erase erasure delete deletion remove removal
  dispose disposal discard destroy shred
  fine penalty punishment punishable punish sanction
  illegal unlawful
  legal lawful
  improper inappropriate
  provide provision supply share transfer transmit send sent hand pass
  disclose disclosure
  collect acquire acquisition gather obtain
  receive receipt
  buy bought purchase
  sell sold sale
  use usage utilise
  foreign abroad overseas international
  country nation
  consent permission approval approve agree
  allow permit
  forbid forbidden prohibit prohibition ban
  limit restrict restriction
  exempt exemption exception
  apply cover
  purpose goal aim
  reason ground cause
  notify notification notice inform told
  announce publish publication announcement
  ask request demand
  answer reply respond response
  refuse refusal reject decline deny
  complaint complain grievance
  lawsuit sue litigation
  store storage save
  keep kept retain retention preserve hold held
  record log
  list directory roster register
  document paper
  deadline due
  fee charge cost price
  correct correction rectify fix amend
  incorrect wrong mistaken inaccurate false
  change modify modification alter
  confirm confirmation verify check
  inspect inspection audit
  supervise supervision oversee
  monitor surveillance
  deceased dead died
  phone telephone
  email mail
  photo picture image photograph
  footage video
  voice audio
  camera cctv
  security secure safeguard
  protect protection
  mandatory compulsory obligatory required require
  duty obligation obliged responsibility
  promptly immediately quickly
  urgent urgency emergency
  résumé resume cv
  hire recruit recruitment
  job employment
  train training educate education
  press newspaper journalist media
  university college academic
  health medical
  race ethnicity ethnic
  creed religion belief faith
  crime criminal offence
  merger merge
  marketing advertising advertisement ad promotion
  small little tiny
  start begin commence
  stop cease end terminate discontinue
  cancel cancellation revoke withdraw
  car vehicle automobile
  trip travel
  refund reimbursement reimburse
  salary wage
  holiday vacation
  faulty defective broken
  repair mend
  warranty guarantee
  shipping delivery shipment deliver
  invoice bill
  discount reduction
  meeting appointment
`;

/** The same; of verbs the dictionary's form. */
export const japanese = `
  企業 会社 事業者 法人 業者
  従業員 従業者 社員 職員 スタッフ 労働者
  役員 取締役
  顧客 お客 お客様 客 消費者
  本人 自分 当人
  第三者 他人 他社 社外
  代理人 代理
  子供 子ども こども 未成年者 未成年
  保護者 親
  死者 死亡 故人 亡くなる 亡 死ぬ
  自治会 町内会
  自治体 役所 市役所 地方公共団体
  流出 漏えい 漏洩 漏れ 漏れる 漏らす 漏
  紛失 失 失くす 置き忘れる
  盗難 盗む
  消去 削除 抹消 消す
  廃棄 破棄 処分 捨てる
  違反 破る 反する
  罰則 刑罰 処罰 罰金 ペナルティ 罰する
  規則 規程 規定 ルール
  提供 共有 渡す 送る
  取得 収集 入手 集める
  購入 買う
  販売 売却 売る
  利用 使用 活用 使う
  作成 作る
  保存 保管 保持
  外国 海外 国外
  同意 承諾 了承 許可 承認
  例外 除外
  適用 対象
  原因 理由
  通知 連絡 お知らせ 知らせ 知らせる 伝える
  公表 公開
  請求 要求 依頼 求める
  照会 問い合わせ 問合せ
  回答 返答 返事 応答 応じる 答える
  拒否 拒む 断る
  苦情 クレーム
  訴訟 訴え 訴える 提訴 裁判
  記録 ログ
  名前 氏名 姓名
  書面 書類 文書 紙
  期限 期間 期日 締切 締め切り 以内
  手数料 料金 費用 代金
  価格 値段 金額
  訂正 修正 直す
  誤り 誤る 誤 間違い 間違
  変更 変える 変わる
  確認 確かめる チェック
  検査 点検 監査
  監督 監視 モニタリング
  映像 動画 ビデオ 録画
  写真 画像
  音声 録音
  措置 対策
  義務 責任 責務
  遵守 守る
  委託 外注 任せる
  研修 教育
  採用 雇用
  退職 辞める
  アルバイト パート
  報道 新聞社 マスコミ
  宗教 信条 信仰
  国籍 人種
  健康診断 健診
  合併 統合
  承継 継承 引き継ぐ
  違い 相違 差 違う
  停止 中止 止める
  開始 始める
  終了 終わる
  解約 キャンセル 取り消し
  事故 事件 インシデント
  広告 宣伝
  会議 ミーティング 打ち合わせ
  給与 給料 賃金
  休暇 休み
  返金 払い戻し
  配送 発送 配達
  注文 発注
  修理 修繕
  故障 不具合
`;

/** Words in both scripts: a Japanese text writes either. */
export const inBothScripts = `
  cookie クッキー
  website web site homepage hp ウェブサイト ホームページ ウェブ サイト
  computer pc laptop パソコン コンピューター
  dm ダイレクトメール
`;
