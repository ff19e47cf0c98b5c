// How numbers come from the server, and how people read them.

// number reads a number of the API, which writes those that JSON does not know as "+Inf", "-Inf" and "NaN".
export function number(value) {
  if (value === null || value === undefined || value === "") return NaN;
  if (typeof value === "number") return value;
  if (value === "+Inf" || value === "Inf") return Infinity;
  if (value === "-Inf") return -Infinity;
  return Number(value);
}

// numbers reads a list of them.
export function numbers(values) {
  return Float64Array.from(values ?? [], number);
}

// print writes a number for people, with so many significant digits.
export function print(value, digits = 6) {
  const x = number(value);
  if (Number.isNaN(x)) return "–";
  if (x === Infinity) return "∞";
  if (x === -Infinity) return "−∞";
  if (x === 0) return "0";
  const size = Math.abs(x);
  const text = size >= 1e-4 && size < 1e7 ? plain(x, digits) : x.toExponential(digits - 1);
  return text.replace("-", "−").replace("e-", "e−").replace("e+", "e");
}

function plain(x, digits) {
  const after = digits - 1 - Math.floor(Math.log10(Math.abs(x)));
  return x.toFixed(Math.min(20, Math.max(0, after)));
}

// short writes a number in as few characters as a small cell has place for.
export function short(value) {
  const x = number(value);
  if (!Number.isFinite(x)) return print(x);
  const text = Math.abs(x) < 100 ? String(Number(x.toFixed(1))) : x.toPrecision(2);
  return text.replace("-", "−");
}

const LETTERS = /(?<!\w)(\p{L})_(?:\{([^}]+)\}|([\p{L}\d]+)(?!\w))|\^(?:\(((?:[^()]|\([^()]*\))+)\)|(\w+))/gu;

// typeset writes a text with its subscripts, as in f_1 and x_{t-1}, and its powers, as in f^(1-b), into an element.
export function typeset(place, text) {
  place.replaceChildren();
  let from = 0;
  for (const found of text.matchAll(LETTERS)) {
    const [all, letter = "", braced, plain, brackets, power] = found;
    place.append(text.slice(from, found.index) + letter);
    const script = document.createElement(letter ? "sub" : "sup");
    typeset(script, braced ?? plain ?? brackets ?? power);
    place.append(script);
    from = found.index + all.length;
  }
  place.append(text.slice(from));
}

// visible is a name with a sign for each character that would reverse or hide the text behind it, as the program writes it for people.
export function visible(name) {
  return name.replace(/[\p{Cc}\p{Bidi_Control}]/gu, "\ufffd");
}

// selector writes a number as selectors of the program read it back, to the last bit.
export function selector(x) {
  if (x === -Infinity) return "-Inf";
  return String(x === 0 ? 0 : x);
}
