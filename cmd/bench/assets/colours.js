// The two scales of colour. Both can be told apart by colour-blind readers, and the first one also in grey.

import { print } from "./format.js";

// The sequential scale is viridis (van der Walt and Smith 2015), at seventeen places.
const VIRIDIS = [
  "440154", "481467", "482576", "453781", "404688", "39558c", "33638d", "2d718e", "287d8e",
  "238a8d", "1f968b", "20a386", "29af7f", "3dbc74", "56c667", "94d840", "fde725",
];

// The diverging scale goes from blue over a neutral middle to orange. The middle is that of the page, and
// colours at the same distance from it have the same lightness (CIELAB), so that neither sign looks larger.
const BLUE_ORANGE = {
  light: ["1f5894", "418acb", "8abbe3", "cce1f1", "f5f4f1", "f4d9bb", "e8a969", "ca6d0c", "8b4301"],
  dark: ["99cdff", "52a2e3", "3072aa", "1e4465", "23262b", "5c3b19", "9f5e18", "dd872b", "f9bd75"],
};

const STEPS = 512;

function channels(hex) {
  return [0, 2, 4].map((i) => parseInt(hex.slice(i, i + 2), 16));
}

function table(stops) {
  const points = stops.map(channels);
  const out = new Uint8ClampedArray(3 * STEPS);
  for (let i = 0; i < STEPS; i++) {
    const at = (i / (STEPS - 1)) * (points.length - 1);
    const k = Math.min(Math.floor(at), points.length - 2);
    for (let c = 0; c < 3; c++) {
      out[3 * i + c] = points[k][c] + (at - k) * (points[k + 1][c] - points[k][c]);
    }
  }
  return out;
}

const sequentialTable = table(VIRIDIS);
const divergingTables = { light: table(BLUE_ORANGE.light), dark: table(BLUE_ORANGE.dark) };

function pick(colours, share) {
  const i = 3 * Math.round(Math.min(1, Math.max(0, share)) * (STEPS - 1));
  return [colours[i], colours[i + 1], colours[i + 2]];
}

// dark says whether the system asks for dark pages.
export function dark() {
  return matchMedia("(prefers-color-scheme: dark)").matches;
}

// DECADES is how far below its largest number the logarithmic scale goes.
const DECADES = 6;

// sequential is a scale of colours for probabilities from 0 to most, "linear" or "log".
export function sequential(most, kind) {
  const share = kind === "log"
    ? (x) => (x > 0 ? 1 + Math.log10(x / most) / DECADES : 0)
    : (x) => x / most;
  return (x) => (most > 0 && x > 0 ? pick(sequentialTable, share(x)) : pick(sequentialTable, 0));
}

// along is the probability at a share of the length of the legend of such a scale.
export function along(most, kind) {
  return kind === "log" ? (share) => most * 10 ** (DECADES * (share - 1)) : (share) => most * share;
}

// least is what stands at the beginning of the legend.
export function least(most, kind) {
  return kind === "log" ? `≤ ${print(most * 10 ** -DECADES, 3)}` : "0";
}

// diverging is a scale of colours for differences from -most to most.
export function diverging(most) {
  const colours = dark() ? divergingTables.dark : divergingTables.light;
  return (x) => pick(colours, most > 0 ? 0.5 + x / (2 * most) : 0.5);
}

// css writes a colour as style sheets do.
export function css([r, g, b]) {
  return `rgb(${r} ${g} ${b})`;
}

// ink is the colour of letters that can be read on a colour, by the luminance of WCAG 2.
export function ink(colour) {
  const [r, g, b] = colour.map((c) => (c / 255 <= 0.03928 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.179 ? "#000" : "#fff";
}
