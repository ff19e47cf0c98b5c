package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"breadboard/grid/longtest"
)

// phone makes the page as large as the screen of a common phone, with touch.
func (p *tab) phone() {
	p.t.Helper()
	p.run(chromedp.EmulateViewport(390, 844, chromedp.EmulateMobile, chromedp.EmulateTouch))
}

// wide makes the page 1280 px wide, without touch.
func (p *tab) wide() { p.t.Helper(); p.run(chromedp.EmulateViewport(1280, 900)) }

// misplaced is an expression for the labels that are neither on the line of their fields nor right
// above them.
const misplaced = `[...document.querySelectorAll("main label[for]:not(.unseen, .button)")].filter((label) => {
	const [of, at] = [document.getElementById(label.htmlFor), label].map((it) => it.getBoundingClientRect());
	const beside = at.top < of.bottom && at.bottom > of.top && of.left >= at.left;
	return at.width > 0 && !beside && !(at.bottom <= of.top + 1 && of.top - at.bottom < 8);
}).map((label) => label.textContent).join(", ")`

// apart is an expression for the selectors whose list is not inside of their field.
const apart = `[...document.querySelectorAll("[id^=choose-]")].filter((list) => {
	const [of, at] = [document.getElementById(list.id.replace("choose", "control")), list].map((it) => it.getBoundingClientRect());
	return !(at.left > of.left && at.right <= of.right && at.top >= of.top && at.bottom <= of.bottom);
}).map((list) => list.id).join(", ")`

// TestPageOnPhone: on a phone J and B are in sight without scrolling, also after chains have run
// far below. At every width labels stand at their fields, and each selector is one field.
func TestPageOnPhone(t *testing.T) {
	t.Parallel()
	b := openBench(t, smallBench)
	inSight := func() {
		t.Helper()
		if !b.is(`(box => box.height > 0 && box.top >= 0 && box.bottom <= `+
			`innerHeight)(document.getElementById("strip").getBoundingClientRect())`) ||
			!strings.HasPrefix(b.text("#strip"), "J ") || !strings.Contains(b.text("#strip"), "B ") {
			t.Errorf("J and B are not in sight: %q", b.text("#strip"))
		}
	}
	for _, size := range []func(){b.wide, b.phone} {
		size()
		b.solved()
		b.settled("schedule", "gap", "frames", "curve", "law", "samples", "spectrum")
		if got := b.value(misplaced); got != "" {
			t.Errorf("labels far from their fields: %s", got)
		}
		if got := b.value(apart); got != "" {
			t.Errorf("lists beside their fields: %s", got)
		}
	}
	if b.is(`[...document.querySelectorAll(".great dd")].map((it) => (it.textContent = "−1.23456e−10", it)).some((it) =>
		it.getBoundingClientRect().right > document.getElementById("numbers").getBoundingClientRect().right - 8)`) {
		t.Error("long numbers are cut")
	}
	b.fits()
	b.eval(`scrollTo(0, 0)`, nil)
	inSight()
	b.enter("#chains-run")
	b.wait(`document.getElementById("chains-status").textContent.endsWith("done.")`, longtest.Patience)
	inSight()
	if got := b.text("#title-law"); got != "The distribution of the log weight" {
		t.Errorf("the heading is %q", got)
	}
	if got := b.text("[data-section=gap] .notes"); !strings.Contains(got, "identities hold") ||
		strings.ContainsAny(got, "|=[_") {
		t.Errorf("the note of identities has formulas: %q", got)
	}
	b.quiet()
}

// TestPageTakesDrawsForTarget: a list of draws that is opened as a target is doubted, and tested at
// the press of a button; one that is no target says what to choose. The name of the file stands at
// its button, and the verdict below.
func TestPageTakesDrawsForTarget(t *testing.T) {
	t.Parallel()
	b := openBench(t, "toy=cells:0:0/0:0&T=10")
	dir := t.TempDir()
	load := func(name, text string) {
		path := filepath.Join(dir, name)
		longtest.NoError(t, os.WriteFile(path, []byte(text), 0o644))
		b.run(chromedp.SetUploadFiles("#file", []string{path}, chromedp.ByQuery))
		b.wait(fmt.Sprintf(`document.getElementById("file-name").textContent === %q`,
			strings.ReplaceAll(name, "\u202e", "\ufffd")), longtest.Patience)
	}
	load("headed\u202e.csv", "x0,x1\n"+strings.Repeat("0,1\n", 20))
	b.wait(`!document.getElementById("error-file").hidden`, longtest.Patience)
	if got := b.text("#error-file"); !strings.HasSuffix(
		got,
		"If the file has draws, choose that in the list above.",
	) || strings.Contains(got, "\u202e") {
		t.Errorf("the page says %q", got)
	}
	load("few.csv", "0\n1\n2\n3\n")
	b.wait(`document.documentElement.dataset.question.includes("cells:0:1:2:3")`, longtest.Patience)
	b.hasToy("cells:0:1:2:3")
	if !b.is(`document.getElementById("doubt-file").hidden`) {
		t.Error("a short target is doubted: ", b.text("#doubt-file"))
	}
	b.click("#undo")
	load("draws.csv", strings.Repeat("0\n1\n2\n3\n", 20))
	b.wait(`!document.getElementById("doubt-file").hidden`, longtest.Patience)
	if got := b.text("#doubt-file span"); !strings.Contains(got, "as draws do") ||
		b.is(`document.getElementById("as-draws").hidden`) {
		t.Errorf("the page says %q", got)
	}
	b.click("#as-draws")
	b.wait(`document.getElementById("file-says").textContent.includes(": draws.csv, 80 draws")`,
		longtest.Patience)
	b.hasToy("cells:0:0/0:0")
	if !b.is(`(([button, verdict]) => verdict.top >= button.bottom && verdict.top - button.bottom < 60)(
		["#file + label", "#file-says"].map((it) => document.querySelector(it).getBoundingClientRect()))`) {
		t.Error("the verdict is not below the button")
	}
	if got := b.value(`document.getElementById("file-as").value`); got != "draws" {
		t.Errorf("the list says %q", got)
	}
	b.accessible()
	b.quiet("400")
}

// TestReportLook: figures fill a report on a screen, with letters of 17 px at most. On a phone they
// have letters of 11 px at least, and what is wider than the page scrolls and says so. On dark
// pages maps are dark as well. Names that would reverse what follows do not, and saved tables have
// them as they are.
func TestReportLook(t *testing.T) {
	t.Parallel()
	p, _ := openReport(t)
	var look []struct{ Filled, Letters, Cut, Hinted float64 }
	figures := func() {
		p.eval(`new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))).then(() =>
		[...document.querySelectorAll(".picture")].filter((it) => it.querySelector("svg")).map((picture) => {
			const svg = picture.querySelector("svg"), box = svg.getBoundingClientRect(), texts = [...svg.querySelectorAll("text")];
			const outside = (at) => Math.max(box.left - at.left, at.right - box.right, box.top - at.top, at.bottom - box.bottom);
			const { width, height } = svg.viewBox.baseVal, scale = Math.min(box.width / width, box.height / height);
			return { Filled: Math.max(scale * width / picture.clientWidth, scale * height / innerHeight / 0.91),
				Letters: Math.min(...texts.map((it) => parseFloat(it.getAttribute("font-size")))) * scale,
				Cut: Math.max(...texts.map((it) => outside(it.getBoundingClientRect())), box.width - picture.scrollWidth),
				Hinted: Number((picture.scrollWidth > picture.clientWidth) === !picture.previousElementSibling.hidden) };
		}))`, &look)
		if len(look) < 5 {
			t.Fatalf("%d figures", len(look))
		}
	}
	p.wide()
	figures()
	for i, f := range look {
		if f.Filled < 0.95 && f.Letters < 16 || f.Letters > 17 || f.Cut > 1 || f.Hinted == 0 {
			t.Errorf("at 1280 px figure %d is %+v", i+1, f)
		}
	}
	p.phone()
	figures()
	for i, f := range look {
		if f.Letters < 10.99 || f.Cut > 1 || f.Hinted == 0 {
			t.Errorf("at 390 px figure %d is %+v", i+1, f)
		}
	}
	p.fits()
	var colours []string
	p.dark()
	p.eval(`["path", "text"].map((it) => getComputedStyle(document.querySelector("svg.map " + it)).fill)`,
		&colours)
	if colours[0] != "rgb(28, 28, 28)" || colours[1] != "rgb(230, 237, 243)" {
		t.Errorf("the paper and the letters of a map are %v on a dark page", colours)
	}

	var text string
	p.eval(`document.querySelectorAll("details").forEach((it) => { it.open = true }); `+
		`document.body.innerHTML.replace(/<script[^]*?<\/script>/g, "")`,
		&text)
	if strings.Contains(text, "J+B against") || !strings.Contains(text, "J and B against T") {
		t.Error("a figure is called J+B")
	}
	if at := strings.IndexFunc(text, func(r rune) bool { return r == '\u202e' || r == '\u2066' || r == 7 }); at >= 0 {
		t.Errorf("a character reverses or hides text: %q", text[max(0, at-40):at+10])
	}
	if !strings.Contains(text, "evil\ufffdgpj.csv") {
		t.Error("the name of a file is missing")
	}
	p.eval(`new Promise((done) => { URL.createObjectURL = (b) => (b.text().then(done), "blob:none"); HTMLAnchorElement.prototype.click = () => {};
		[...document.querySelectorAll("#`+hostilePart+`-table-1 > .tools > button")].at(-1).click() })`,
		&text)
	var rows []map[string]any
	if err := json.Unmarshal([]byte(text), &rows); err != nil || rows[0]["toy"] != hostileName {
		t.Errorf("saved is %q", text)
	}
	p.quiet()
}
