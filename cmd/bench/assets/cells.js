// A target that is painted: numbers g on a lattice, which is what the selector cells:... says.
import { selector } from "./format.js";

// SIDE is the longest side of a lattice that can be painted.
export const SIDE = 25;

export class Cells {
  constructor(rows, columns, g) {
    this.rows = rows;
    this.columns = columns;
    this.g = g ?? new Float64Array(rows * columns);
  }

  // toy is the selector of the program that means this target.
  toy() {
    const lines = [];
    for (let r = 0; r < this.rows; r++) {
      const line = this.g.subarray(r * this.columns, (r + 1) * this.columns);
      lines.push(Array.from(line, selector).join(":"));
    }
    return "cells:" + lines.join("/");
  }

  // paint gives every cell of a square brush around x the value, and says whether anything changed.
  paint(x, value, brush) {
    const reach = (brush - 1) / 2;
    const row = Math.floor(x / this.columns);
    const column = x % this.columns;
    let changed = false;
    for (let r = Math.max(0, row - reach); r <= Math.min(this.rows - 1, row + reach); r++) {
      for (let c = Math.max(0, column - reach); c <= Math.min(this.columns - 1, column + reach); c++) {
        const at = r * this.columns + c;
        changed ||= this.g[at] !== value;
        this.g[at] = value;
      }
    }
    return changed;
  }

  // resized is a copy of another size: what falls off is lost, and what is new is 0.
  resized(rows, columns) {
    const out = new Cells(rows, columns);
    for (let r = 0; r < Math.min(rows, this.rows); r++) {
      for (let c = 0; c < Math.min(columns, this.columns); c++) {
        out.g[r * columns + c] = this.g[r * this.columns + c];
      }
    }
    return out;
  }

  copy() {
    return new Cells(this.rows, this.columns, this.g.slice());
  }
}
