import { type SummaryPhrases, whole } from "./phrases.ts";

/** Russian. What is to be summarised stays in the case it stands in: search knows the forms of a word. */
export const RU_SUMMARIES: SummaryPhrases = {
  courtesies: [
    /^(?:привет|здравствуйте|пожалуйста|ну|и|так|хорошо|спасибо)[,!: ]+/iu,
    /^(?:(?:не )?(?:можешь|мог бы ты|можете|могли бы вы|мог бы|могли бы)|помоги|помогите)(?: мне| нам)? /iu,
    /(?<=^| )(?:пожалуйста|кратко|коротко|вкратце|быстро|мне|нам|в двух словах|для меня|тезисно)(?: |$)/giu,
  ],
  asks: [
    whole(
      "(?:изложи|перескажи|обобщи|резюмируй|подытожь|суммируй|изложить|пересказать|обобщить|резюмировать)(?:те)?(?: (?<about>.+))?",
    ),
    whole(
      "(?:(?:дай|сделай|напиши|составь|покажи|нужно|нужен|есть|дать|сделать|написать|составить)(?:те)? )?(?:краткое содержание|краткий обзор|краткий пересказ|обзор|резюме|сводка|сводку|выжимка|выжимку|содержание)(?<about> .+)?",
    ),
    whole(
      "(?:(?:какие|каковы|назови(?:те)?|перечисли(?:те)?|дай(?:те)?) )?(?:основные|главные|ключевые|важнейшие) (?:моменты|мысли|тезисы|пункты|идеи|положения|выводы)(?<about> .+)?",
    ),
    whole(
      "(?:о ч[её]м|про что) (?:говорится (?:в|на) |написано (?:в|на) |рассказывает |ид[её]т речь (?:в|на) )?(?<whole>.+)",
    ),
    whole("что (?:написано|говорится|содержится|сказано) (?:в|на) (?<whole>.+)"),
    whole("(?:опиши|объясни|опишите|объясните) (?<whole>.+)"),
  ],
  links: /^(?:по|из|на|в|о|об|про) /iu,
  alongside:
    /^(?:это|этого|все|всё|весь|здесь|(?:(?:эт(?:а|у|ой|от|ого|ом|и|их)|данн(?:ая|ую|ой|ый|ого|ом)|весь|всю|всего|всей|приложенн(?:ый|ого|ом)|прикрепл[её]нн(?:ый|ого|ом)|текущ(?:ую|ей|ая)) )*(?:страниц(?:а|у|ы|е)|документа?е?|файла?е?|текста?е?|стать(?:я|ю|и|е)|вложени[яе]|сайта?е?))$/iu,
  articles: /^(?:(?:наш(?:а|у|ей|его|ей|и|их)?|мо(?:й|ю|ей|его)) )+/iu,
  others:
    /(?:эт(?:а|у|ой|от|ого|ом)) (?:страниц|документ|файл|текст|стать)|(?<!\p{L})и (?:скажи|назови|объясни|как|что|кто|когда|где|почему|сколько)(?!\p{L})/iu,
};

/** Italian. */
export const IT_SUMMARIES: SummaryPhrases = {
  courtesies: [
    /^(?:ciao|ok|allora|bene|e|per favore|grazie)[,!: ]+/iu,
    /^(?:puoi|potresti|può|potrebbe|potete|mi puoi|mi può|aiutami a)(?: per favore)? /iu,
    /[, ]+(?:per favore|grazie|per me|per noi|brevemente|in breve|in sintesi|in poche parole|in italiano|in (?:due|tre|quattro|cinque|\d{1,3}|poche|alcune) (?:frasi|righe|punti|parole))(?= |$)/giu,
  ],
  asks: [
    whole("(?:riassum(?:i|a|ere|ermi|iamo|ilo|ila|imi)|sintetizza(?:re|mi)?|ricapitola(?:re)?)(?:[: ]+(?<about>.+))?"),
    whole(
      "(?:(?:dammi|fammi|mi dia|mi faccia|fai|fare|farmi|scrivi|scrivere|prepara|mostrami|vorrei|ho bisogno di|qual è|c'è) )?(?:un |una |il |la |l')?(?:breve |rapid[oa] |piccol[oa] )?(?:riassunto|sintesi|panoramica|sommario|riepilogo|quadro generale)(?: breve| rapid[oa]| generale)?(?<about> (?:di |del |della |dello |dell'|dei |degli |delle |d'|su ).+)?",
    ),
    whole(
      "(?:(?:quali sono|dammi|elenca|mostrami) )?(?:i |le |gli )?(?:(?:punti|idee|concetti|aspetti|informazioni) (?:principali|chiave|essenziali|più importanti)|principali (?:punti|idee|aspetti))(?<about> (?:di |del |della |dello |dell'|dei |degli |delle |d'|in ).+)?",
    ),
    whole("di (?:che )?cosa (?:parla|tratta|si parla in|parlano|trattano) (?<whole>.+)"),
    whole("(?:che )?cosa (?:dice|contiene|c'è in|c'è su) (?<whole>.+)"),
    whole("(?:descrivi|spiega|spiegami) (?<whole>.+)"),
  ],
  links: /^(?:di |su |in |d')/iu,
  alongside:
    /^(?:ciò|tutto|tutto questo|questo|questa|qui|(?:il )?(?:contenuto )?(?:(?:quest[oaie]|il|lo|la|i|le|del|dello|della|dei|mio|mia|tutto|tutta) |quest'|l'|dell')+(?:pagin[ae](?: web)?|document[oi]|file|test[oi]|articol[oi]|allegat[oi]|pdf|sito(?: web)?|contenuto|selezione|scheda)(?: (?:allegat[oa]|apert[oa]|attuale|inter[oa]))?)$/iu,
  articles: /^(?:(?:il|lo|la|i|gli|le|del|dello|della|dei|degli|delle|nostr[oaie]|mi[oae]|uno?|una) |l'|dell'|un')+/iu,
  others:
    /(?:quest[oa] |quest')(?:pagina|documento|file|testo|articolo)|(?<!\p{L})e (?:dimmi|dammi|elenca|spiega|come|cosa|chi|quando|dove|perché|quant[oaie])(?!\p{L})|(?<!\p{L})dice(?!\p{L})/iu,
};

/** Portuguese. */
export const PT_SUMMARIES: SummaryPhrases = {
  courtesies: [
    /^(?:olá|oi|ok|então|bom|e|por favor|obrigad[oa])[,!: ]+/iu,
    /^(?:(?:você )?(?:pode|poderia|podes|podias|consegue)(?: me)?|ajude-me a|ajuda-me a)(?: por favor)? /iu,
    /[, ]+(?:por favor|obrigad[oa]|para mim|para nós|brevemente|rapidamente|em resumo|em poucas palavras|em português|em (?:duas|três|quatro|cinco|\d{1,3}|poucas|algumas) (?:frases|linhas|palavras|pontos))(?= |$)/giu,
  ],
  asks: [
    whole(
      "(?:resum(?:a|e|ir|ir-me|am)(?:-me)?|resume-(?:o|a)|resuma-(?:o|a)|sintetiz(?:e|a|ar)|recapitul(?:e|a|ar))(?:[: ]+(?<about>.+))?",
    ),
    whole(
      "(?:(?:me )?(?:dê-me|dá-me|me dê|dê|faça|faz|faz-me|faça-me|fazer|escreva|escreve|prepare|mostre|quero|queria|preciso de|gostaria de|qual é|há) )?(?:um |uma |o |a )?(?:breve |curto |rápido |pequeno )?(?:resumo|síntese|sumário|visão geral|panorama)(?: breve| curto| geral| rápido| executivo)?(?<about> (?:de|do|da|dos|das|d[eo]ste|desta|sobre) .+)?",
    ),
    whole(
      "(?:(?:quais são|diga-me|liste|dê-me) )?(?:os |as )?(?:(?:pontos|ideias|aspectos|informações) (?:principais|chave|centrais|essenciais|mais importantes)|principais (?:pontos|ideias|aspectos|conclusões))(?<about> (?:de|do|da|dos|das|deste|desta|em) .+)?",
    ),
    whole("(?:do|de|sobre o) que (?:se )?(?:trata|fala|é) (?<whole>.+)"),
    whole("o que (?:diz|contém|há em|há n[oa]|está escrito n[oa]|está em) (?<whole>.+)"),
    whole("(?:descreva|descreve|explique|explica|explica-me) (?<whole>.+)"),
  ],
  links: /^(?:de |sobre |em )/iu,
  alongside:
    /^(?:isto|isso|tudo|tudo isso|tudo isto|aqui|(?:o )?(?:conteúdo )?(?:(?:est[ae]|ess[ae]|dest[ae]|dess[ae]|nest[ae]|o|a|os|as|do|da|meu|minha|todo|toda) )+(?:páginas?(?: web)?|documentos?|ficheiros?|arquivos?|textos?|artigos?|anexos?|pdf|site|conteúdo|seleção|aba)(?: (?:anexad[oa]|em anexo|anex[oa]|abert[oa]|atual|inteir[oa]|complet[oa]))?)$/iu,
  articles: /^(?:(?:os?|as?|do|da|dos|das|noss[oa]s?|meus?|minhas?|uma?) )+/iu,
  others:
    /(?:d?est[ae]|d?ess[ae]) (?:página|documento|ficheiro|arquivo|texto|artigo)|(?<!\p{L})e (?:diga|diz|liste|explique|como|o que|quem|quando|onde|por que|quant[oa]s?)(?!\p{L})|(?<!\p{L})diz(?!\p{L})/iu,
};
