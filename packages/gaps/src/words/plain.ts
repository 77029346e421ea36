/** Words that many questions have, whatever they are about, by language; greetings and thanks among them. */
export const PLAIN: Readonly<Record<string, string>> = {
  en: `day days week weeks month months year years hour hours minute time times number numbers name names part parts side place end put set take takes took show shows turn big large small little long short good nice great many much last next first second one two both other another different same whole full half own yesterday tomorrow today night lot far back down out off away straight kept hi hello hey hiya dear team folks guys everyone everybody anyone anybody someone somebody thanks thank thx cheers
    morning afternoon evening quick question questions ask asking know knows wonder wondering please pls kindly sorry
    help want wants would like need needs needed looking trying try use uses using used work works working thing things
    way ways company firm organisation organization office people person someone new current currently actually really
    exactly right correct proper properly usually normally still already ever regarding concerning related
    possible somehow idea clue maybe perhaps right now today soon kind sort type bit lot sure think believe
    supposed suppose happen happens case cases able come comes put say says tell see look thing got have
    process procedure procedures standard official internal happens when what which who where how`,
  de: `hallo hi hey moin guten morgen tag abend servus liebe lieber team leute zusammen danke dank vielen gruß grüße frage
    fragen wissen weiß jemand bitte kurz kurze eigentlich genau aktuell aktuelle richtig möchte will brauche brauchen
    suche finde finden gibt geht gehen machen tun firma unternehmen leute person neu neue neuen ding sache ob mal
    eben gerade normalerweise überhaupt helfen ablauf prozess verfahren intern offiziell`,
  fr: `bonjour salut bonsoir merci équipe tous toutes question savoir sait quelqu besoin cherche chercher trouver faire
    faut dois veux voudrais aimerais svp plaît entreprise société personne gens nouveau nouvelle exactement actuellement
    normalement chose façon procédure processus interne officiel`,
  es: `hola buenos días buenas tardes gracias equipo todos pregunta preguntar saber sabe alguien necesito quiero quisiera
    busco encontrar hacer hay debo favor empresa compañía persona gente nuevo nueva exactamente actualmente normalmente
    cosa manera procedimiento proceso interno oficial`,
  ja: `質問 教える 教えて 知る 知りたい お願い ください 会社 人 方法 今 新しい こんにちは 皆さん 場合 必要 どこ だれ 誰 いつ 何`,
};
