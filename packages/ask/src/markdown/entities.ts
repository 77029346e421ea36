/**
 * Character references and backslash escapes (CommonMark 0.31 sections 2.4 and 2.5).
 *
 * Named references are those of HTML 4, the ones people and models write. The two thousand rarer names of HTML 5 would
 * weigh more than the rest of the parser; they are shown as written.
 */

/** Code points with consecutive names, beginning at the number. */
const NAMED: readonly (readonly [number, string])[] = [
  [0x22, "quot"],
  [0x26, "amp apos"],
  [0x3c, "lt"],
  [0x3e, "gt"],
  [
    0xa0,
    "nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml",
  ],
  [0x152, "OElig oelig"],
  [0x160, "Scaron scaron"],
  [0x178, "Yuml"],
  [0x192, "fnof"],
  [0x2c6, "circ"],
  [0x2dc, "tilde"],
  [0x391, "Alpha Beta Gamma Delta Epsilon Zeta Eta Theta Iota Kappa Lambda Mu Nu Xi Omicron Pi Rho"],
  [0x3a3, "Sigma Tau Upsilon Phi Chi Psi Omega"],
  [
    0x3b1,
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigmaf sigma tau upsilon phi chi psi omega",
  ],
  [0x3d1, "thetasym upsih"],
  [0x3d6, "piv"],
  [0x2002, "ensp emsp"],
  [0x2009, "thinsp"],
  [0x200c, "zwnj zwj lrm rlm"],
  [0x2013, "ndash mdash"],
  [0x2018, "lsquo rsquo sbquo"],
  [0x201c, "ldquo rdquo bdquo"],
  [0x2020, "dagger Dagger bull"],
  [0x2026, "hellip"],
  [0x2030, "permil"],
  [0x2032, "prime Prime"],
  [0x2039, "lsaquo rsaquo"],
  [0x203e, "oline"],
  [0x2044, "frasl"],
  [0x20ac, "euro"],
  [0x2111, "image"],
  [0x2118, "weierp"],
  [0x211c, "real"],
  [0x2122, "trade"],
  [0x2135, "alefsym"],
  [0x2190, "larr uarr rarr darr harr"],
  [0x21b5, "crarr"],
  [0x21d0, "lArr uArr rArr dArr hArr"],
  [0x2200, "forall"],
  [0x2202, "part exist"],
  [0x2205, "empty"],
  [0x2207, "nabla isin notin"],
  [0x220b, "ni"],
  [0x220f, "prod"],
  [0x2211, "sum minus"],
  [0x2217, "lowast"],
  [0x221a, "radic"],
  [0x221d, "prop infin"],
  [0x2220, "ang"],
  [0x2227, "and or cap cup int"],
  [0x2234, "there4"],
  [0x223c, "sim"],
  [0x2245, "cong"],
  [0x2248, "asymp"],
  [0x2260, "ne equiv"],
  [0x2264, "le ge"],
  [0x2282, "sub sup nsub"],
  [0x2286, "sube supe"],
  [0x2295, "oplus"],
  [0x2297, "otimes"],
  [0x22a5, "perp"],
  [0x22c5, "sdot"],
  [0x2308, "lceil rceil lfloor rfloor"],
  [0x2329, "lang rang"],
  [0x25ca, "loz"],
  [0x2660, "spades"],
  [0x2663, "clubs"],
  [0x2665, "hearts diams"],
];

const codePoints = new Map(
  NAMED.flatMap(([first, names]) => names.split(" ").map((name, index) => [name, first + index] as const)),
);

/** The characters a reference (`&amp;`, `&#38;`, `&#x26;`) stands for; undefined when it is none. */
export function characterReference(reference: string): string | undefined {
  const digits = /^&#(?:[xX]([0-9a-fA-F]{1,6})|([0-9]{1,7}));$/.exec(reference);
  if (digits !== null) {
    const code = digits[1] === undefined ? Number.parseInt(digits[2] ?? "", 10) : Number.parseInt(digits[1], 16);
    const valid = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
    return valid ? String.fromCodePoint(code) : "\ufffd";
  }
  const code = codePoints.get(reference.slice(1, -1));
  return code === undefined || !/^&[A-Za-z][A-Za-z0-9]*;$/.test(reference) ? undefined : String.fromCodePoint(code);
}

/** A text with its backslash escapes and character references resolved: addresses, titles, info strings. */
export function unescapeText(text: string): string {
  if (!/[\\&]/.test(text)) return text;
  return text.replace(/\\([!-/:-@[-`{-~])|&(?:#[xX]?)?[A-Za-z0-9]{1,31};/g, (whole, escaped: string | undefined) =>
    escaped === undefined ? (characterReference(whole) ?? whole) : escaped,
  );
}
