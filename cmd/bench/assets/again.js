// What reproduces the numbers: the command and the program in Go, which the server writes.

const SEEN = 2000; // milliseconds for which a button says what has become of a press

export class Again {
  #answers = new Map();

  constructor(state, say) {
    this.say = say;
    this.of = document.getElementById("of");
    this.command = document.getElementById("command");
    this.go = document.getElementById("go");
    this.of.addEventListener("change", () => this.#show());
    this.#button("copy-command", () => this.command.value, this.command, "The command is copied.");
    this.#button("copy-go", () => this.go.value, this.go, "The program is copied.");
    this.#button("copy-link", () => new URL(state.address(), location.href).href, null, "The link is copied.");
  }

  // take keeps the answer of a route.
  take(name, title, answer) {
    if (!answer.command && !answer.go) return;
    if (!this.#answers.has(name)) this.of.append(new Option(title, name));
    this.#answers.set(name, answer);
    this.#show();
  }

  #show() {
    const answer = this.#answers.get(this.of.value);
    this.command.value = answer?.command ?? "";
    this.go.value = answer?.go ?? "";
  }

  // #button copies a text; where the browser refuses, the text is selected so that keys copy it.
  #button(id, text, area, said) {
    const button = document.getElementById(id);
    const label = button.textContent;
    let back = null;
    const flash = (words) => {
      button.textContent = words;
      clearTimeout(back);
      back = setTimeout(() => (button.textContent = label), SEEN);
    };
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(text());
        flash("Copied");
        this.say(said);
      } catch {
        flash(area ? "Press Ctrl+C" : "Copy the address");
        area?.focus();
        area?.select();
        this.say(area ? "The browser does not allow copying: the text is selected, copy it by the keyboard." : `The browser does not allow copying: the link is the address of this page.`);
      }
    });
  }
}
