// Links to what the page shows as files, as the commands write them.

import { inBrowser, save } from "./api.js";

// DRAWINGS and TABLES are the formats of figures and of numbers.
export const DRAWINGS = ["svg", "png", "pdf"];
export const TABLES = ["csv", "json"];

// downloads is a line of links to the figure of a route, or to its table where there is no name of a figure.
export function downloads(route, question, figure, endings) {
  const line = document.createElement("p");
  line.className = "downloads";
  line.append(figure === "" ? "Table: " : "Figure: ");
  for (const ending of endings) {
    const query = new URLSearchParams(question);
    if (figure !== "") query.set("figure", figure);
    const link = document.createElement("a");
    link.href = `api/${route}.${ending}?${query}`;
    link.download = "";
    link.textContent = ending.toUpperCase();
    link.setAttribute("aria-label", `Download ${figure || route} as ${ending.toUpperCase()}`);
    if (inBrowser) link.addEventListener("click", (event) => fetched(event, line));
    line.append(link, " ");
  }
  return line;
}

// fetched saves what a link leads to where no server has it, and says why there is nothing.
async function fetched(event, line) {
  event.preventDefault();
  try {
    await save(event.currentTarget.getAttribute("href"));
  } catch (fault) {
    line.append(fault.message);
  }
}
