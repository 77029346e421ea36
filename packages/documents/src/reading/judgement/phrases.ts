const FURNITURE =
  /^(?:share|tweet|pin it|log ?in|sign ?(?:in|up)|register|subscribe|advertis|cookie|privacy|terms|all rights|copyright|©|\(c\)|read more|learn more|see (?:more|all)|view (?:all|more)|show more|load more|skip to|menu|search|follow|related|you (?:may|might)|more from|recommended|popular|trending|back to|next|previous|home$|contact|help$|about$|add to (?:cart|bag|basket)|buy now|accept|close|loading|email|print|save|reply|report|comments?$|\d+ comments?|posted (?:in|on|by)|tags?:|filed under|categor|download the app|newsletter|join|teilen|drucken|anzeige|werbung|anmelden|abonnieren|registrieren|impressum|datenschutz|weiterlesen|mehr (?:zu|lesen|erfahren)|zur(?:ück| startseite)|nach oben|startseite|kontakt|suche|folgen|merken|kommentar|antworten|schlagw|kategorie|quelle:|foto:|bild:|von:? |lesezeit|veröffentlicht|aktualisiert|partager|imprimer|connexion|s'abonner|publicité|lire (?:la suite|plus|aussi)|accueil|mentions légales|rechercher|suivre|répondre|compartir|imprimir|iniciar sesión|suscr|publicidad|leer más|inicio$|aviso legal|buscar|seguir|responder|シェア|ログイン|会員登録|続きを読む|もっと見る|広告|お問い合わせ|検索|次へ|前へ|分享|登录|登錄|注册|更多|广告|搜索|返回)/i;

/** Whether a short text reads like a button, a note of rights, or a way to another page, in some languages. */
export const isFurniturePhrase = (text: string): boolean => FURNITURE.test(text);

/** What headings on many sites say of what comes below them, in some languages. */
const HEADINGS = {
  comments:
    /^(?:\d+ *)?(?:comments?\b|responses?\b|replies|discussion\b|(?:leave|post|add|write) (?:a|your) (?:reply|comment)|join the (?:discussion|conversation)|kommentare?\b|diskussion|leserkommentar|leserbrief|schreiben? (?:sie )?(?:einen |ihren )?kommentar|ihre meinung|deine meinung|antwort(?:en)? (?:schreiben|abbrechen|verfassen)|commentaires?\b|réactions|laisser un commentaire|comentarios?\b|deja (?:un|tu) |コメント|评论|評論|留言)/i,
  related:
    /^(?:related|more (?:from|on|in|stories|articles|news|about)|read (?:more|next|also)|recommended|you (?:may|might)|also (?:on|read|see)|see also|latest|popular|trending|most (?:read|popular|viewed)|top (?:stories|posts|news)|recent (?:posts|articles|comments|news)|previous|next|keep reading|further reading|what to read|don.t miss|editor.?s|featured|customers also|frequently bought|similar|mehr (?:zum|zu|aus|von|artikel|themen|über)|lesen sie|lies auch|auch interessant|interessant|das könnte|weitere[rs]? |ähnliche|verwandte|passend|zum thema|themen|aktuell|neueste|letzte (?:artikel|beiträge)|meistgelesen|beliebt|empfehl|links?$|à lire|lire aussi|sur le même|articles? (?:liés|similaires|récents)|les plus lus|más (?:leíd|sobre|noticias|en )|te puede|relacionad|también|noticias|関連|おすすめ|人気|最新|ランキング|こちらも|相关|相關|推荐|推薦|热门)/i,
  author:
    /^(?:about (?:the )?(?:author|writer|me\b|us\b)|written by|meet the|über (?:den|die|das|mich|uns)|zur person|der autor|die autorin|autor|à propos|l.auteur|sobre (?:el|la|mí)|著者|筆者|作者|この記事)/i,
  subscribe:
    /newsletter|subscri|sign up|stay (?:up|in|con)|get (?:the|our) |abonnier|\babo\b|jetzt anmelden|folgen sie|follow us|abonnez|suscr|メルマガ|登録/i,
  specification:
    /^(?:(?:technical|product|full|key|tech)? ?(?:specification|specs\b|detail|information|feature|description|highlight)|about this (?:item|product)|what.s (?:in|included)|dimensions|ingredients|materials?\b|overview|produkt|technische|eigenschaften|beschreibung|details|caractéristiques|description|características|descripción|仕様|商品|规格|參數|参数)/i,
  review:
    /^(?:(?:customer|user|product|top|\d+) ?(?:review|rating)|reviews?\b|ratings?\b|write a review|questions? (?:and|&)|q ?& ?a|(?:kunden)?bewertung|rezension|avis\b|opinion|reseñas|レビュー|口コミ|评价)/i,
};

/** What a part of a page may be about beside its content. */
export type Topic = keyof typeof HEADINGS;
export const TOPICS = Object.keys(HEADINGS) as readonly Topic[];

/** What a heading says comes below it; undefined: nothing that many sites have. */
export function topicOf(heading: string): Topic | undefined {
  return TOPICS.find((topic) => HEADINGS[topic].test(heading));
}

const MOMENT =
  /^(?:.{0,24}\b)?(?:\d{1,2}[./-] ?(?:\d{1,2}|[a-zäéû]{3,10})[./ -] ?(?:19|20)?\d\d|(?:19|20)\d\d[./年-] ?\d{1,2}[./月-] ?\d{1,2}|[a-z]{3,9}\.? \d{1,2}(?:st|nd|rd|th)?,? (?:19|20)\d\d|\d{1,2}\.? [a-zäéû]{3,10}\.?,? (?:19|20)\d\d|\d+ (?:min|hour|day|week|month|year|minute|stunde|tag)\w* (?:ago|read))\b.{0,40}$/i;

/** Whether a text is little but a date or a time. */
export const isMoment = (text: string): boolean => text.length < 90 && MOMENT.test(text);
