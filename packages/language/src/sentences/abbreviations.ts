/** Words that are written with a dot at their end and end no sentence by it. Lower case, without that dot or spaces. */

/** The abbreviations of a language, parted by spaces. */
interface Abbreviations {
  /** Never the last word of a sentence: something follows that they belong to. */
  readonly leading: string;
  /** Abbreviations before a number; words or the end of a sentence elsewhere ("no.", "art."). */
  readonly counting: string;
  /** At the end of a sentence as often as inside it: a capital letter after them begins a new one. */
  readonly trailing: string;
  /** Parts of names, which capital letters follow: only a function word after them begins a sentence. */
  readonly naming: string;
}

/** In use in most languages of Europe. */
const SHARED: Abbreviations = {
  leading: "dr prof cf vs i.e e.g ca approx",
  counting: "no nr fig vol p pp pag tab art ed max min",
  trailing: "etc",
  naming: "al inc ltd co corp jr sr",
};

const LISTS: Readonly<Record<string, Abbreviations>> = {
  en: {
    leading: "mr mrs ms messrs mt gen col lt sgt capt rep sen gov hon rev viz incl excl esp resp",
    counting: "nos sec ch chap par paras eq ext app jan feb mar apr jun jul aug sep sept oct nov dec",
    trailing: "hrs yrs",
    naming: "a.m p.m dept est st ave blvd rd bros ph.d",
  },
  de: {
    leading:
      "z.b bzw zzgl inkl exkl einschl ggf evtl sog vgl i.d.r d.h o.g lt st hl hr hrn fr frl ing dipl med phil jur rer nat " +
      "habil geb gest verh bspw insb ca ungef urspr ehem röm dt engl frz lat ital russ griech amerik österr schweiz",
    counting: "abb abs bd bl kap ziff rn tel mind jan jän feb mär apr jun jul aug sept sep okt nov dez anm anl",
    trailing: "usw u.ä o.ä u.v.m ff jh jhd n.chr v.chr std tgl",
    naming: "str abt mio mrd tsd chr",
  },
  fr: {
    leading: "m mme mlle mm me mgr st ste c.-à-d p.ex env av bd boul",
    counting: "n° nos chap janv févr avr juil sept oct nov déc tél",
    trailing: "hab",
    naming: "j.-c apr",
  },
  es: {
    leading: "sr sra srta sres dra dña ud uds vd vds p.ej ej lic arq avda avd gral cap pdte sto sta mons",
    counting: "núm num pág págs tel tfno ene abr jun jul ago sept oct nov dic",
    trailing: "a.c d.c hab",
    naming: "ee ee.uu dpto depto",
  },
  pt: {
    leading: "sr sra srta dra exmo exma eng arq p.ex gen cel profa sto sta",
    counting: "núm pág págs cap tel jan fev abr jun jul ago set out nov dez",
    trailing: "a.c d.c hab",
    naming: "ltda cia",
  },
  it: {
    leading: "sig sig.ra sigg dott dott.ssa prof.ssa ing avv arch geom on p.es es ecc.mo v.le p.za",
    counting: "pagg cap artt tel gen feb mag giu lug ago sett ott nov dic",
    trailing: "ecc a.c d.c ab",
    naming: "",
  },
  nl: {
    leading: "dhr mevr mw ir ing drs mr bijv d.w.z m.a.w m.b.t t.a.v i.v.m i.p.v t.o.v st resp incl excl jl",
    counting: "blz hfdst tel jan feb mrt apr jun jul aug sept okt nov dec",
    trailing: "enz e.d n.chr v.chr",
    naming: "o.a e.a",
  },
  sv: {
    leading: "t.ex d.v.s resp inkl exkl",
    counting: "kap kl tel",
    trailing: "m.m o.s.v osv m.fl",
    naming: "bl.a st",
  },
  da: {
    leading: "f.eks dvs hr evt inkl ekskl jf",
    counting: "kap kl tlf stk",
    trailing: "osv m.m m.v m.fl",
    naming: "bl.a",
  },
  no: {
    leading: "f.eks dvs hr evt inkl ekskl jf",
    counting: "kap kl tlf",
    trailing: "osv m.m m.v m.fl",
    naming: "bl.a",
  },
  pl: {
    leading: "np tzn tj m.in ul pl św ks inż mgr hab im ok zob gen płk lek tzw",
    counting: "str rozdz ust pkt poz tel",
    trailing: "itd itp p.n.e n.e godz tys mln mld",
    naming: "",
  },
  cs: {
    leading: "např tj tzn tzv mgr ing bc doc mudr judr phdr sv ul nám resp popř cca",
    counting: "čl odst str tel",
    trailing: "atd apod př.n.l n.l tis mil",
    naming: "",
  },
  ru: {
    leading: "т.е т.н им г-н г-жа ул просп пер обл р-н пос св см ср напр акад проф доц канд англ нем фр лат греч букв",
    counting: "рис табл стр гл п пп ст ч тел илл",
    trailing: "др пр т.д т.п г гг в вв н.э тыс млн млрд руб коп чел км кг мин сек час долл",
    naming: "",
  },
  uk: {
    leading: "т.зв ім вул просп пров обл р-н св див напр акад проф доц англ нім",
    counting: "рис табл стор гл п пп ст ч тел",
    trailing: "ін т.д т.п р рр ст н.е тис млн млрд грн коп",
    naming: "",
  },
  hi: { leading: "डॉ श्री प्रो सुश्री पं", counting: "सं", trailing: "", naming: "" },
  tr: { leading: "sn av doç bkz örn yrd mah cad sok", counting: "s tel", trailing: "vb vd", naming: "şti m.ö m.s" },
  el: {
    leading: "π.χ δηλ κα κος βλ αγ λεωφ",
    counting: "αρ σελ τηλ άρθρ",
    trailing: "κ.λπ κλπ κ.ά κ.α",
    naming: "μ.χ",
  },
};

/** How an abbreviation goes on. */
export type AbbreviationKind = keyof Abbreviations;

const KINDS: readonly AbbreviationKind[] = ["naming", "trailing", "counting", "leading"];
const tables = new Map<string, ReadonlyMap<string, AbbreviationKind>>();

/**
 * How a word that stands before a dot goes on there as an abbreviation; `undefined` where it is none. `word` is lower
 * case, without spaces and without its last dot. Where the language is unknown those of all languages count.
 */
export function abbreviationKind(word: string, language: string | undefined): AbbreviationKind | undefined {
  const key = language !== undefined && Object.hasOwn(LISTS, language) ? language : "";
  let table = tables.get(key);
  if (table === undefined) {
    const own = LISTS[key];
    table = tableOf(own === undefined ? [SHARED, ...Object.values(LISTS)] : [SHARED, own]);
    tables.set(key, table);
  }
  return table.get(word);
}

function tableOf(lists: readonly Abbreviations[]): Map<string, AbbreviationKind> {
  const table = new Map<string, AbbreviationKind>();
  for (const list of lists) {
    for (const kind of KINDS) {
      for (const word of list[kind].split(" ")) if (word !== "") table.set(word, kind);
    }
  }
  return table;
}

/** Languages that write an ordinal number as a number with a dot: "3. Mai", "2. Platz". */
const ORDINAL_DOTS = new Set("de da no fi is cs sk pl hr sr bs sl hu et lv lt tr eu".split(" "));

/** Whether a dot behind a number may mean that it is an ordinal. */
export function hasOrdinalDots(language: string | undefined): boolean {
  return language !== undefined && ORDINAL_DOTS.has(language);
}
