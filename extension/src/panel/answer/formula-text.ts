/** Formulas in TeX as a line of plain text, as far as that is one to read. Pure. */

/** `\alpha` and its like, in the order of their names. */
const SYMBOLS: Readonly<Record<string, string>> = {
  alpha: "α",
  beta: "β",
  gamma: "γ",
  delta: "δ",
  epsilon: "ε",
  varepsilon: "ε",
  zeta: "ζ",
  eta: "η",
  theta: "θ",
  iota: "ι",
  kappa: "κ",
  lambda: "λ",
  mu: "μ",
  nu: "ν",
  xi: "ξ",
  pi: "π",
  rho: "ρ",
  sigma: "σ",
  tau: "τ",
  phi: "φ",
  varphi: "φ",
  chi: "χ",
  psi: "ψ",
  omega: "ω",
  Gamma: "Γ",
  Delta: "Δ",
  Theta: "Θ",
  Lambda: "Λ",
  Xi: "Ξ",
  Pi: "Π",
  Sigma: "Σ",
  Phi: "Φ",
  Psi: "Ψ",
  Omega: "Ω",
  times: "×",
  cdot: "·",
  div: "÷",
  pm: "±",
  mp: "∓",
  le: "≤",
  leq: "≤",
  ge: "≥",
  geq: "≥",
  ne: "≠",
  neq: "≠",
  approx: "≈",
  equiv: "≡",
  sim: "∼",
  propto: "∝",
  infty: "∞",
  sum: "∑",
  prod: "∏",
  int: "∫",
  partial: "∂",
  nabla: "∇",
  in: "∈",
  notin: "∉",
  subset: "⊂",
  subseteq: "⊆",
  cup: "∪",
  cap: "∩",
  emptyset: "∅",
  forall: "∀",
  exists: "∃",
  neg: "¬",
  land: "∧",
  lor: "∨",
  to: "→",
  rightarrow: "→",
  Rightarrow: "⇒",
  implies: "⇒",
  iff: "⇔",
  leftarrow: "←",
  mapsto: "↦",
  ldots: "…",
  cdots: "⋯",
  dots: "…",
  circ: "°",
  angle: "∠",
  perp: "⊥",
  parallel: "∥",
  degree: "°",
  langle: "⟨",
  rangle: "⟩",
  lfloor: "⌊",
  rfloor: "⌋",
  lceil: "⌈",
  rceil: "⌉",
  ell: "ℓ",
  hbar: "ℏ",
  Re: "ℜ",
  Im: "ℑ",
  ast: "∗",
  star: "⋆",
  mid: "∣",
  quad: "  ",
  qquad: "    ",
};
/** Shown as their own name. */
const NAMES =
  /^(?:sin|cos|tan|cot|arcsin|arccos|arctan|sinh|cosh|tanh|log|ln|lg|exp|lim|max|min|sup|inf|det|gcd|arg|dim|ker|Pr|mod)$/;
/** Say how what follows looks or how large it is, and nothing more. */
const LOOKS =
  /^(?:left|right|big|Big|bigl|bigr|text|textrm|textbf|mathrm|mathbf|mathit|mathsf|mathcal|operatorname|displaystyle|limits|boxed)$/;
/** Double letters. */
const DOUBLE: Readonly<Record<string, string>> = { R: "ℝ", N: "ℕ", Z: "ℤ", Q: "ℚ", C: "ℂ", P: "ℙ", E: "𝔼" };

const RAISED = pairs("0123456789+-=()nixyT", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿⁱˣʸᵀ");
const LOWERED = pairs("0123456789+-=()aeijknmoptxruv", "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑᵢⱼₖₙₘₒₚₜₓᵣᵤᵥ");

function pairs(from: string, to: string): ReadonlyMap<string, string> {
  const signs = [...to];
  return new Map([...from].map((sign, at) => [sign, signs[at] ?? sign]));
}

/** How deep groups may nest. */
const MAX_DEPTH = 20;

/** A formula as text, such as `x² + √(y)`; undefined where it holds what a line cannot show. */
export function formulaText(source: string): string | undefined {
  const reader = new Reader(source);
  const text = reader.line(0);
  return text === undefined || reader.isLeft ? undefined : text.replace(/ {2,}/g, " ").trim();
}

class Reader {
  private at = 0;
  private readonly source: string;

  constructor(source: string) {
    this.source = source;
  }

  get isLeft(): boolean {
    return this.at < this.source.length;
  }

  /** Up to the bracket that closes it, or to the end; undefined where something cannot be shown. */
  line(depth: number): string | undefined {
    if (depth > MAX_DEPTH) return undefined;
    let text = "";
    while (this.isLeft && this.source[this.at] !== "}") {
      const one = this.next(depth);
      if (one === undefined) return undefined;
      text += one;
    }
    return text;
  }

  /** One sign, command or group. */
  private next(depth: number): string | undefined {
    const sign = this.source[this.at] ?? "";
    if (sign === "{") return this.group(depth);
    this.at += 1;
    if (sign === "\\") return this.command(depth);
    if (sign === "^") return raised(this.group(depth), RAISED, "^");
    if (sign === "_") return raised(this.group(depth), LOWERED, "_");
    if (sign === "&") return undefined;
    return /\s|~/.test(sign) ? " " : sign;
  }

  /** What stands in braces, or the one thing that stands without. */
  private group(depth: number): string | undefined {
    while (this.source[this.at] === " ") this.at += 1;
    if (this.source[this.at] !== "{") return this.isLeft ? this.next(depth + 1) : undefined;
    this.at += 1;
    const text = this.line(depth + 1);
    if (this.source[this.at] !== "}") return undefined;
    this.at += 1;
    return text;
  }

  private command(depth: number): string | undefined {
    const name = /^[A-Za-z]+/.exec(this.source.slice(this.at, this.at + 24))?.[0] ?? "";
    if (name === "") {
      const sign = this.source[this.at] ?? "";
      this.at += 1;
      // A blank of some width, or a sign that means something by itself.
      if (",;:! ".includes(sign)) return sign === "!" ? "" : " ";
      return sign !== "" && "{}%$#_&".includes(sign) ? sign : undefined;
    }
    this.at += name.length;
    if (NAMES.test(name)) return name;
    if (LOOKS.test(name)) {
      // `\left.` closes nothing.
      if (/^(?:left|right)$/.test(name) && this.source[this.at] === ".") this.at += 1;
      return "";
    }
    if (name === "frac" || name === "dfrac" || name === "tfrac") {
      const [over, under] = [this.group(depth), this.group(depth)];
      return over === undefined || under === undefined ? undefined : `${inBrackets(over)}/${inBrackets(under)}`;
    }
    if (name === "sqrt" && this.source[this.at] !== "[") {
      const under = this.group(depth);
      return under === undefined ? undefined : `√${inBrackets(under)}`;
    }
    if (name === "mathbb") return DOUBLE[this.group(depth) ?? ""];
    return Object.hasOwn(SYMBOLS, name) ? SYMBOLS[name] : undefined;
  }
}

/** Raised or lowered signs where there are some for all of it; else with the mark, which reads as well. */
function raised(text: string | undefined, signs: ReadonlyMap<string, string>, mark: string): string | undefined {
  if (text === undefined) return undefined;
  const shown = [...text].map((sign) => signs.get(sign));
  return shown.every((sign) => sign !== undefined) ? shown.join("") : `${mark}${inBrackets(text)}`;
}

/** More than one word or number of it belongs together. */
function inBrackets(text: string): string {
  const inner = text.trim();
  return /^[\p{L}\p{M}\d.]*$/u.test(inner) || /^\([^()]*\)$/.test(inner) ? inner : `(${inner})`;
}
