// Heat maps: one pixel a state on a canvas, which the style sheet scales up without smoothing.

// Shape says where states stand. States that are no lattice are laid out in rows in the order of their numbers.
export class Shape {
  constructor(target) {
    this.states = target.states;
    this.labels = target.labels ?? null;
    this.lattice = target.lattice;
    this.columns = target.lattice ? target.columns : width(target.states);
    this.rows = Math.ceil(target.states / this.columns);
  }

  // name says a state to people.
  name(x) {
    if (this.labels?.length > x) return this.labels[x];
    if (!this.lattice) return `state ${x}`;
    return `row ${Math.floor(x / this.columns) + 1}, column ${(x % this.columns) + 1}`;
  }

  // step is the state beside x, or x at the edge.
  step(x, down, right) {
    const row = Math.floor(x / this.columns) + down;
    const column = (x % this.columns) + right;
    const next = row * this.columns + column;
    const inside = row >= 0 && row < this.rows && column >= 0 && column < this.columns;
    return inside && next < this.states ? next : x;
  }
}

// width is the length of rows for so many states: one that divides them where there is one that makes no long strip.
function width(states) {
  const side = Math.ceil(Math.sqrt(states));
  for (let columns = side; columns <= 2 * side; columns++) {
    if (states % columns === 0) return columns;
  }
  return side;
}

// colours is the scale that shows all modes of a target: "log" if one has a hundredth to a tenth of the largest probability, which
// "linear" colours would hide. A mode is a region of equal states that exceeds what is around it.
export function colours(p, shape) {
  if (!shape.lattice) return "linear";
  const most = p.reduce((a, b) => Math.max(a, b), 0);
  const seen = new Set();
  for (let x = 0; x < shape.states; x++) {
    if (seen.has(x)) continue;
    const region = [x];
    seen.add(x);
    let isMode = p[x] < most / 10 && p[x] > most / 100;
    for (const y of region) {
      for (const way of [[-1, 0], [1, 0], [0, -1], [0, 1]]) {
        const z = shape.step(y, ...way);
        isMode &&= p[z] <= p[x];
        if (p[z] !== p[x] || seen.has(z)) continue;
        seen.add(z);
        region.push(z);
      }
    }
    if (isMode) return "log";
  }
  return "linear";
}

export class HeatMap {
  #canvas;
  #marks = {};
  #shape = null;

  // place is the element that holds the map.
  constructor(place) {
    this.place = place;
    place.classList.add("heat");
    this.#canvas = document.createElement("canvas");
    this.#canvas.setAttribute("role", "img");
    place.append(this.#canvas);
  }

  // draw shows values in the colours of a scale. What the map shows is said in words too.
  draw(values, shape, scale, words) {
    this.#shape = shape;
    if (this.#canvas.width !== shape.columns) this.#canvas.width = shape.columns;
    if (this.#canvas.height !== shape.rows) this.#canvas.height = shape.rows;
    this.place.style.setProperty("--columns", shape.columns);
    this.place.style.setProperty("--rows", shape.rows);
    const context = this.#canvas.getContext("2d");
    const image = context.createImageData(shape.columns, shape.rows);
    for (let x = 0; x < shape.states; x++) {
      const [r, g, b] = scale(values[x]);
      image.data[4 * x] = r;
      image.data[4 * x + 1] = g;
      image.data[4 * x + 2] = b;
      image.data[4 * x + 3] = 255;
    }
    context.putImageData(image, 0, 0);
    this.#canvas.setAttribute("aria-label", words);
  }

  // mark puts a frame around a state, or takes it away where x is null. Kinds are "cursor" and "origin".
  mark(kind, x) {
    this.#marks[kind] ??= this.#frame(kind);
    const mark = this.#marks[kind];
    mark.hidden = x === null || this.#shape === null;
    if (mark.hidden) return;
    mark.style.setProperty("--row", Math.floor(x / this.#shape.columns));
    mark.style.setProperty("--column", x % this.#shape.columns);
  }

  // at is the state below a pointer, or null.
  at(event) {
    const box = this.#canvas.getBoundingClientRect();
    const column = Math.floor(((event.clientX - box.left) / box.width) * this.#shape.columns);
    const row = Math.floor(((event.clientY - box.top) / box.height) * this.#shape.rows);
    const x = row * this.#shape.columns + column;
    const inside = column >= 0 && column < this.#shape.columns && row >= 0 && x < this.#shape.states;
    return inside ? x : null;
  }

  #frame(kind) {
    const mark = document.createElement("span");
    mark.className = `mark ${kind}`;
    this.place.append(mark);
    return mark;
  }
}

// legend draws a scale as a strip. The value at a share of its length, from 0 to 1, is value(share).
export function legend(canvas, scale, value) {
  const steps = 128;
  canvas.width = steps;
  canvas.height = 1;
  const context = canvas.getContext("2d");
  const image = context.createImageData(steps, 1);
  for (let i = 0; i < steps; i++) image.data.set([...scale(value(i / (steps - 1))), 255], 4 * i);
  context.putImageData(image, 0, 0);
}
