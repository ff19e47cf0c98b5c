"use strict";
// The script of a report. It makes tables sort and filter, pivots them, and saves what the page holds. All texts become text nodes, so that
// nothing from the data is ever read as HTML.
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const more = 500; // rows that each press of a button adds

  // visible shows a character that would reverse or hide the text behind it, as the program does in all that it writes for people.
  const visible = (text) => text.replace(/[\p{Cc}\p{Bidi_Control}]/gu, "\ufffd");

  // make returns an element with attributes and children.
  const make = (name, attributes = {}, ...children) => {
    const e = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) {
      if (value === false || value === undefined) continue;
      e.setAttribute(key, value === true ? "" : key === "value" ? value : visible(String(value)));
    }
    e.append(...children.map((child) => (typeof child === "string" ? visible(child) : child)));
    return e;
  };

  // field returns a label with its control.
  const field = (text, control, wide) => make("label", { class: wide ? "wide" : "" }, text, control);

  // choice returns a control that chooses one of some words.
  const choice = (words, chosen) => {
    const s = make("select");
    for (const w of words) s.append(make("option", { value: w, selected: w === chosen }, w === "" ? "(none)" : w));
    return s;
  };

  const special = { "+Inf": Infinity, "Inf": Infinity, "-Inf": -Infinity, "NaN": NaN };
  // numberOf returns the number of a text, and NaN where it is none.
  const numberOf = (text) => (text in special ? special[text] : text === "" ? NaN : Number(text));

  // printed writes a number that the page has computed with six digits.
  const printed = (v) => (Number.isFinite(v) ? String(Number(v.toPrecision(6))) : Number.isNaN(v) ? "" : v > 0 ? "+Inf" : "-Inf");

  // save hands a file to the reader.
  const save = (name, type, text) => {
    const url = URL.createObjectURL(new Blob([text], { type }));
    const link = make("a", { href: url, download: name });
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(url), 10000);
  };

  // csvCell writes a cell of CSV. A text that a spreadsheet would run as a formula is quoted, as in the program's own files.
  const csvCell = (text, number) => {
    const safe = !number && /^[=+\-@\t\r]/.test(text) ? "'" + text : text;
    return /[",\r\n]/.test(safe) || safe.startsWith(" ") ? '"' + safe.replaceAll('"', '""') + '"' : safe;
  };
  const csv = (rows) => rows.map((row) => row.join(",") + "\n").join("");

  // jsonCell writes a cell of JSON: a number as it is, with all its digits. What is empty is null.
  const jsonCell = (c, i) => {
    const text = c.raw[i];
    return text === "" ? "null" : c.bare && !(text in special) ? text : JSON.stringify(text);
  };

  // compare orders the rows of a column: numbers by size, texts by their letters and the numbers in them, and what is empty last.
  const letters = new Intl.Collator("en", { numeric: true });
  const compare = (c, down) => {
    const sign = down ? -1 : 1;
    if (!c.number) {
      return (i, j) => {
        const a = c.raw[i], b = c.raw[j];
        return a === "" || b === "" ? (a === "") - (b === "") || i - j : sign * letters.compare(a, b) || i - j;
      };
    }
    c.values ??= c.raw.map(numberOf);
    return (i, j) => {
      const a = c.values[i], b = c.values[j];
      const none = Number.isNaN(a) - Number.isNaN(b);
      return none || (a === b || Number.isNaN(a) ? i - j : sign * (a < b ? -1 : 1));
    };
  };

  const shownIn = (c, i) => (c.shown ? c.shown[i] : c.raw[i]);

  // condition returns the function that says whether a row holds a word of a filter: NAME<NUMBER and the like on a column, or a text that
  // stands in any cell.
  const condition = (t, word) => {
    const parts = /^([^<>=!]+)(<=|>=|!=|==|=|<|>)(.*)$/.exec(word);
    const c = parts && t.columns.find((c) => c.name.toLowerCase() === parts[1].toLowerCase());
    if (c) {
      const [, , sign, text] = parts;
      if (c.number) {
        const limit = numberOf(text);
        c.values ??= c.raw.map(numberOf);
        const v = c.values;
        return {
          "<": (i) => v[i] < limit, "<=": (i) => v[i] <= limit, ">": (i) => v[i] > limit, ">=": (i) => v[i] >= limit,
          "=": (i) => v[i] === limit, "==": (i) => v[i] === limit, "!=": (i) => v[i] !== limit,
        }[sign];
      }
      const wanted = text.toLowerCase();
      return (i) => (c.raw[i].toLowerCase() === wanted) === (sign !== "!=");
    }
    const wanted = word.toLowerCase();
    return (i) => t.columns.some((c) => shownIn(c, i).toLowerCase().includes(wanted));
  };

  // mistake says why a word of a filter can hold in no row as it is meant, or "".
  const mistake = (t, word) => {
    const parts = /^([^<>=!]+)(<=|>=|!=|==|=|<|>)(.*)$/.exec(word);
    if (!parts) return "";
    const [, name, sign, text] = parts;
    const c = t.columns.find((c) => c.name.toLowerCase() === name.toLowerCase());
    if (!c) return `There is no column ${name}; the list of columns has their names.`;
    if (c.number && text !== "NaN" && Number.isNaN(numberOf(text))) return `${c.name} has numbers, and "${text}" is none.`;
    if (!c.number && /[<>]/.test(sign)) return `${c.name} has words, which = and != compare; ${sign} is read as =.`;
    return "";
  };

  // aggregates are the ways in which a pivot sums numbers up.
  const sum = (v) => v.reduce((a, b) => a + b, 0);
  const mean = (v) => sum(v) / v.length;
  const middle = (v) => {
    const s = [...v].sort((a, b) => a - b), h = s.length >> 1;
    return s.length % 2 ? s[h] : (s[h - 1] + s[h]) / 2;
  };
  const aggregates = {
    mean, median: middle,
    min: (v) => v.reduce((a, b) => Math.min(a, b), Infinity),
    max: (v) => v.reduce((a, b) => Math.max(a, b), -Infinity),
    sd: (v) => { const m = mean(v); return v.length < 2 ? NaN : Math.sqrt(sum(v.map((x) => (x - m) ** 2)) / (v.length - 1)); },
    sum, count: (v) => v.length,
  };

  // plain returns a drawing as it was before the page marked anything in it.
  const plain = (svg) => {
    const copy = svg.cloneNode(true);
    for (const e of copy.querySelectorAll("[class]")) e.removeAttribute("class");
    return copy;
  };

  // headed returns a row of headings.
  const headed = (cells) => make("tr", {}, ...cells);

  // Table is a table of the page, with the rows that its filter leaves in their order.
  class Table {
    constructor(t, box) {
      this.t = t;
      this.box = box;
      this.name = document.getElementById(t.id + "-title").textContent;
      this.visible = t.columns.map((c) => !c.hidden);
      this.sorted = null;
      this.limit = data.first;
      this.head = box.querySelector("thead");
      this.body = box.querySelector("tbody");
      this.status = box.querySelector(".status");
      this.tools();
      this.select();
    }

    tools() {
      const { t } = this;
      const box = this.box.querySelector(".tools");
      this.filter = make("input", { type: "search", autocomplete: "off", spellcheck: "false", placeholder: this.example() });
      this.filter.addEventListener("input", () => { this.limit = data.first; this.select(); });
      this.more = make("button", { type: "button", class: "more" });
      this.more.addEventListener("click", () => { this.limit += more; this.draw(); });
      const which = "the rows that the filter leaves, with all columns and all digits";
      const whole = make("button", { type: "button", title: which }, "Save CSV");
      whole.addEventListener("click", () => save(t.file + ".csv", "text/csv", this.csv()));
      const json = make("button", { type: "button", title: which }, "Save JSON");
      json.addEventListener("click", () => save(t.file + ".json", "application/json", this.json()));
      box.append(field("Filter", this.filter, true), ...this.choices(), whole, json);
      if (t.columns.length > 1) box.append(this.chooser());
      if (t.pivot) box.append(this.pivot());
      box.hidden = false;
      this.status.after(this.more);
    }

    // choices are controls that filter by the shown columns of words which have few different ones, in tables that are long enough.
    choices() {
      this.chosen = [];
      return this.t.columns.flatMap((c) => {
        const words = c.number || c.same || c.hidden ? [] : [...new Set(c.raw)].sort(letters.compare);
        if (words.length < 2 || words.length > 8 || this.t.rows < 3 * words.length) return [];
        const list = make("select", {}, ...["all", ...words].map((w) => make("option", {}, w || "(empty)")));
        list.addEventListener("change", () => { this.limit = data.first; this.select(); });
        this.chosen.push((i) => list.selectedIndex === 0 || c.raw[i] === words[list.selectedIndex - 1]);
        return [field(c.name, list)];
      });
    }

    // example is a filter for this table.
    example() {
      const word = this.t.columns.find((c) => !c.number && !c.hidden && c.raw[0]);
      const number = this.t.columns.find((c) => c.number && !c.hidden);
      return "as in " + [word && word.raw[0].slice(0, 20), number && number.name + ">=" + shownIn(number, 0)].filter(Boolean).join(" ");
    }

    chooser() {
      const list = make("div", { class: "columns", role: "group", "aria-label": "Columns of " + this.name });
      this.t.columns.forEach((c, k) => {
        const box = make("input", { type: "checkbox" });
        box.checked = this.visible[k];
        box.addEventListener("change", () => { this.visible[k] = box.checked; this.draw(); });
        const meaning = c.meaning ? [" ", make("small", {}, c.meaning)] : [];
        list.append(make("label", {}, box, make("span", {}, c.name, ...meaning)));
      });
      const hidden = this.visible.filter((v) => !v).length;
      const what = this.t.columns.some((c) => c.meaning) ? "Columns and what they mean" : "Columns";
      if (what !== "Columns") list.classList.add("meant");
      return make("details", {}, make("summary", {}, hidden ? `${what} (${hidden} more)` : what), list);
    }

    // select finds the rows that the filter leaves, and their order.
    select() {
      const words = this.filter.value.split(/\s+/).filter(Boolean).map((w) => condition(this.t, w));
      this.rows = [];
      const holds = [...words, ...this.chosen];
      for (let i = 0; i < this.t.rows; i++) if (holds.every((held) => held(i))) this.rows.push(i);
      if (this.sorted) this.rows.sort(compare(this.t.columns[this.sorted.column], this.sorted.down));
      this.draw();
      this.repivot?.();
    }

    sort(column) {
      const down = this.sorted?.column === column && !this.sorted.down;
      this.sorted = { column, down };
      this.select();
      this.head.querySelector(`button[data-column="${column}"]`)?.focus();
    }

    draw() {
      const columns = this.t.columns.map((c, k) => k).filter((k) => this.visible[k]);
      this.head.replaceChildren(headed(columns.map((k) => {
        const c = this.t.columns[k];
        const button = make("button", { type: "button", "data-column": k }, c.name);
        if (c.unit) button.append(" ", make("small", {}, "(" + c.unit + ")"));
        button.addEventListener("click", () => this.sort(k));
        const order = this.sorted?.column === k ? (this.sorted.down ? "descending" : "ascending") : false;
        return make("th", { scope: "col", class: c.number ? "number" : false, "aria-sort": order, title: c.meaning || false }, button);
      })));
      const shown = this.rows.slice(0, this.limit);
      this.body.replaceChildren(...shown.map((i) => make("tr", {}, ...columns.map((k) => {
        const c = this.t.columns[k], text = shownIn(c, i);
        return make("td", { class: c.number ? "number" : false, title: text !== c.raw[i] ? c.raw[i] : false }, text);
      }))));
      const left = this.rows.length - shown.length;
      this.more.hidden = left === 0;
      this.more.textContent = `Show ${Math.min(left, more)} more`;
      const of = this.t.rows === 1 ? "row" : "rows";
      const wrong = this.filter.value.split(/\s+/).map((w) => mistake(this.t, w)).filter(Boolean);
      const count = this.rows.length === this.t.rows
        ? `${shown.length} of ${this.t.rows} ${of}` : `${shown.length} of ${this.rows.length} that the filter leaves of ${this.t.rows} ${of}`;
      this.status.textContent = [this.rows.length === 0 && this.t.rows > 0 ? `The filter leaves none of ${this.t.rows} ${of}.` : count, ...wrong].join(" ");
    }

    // csv and json have all columns, and the rows that the filter leaves in their order.
    csv() {
      const columns = this.t.columns;
      return csv([columns.map((c) => csvCell(c.name)), ...this.rows.map((i) => columns.map((c) => csvCell(c.raw[i], c.number)))]);
    }

    json() {
      const names = this.t.columns.map((c) => JSON.stringify(c.name));
      const rows = this.rows.map((i) => "\n  {" + this.t.columns.map((c, k) => names[k] + ": " + jsonCell(c, i)).join(", ") + "}");
      return "[" + rows.join(",") + "\n]\n";
    }

    pivot() {
      const { t } = this, first = t.pivot;
      const names = t.columns.filter((c) => !c.same).map((c) => c.name);
      const numbers = t.columns.filter((c) => c.number && !c.same).map((c) => c.name);
      const left = choice(names, first.Rows), above = choice(["", ...names], first.Columns), value = choice(numbers, first.Value);
      const how = choice(Object.keys(aggregates), "mean");
      const grid = make("table"), note = make("p", { class: "status", role: "status" });
      const label = t.id + "-pivot";
      const place = make("div", { class: "scroll", tabindex: "0", role: "group", "aria-labelledby": label }, grid);
      const button = make("button", { type: "button" }, "Save pivot as CSV");
      const details = make("details", { class: "pivot" }, make("summary", { id: label }, "Pivot of " + this.name),
        make("div", { class: "tools" }, field("Rows", left), field("Columns", above), field("Value", value), field("Aggregate", how), button), place, note);
      details.open = this.box.dataset.open === "true";
      this.repivot = () => {
        if (!details.open) return;
        const made = this.pivoted(left.value, above.value, value.value, how.value);
        grid.setAttribute("aria-labelledby", label);
        grid.replaceChildren(make("thead", {}, headed(made.head.map((h, k) => make("th", { scope: "col", class: k ? "number" : false }, h)))),
          make("tbody", {}, ...made.cells.map((row) => make("tr", {}, make("th", { scope: "row" }, row.name),
            ...row.values.map((v) => make("td", { class: "number", title: v.whole !== v.text ? v.whole : false }, v.text))))));
        note.textContent = visible(made.note);
        button.onclick = () => save(t.file + "_pivot.csv", "text/csv",
          csv([made.head.map((h) => csvCell(h)), ...made.cells.map((row) => [csvCell(row.name), ...row.values.map((v) => csvCell(v.whole, true))])]));
      };
      for (const control of [left, above, value, how]) control.addEventListener("change", this.repivot);
      details.addEventListener("toggle", this.repivot);
      return details;
    }

    // pivoted sums the rows up that the filter leaves.
    pivoted(left, above, value, how) {
      const column = (name) => this.t.columns.find((c) => c.name === name);
      const [l, a, v] = [column(left), above && column(above), column(value)];
      v.values ??= v.raw.map(numberOf);
      const cells = new Map(), across = new Map();
      for (const i of this.rows) {
        const row = l.raw[i], place = a ? a.raw[i] : "";
        across.set(place, across.get(place) ?? i);
        if (!cells.has(row)) cells.set(row, { first: i, of: new Map() });
        const of = cells.get(row).of;
        if (!of.has(place)) of.set(place, []);
        if (!Number.isNaN(v.values[i])) of.get(place).push(i);
      }
      const most = 200;
      const inOrder = (c, entries, first) => entries.sort((x, y) => compare(c, false)(first(x), first(y)));
      const places = a ? inOrder(a, [...across], (e) => e[1]) : [["", 0]];
      const rows = inOrder(l, [...cells], (e) => e[1].first);
      const sumUp = (of) => {
        if (!of || of.length === 0) return { text: "", whole: "" };
        if (of.length === 1 && how !== "count" && how !== "sd") return { text: shownIn(v, of[0]), whole: v.raw[of[0]] };
        const x = aggregates[how](of.map((i) => v.values[i]));
        return { text: printed(x), whole: Number.isNaN(x) ? "" : String(x) };
      };
      const shown = places.slice(0, most).map((p) => p[0]);
      const unit = v.unit ? ` (${v.unit})` : "";
      const head = [above ? `${left} \\ ${above}` : left, ...(a ? places.slice(0, most).map((p) => shownIn(a, p[1])) : [value])];
      const largest = Math.max(0, ...rows.map(([, c]) => Math.max(0, ...[...c.of.values()].map((x) => x.length))));
      const cut = rows.length > most || places.length > most ? `; the first ${most} of ${Math.max(rows.length, places.length)} are shown` : "";
      return {
        head, cells: rows.slice(0, most).map(([, c]) => ({ name: shownIn(l, c.first), values: shown.map((p) => sumUp(c.of.get(p))) })),
        note: (largest > 1 ? `${how} of ${value}${unit}, of at most ${largest} rows for each cell` : `${value}${unit}, one row for each cell`) + cut,
      };
    }
  }

  for (const t of data.tables) {
    const box = document.getElementById(t.id), inside = box.closest("details.data");
    // The data of a figure become a table when somebody looks at them.
    if (inside) inside.addEventListener("toggle", () => new Table(t, box), { once: true });
    else new Table(t, box);
  }
  // Figures say their numbers below them, where one points at a point, touches it, or goes through all points by the arrow keys.
  for (const figure of document.querySelectorAll("figure")) {
    const picture = figure.querySelector(".picture"), hint = figure.querySelector(".hint");
    const svg = picture.querySelector("svg");
    if (!svg) continue; // a PNG has no letters to measure, and no tips
    // On a phone a figure is so wide that its smallest letters have 11 pixels, and scrolls.
    const least = Math.min(...[...svg.querySelectorAll("text")].map((text) => parseFloat(text.getAttribute("font-size"))));
    picture.style.setProperty("--readable", `${11 * svg.viewBox.baseVal.width / least}px`);
    const shapes = [...picture.querySelectorAll("circle, rect")].filter((e) => e.querySelector("title"));
    if (shapes.length === 0) continue;
    hint.hidden = false;
    let at = -1;
    const show = (k) => {
      shapes[at]?.classList.remove("shown");
      at = k;
      shapes[at].classList.add("shown");
      hint.textContent = shapes[at].querySelector("title").textContent;
    };
    for (const kind of ["pointerover", "click"]) {
      picture.addEventListener(kind, (event) => {
        const k = shapes.indexOf(event.target);
        if (k >= 0) show(k);
      });
    }
    picture.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!step) return;
      event.preventDefault();
      show((Math.max(at, step < 0 ? 0 : -1) + step + shapes.length) % shapes.length);
    });
  }
  // What is wider than the page says that it scrolls.
  for (const box of document.querySelectorAll(".picture, .table > .scroll")) {
    const sideways = make("p", { class: "sideways", hidden: true }, "Scroll sideways to see all of it.");
    box.before(sideways);
    const watch = new ResizeObserver(() => { sideways.hidden = box.scrollWidth <= box.clientWidth; });
    for (const part of [box, ...box.children]) watch.observe(part);
  }
  for (const button of document.querySelectorAll("button.save-svg")) {
    const svg = button.closest("figure").querySelector("svg");
    button.hidden = !svg;
    button.addEventListener("click", () => {
      save(button.dataset.file, "image/svg+xml", new XMLSerializer().serializeToString(plain(svg)) + "\n");
    });
  }
})();
