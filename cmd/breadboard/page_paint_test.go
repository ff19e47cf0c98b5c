package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	events "github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"

	"breadboard/grid/longtest"
)

// flatBench is a flat target of 4 by 4 cells.
const flatBench = "toy=cells:0:0:0:0/0:0:0:0/0:0:0:0/0:0:0:0&T=10"

// cell is a cell of the board.
func cell(x int) string { return fmt.Sprintf("#board [data-state=%q]", fmt.Sprint(x)) }

// hasToy checks what the target of the page is, once the numbers are those of it.
func (b *benchPage) hasToy(want string) {
	b.t.Helper()
	b.answered()
	if got := b.question().Get("toy"); got != want {
		b.t.Errorf("the target is %s, want %s", got, want)
	}
	b.solved()
}

// TestPagePaintsByMouse: a barrier is painted in one stroke, which is undone and done again at
// once, and the numbers follow it, T and the kernel. It keeps its name.
func TestPagePaintsByMouse(t *testing.T) {
	t.Parallel()
	b := openBench(t, strings.Replace(flatBench, "cells", "mine=cells", 1))
	first := b.solved()
	b.click(`[data-paint="-10"]`)
	x, y := b.middle(cell(4))
	b.mouse(events.MousePressed, x, y)
	for k := 5; k < 8; k++ {
		x, y := b.middle(cell(k))
		b.mouse(events.MouseMoved, x, y)
	}
	x, y = b.middle(cell(7))
	b.mouse(events.MouseReleased, x, y)
	const barrier = "mine=cells:0:0:0:0/-10:-10:-10:-10/0:0:0:0/0:0:0:0"
	b.hasToy(barrier)
	if last := b.solved(); last.J == first.J {
		t.Error("the barrier changes nothing")
	}
	b.wait(fmt.Sprintf(`Number(document.querySelector('%s').dataset.p) < 1e-5`, cell(4)), longtest.Patience)
	if reading := b.text("#board-reading"); !strings.HasPrefix(reading, "row 2, column 4: g = −10, p = 3.") {
		t.Errorf("of the cell that was painted last, the page says %q", reading)
	}

	b.fill("T-slider", "200")
	b.solved()
	if b.question().Get("T") == "10" {
		t.Error("the slider changes no T")
	}
	b.fill("choose-kernel", b.value(
		`[...document.querySelectorAll("#choose-kernel option")].find(o => o.value.startsWith("heatbath")).value`,
	))
	b.solved()
	if b.question().Get("kernel") == "metropolis" {
		t.Error("the list changes no kernel")
	}
	for range 3 {
		b.click("#undo")
	}
	b.hasToy("mine=cells:0:0:0:0/0:0:0:0/0:0:0:0/0:0:0:0")
	if !b.is(`document.getElementById("undo").disabled`) {
		t.Error("there is more to undo than was done")
	}
	b.click("#redo")
	b.hasToy(barrier)

	b.fill("brush-size", "3")
	b.click(`[data-paint="-Inf"]`)
	b.click(cell(10))
	b.hasToy("mine=cells:0:0:0:0/-10:-Inf:-Inf:-Inf/0:-Inf:-Inf:-Inf/0:-Inf:-Inf:-Inf")
	b.fill("rows", "2")
	b.fill("columns", "3")
	b.hasToy("mine=cells:0:0:0/-10:-Inf:-Inf")
	b.wait(`document.querySelectorAll("#board [role=gridcell]").length === 6`, longtest.Patience)
	b.click("#clear")
	b.hasToy("mine=cells:0:0:0/0:0:0")
	b.quiet()
}

// TestPageTestsDraws: draws of a file are tested against the target of the page, anew when it is
// painted, and of files that are none the page says what is wrong, and goes on.
func TestPageTestsDraws(t *testing.T) {
	longtest.Only(t)
	t.Parallel()
	b := openBench(t, "toy=cells:0:0/0:0&T=10")
	dir := t.TempDir()
	says := func(as, name, text, want string) {
		t.Helper()
		path := filepath.Join(dir, name)
		longtest.NoError(t, os.WriteFile(path, []byte(text), 0o644))
		b.fill("file-as", as)
		b.run(chromedp.SetUploadFiles("#file", []string{path}, chromedp.ByQuery))
		b.wait(fmt.Sprintf(`["#draws-says", "[data-section=draws] .status", "#error-file"].some((at) => {
			const it = document.querySelector(at); return !it.hidden && it.textContent.includes(%q) })`,
			want), longtest.Patience)
	}
	states := "x0,x1\n"
	moves := make([]float64, 5000)
	random := rand.New(rand.NewPCG(7, 7))
	for i := range moves {
		x := random.IntN(4)
		states += fmt.Sprintf("%d,%d\n", x/2, x%2)
		moves[i] = float64(x)
	}
	says("draws", "draws.csv", states, "pass: draws.csv, 5000 draws")
	says("chain", "chain.npy", npyOf(t, 2, 2500, moves...), "do the draws represent the target? yes")
	says("kernel", "chain.npy", npyOf(t, 2, 2500, moves...), "are the moves those of metropolis? fault")
	for name, c := range map[string][2]string{
		"empty.csv": {"", "it is empty"}, "nan.npy": {npyOf(t, 2, 1, 0, math.NaN()), "found nan"},
		"wide.csv":    {"a,b,c\n1,2,3\n", "wide.csv"},
		"outside.csv": {"state\n4\n", "a number from 0 to 3"}, "huge.csv": {
			strings.Repeat("0\n", 5<<20), "at most 8388608 are read"}, "draws.exe": {"0", "endings"},
	} {
		says("draws", name, c[0], c[1])
		b.solved()
	}
	says("draws", "draws.csv", states, "pass: draws.csv, 5000 draws")
	if got := b.value(`document.querySelector("#draws-counts canvas").getAttribute("aria-label")`); got !=
		"How often each state stands in 5000 draws" {
		t.Errorf("the map is %q", got)
	}
	b.accessible()
	b.click(`[data-paint="3"]`)
	b.click(cell(3))
	b.wait(`document.getElementById("draws-says").textContent.startsWith("fault: draws.csv")`, longtest.Patience)
	b.eval(`(() => { const data = new DataTransfer(); data.items.add(new File(["state,count\n0,9\n"], "dropped.csv"));
		document.querySelector("[data-as=draws]").dispatchEvent(new DragEvent("drop", {dataTransfer: data, bubbles: true, cancelable: true})) })()`,
		nil)
	b.wait(`document.getElementById("draws-says").textContent.includes("dropped.csv, 9 draws")`,
		longtest.Patience)
	b.quiet("400")
}

// npyOf returns numbers as NumPy writes them in its format .npy.
func npyOf(t *testing.T, rows, columns int, g ...float64) string {
	t.Helper()
	header := fmt.Sprintf("{'descr': '<f8', 'fortran_order': False, 'shape': (%d, %d), }", rows, columns)
	header += strings.Repeat(" ", 64-(11+len(header))%64) + "\n"
	var b bytes.Buffer
	b.WriteString("\x93NUMPY\x01\x00")
	for _, part := range []any{uint16(len(header)), []byte(header), g} {
		longtest.NoError(t, binary.Write(&b, binary.LittleEndian, part))
	}
	return b.String()
}

// TestPageFiles: files of numbers become the target, dropped or chosen, and of those that do not
// the page says what is wrong with them.
func TestPageFiles(t *testing.T) {
	t.Parallel()
	b := openBench(t, flatBench)
	dir := t.TempDir()
	load := func(name, text string) {
		path := filepath.Join(dir, name)
		longtest.NoError(t, os.WriteFile(path, []byte(text), 0o644))
		b.run(chromedp.SetUploadFiles("#file", []string{path}, chromedp.ByQuery))
	}
	becomes := func(want string) {
		t.Helper()
		b.wait(fmt.Sprintf(`document.documentElement.dataset.question.includes(%q)`, want), longtest.Patience)
		b.hasToy(want)
		if !b.is(`document.getElementById("error-file").hidden`) {
			t.Error("a message stays: ", b.text("#error-file"))
		}
	}
	load("good.csv", "0,1,2\n3,-4.5,-Inf\n")
	becomes("cells:0:1:2/3:-4.5:-Inf")
	for name, c := range map[string][2]string{
		"bad.csv": {"0,1,2\n3,x,5\n", "line 2, column 2"}, "junk.npy": {"junk", "junk.npy"},
		"wrong.exe": {"0", "endings"},
		"long.csv":  {strings.Repeat("1,", 700) + "1\n", "625"},
	} {
		b.eval(`document.getElementById("error-file").textContent = ""`, nil)
		load(name, c[0])
		b.wait(`document.getElementById("error-file").textContent !== ""`, longtest.Patience)
		if got := b.text("#error-file"); !strings.Contains(got, c[1]) {
			t.Errorf("%s: %q does not say %q", name, got, c[1])
		}
		b.hasToy("cells:0:1:2/3:-4.5:-Inf")
	}
	load("good.npy", npyOf(t, 2, 2, 0.5, -1, 2, 3))
	becomes("cells:0.5:-1/2:3")

	b.eval(`(() => { const data = new DataTransfer(); data.items.add(new File(["7,8\n"], "dropped.csv"));
		for (const name of ["dragenter", "drop"]) document.getElementById("drop").dispatchEvent(new DragEvent(name, {dataTransfer: data, bubbles: true, cancelable: true})) })()`,
		nil)
	becomes("cells:7:8")
	b.click("#undo")
	becomes("cells:0.5:-1/2:3")

	if !b.is(`document.getElementById("doubt-file").hidden`) {
		t.Error("a target of log f is doubted: ", b.text("#doubt-file"))
	}
	load("p.npy", npyOf(t, 2, 2, 0.25, 0.25, 0.5, 0))
	becomes("cells:0.25:0.25/0.5:0")
	b.wait(`!document.getElementById("doubt-file").hidden`, longtest.Patience)
	if got := b.text("#doubt-file span"); !strings.HasPrefix(got, "p.npy: the numbers are from 0 to 1 and sum to 1") {
		t.Errorf("the page says %q", got)
	}
	b.click("#as-probabilities")
	becomes("cells:-1.3862943611198906:-1.3862943611198906/-0.6931471805599453:-Inf")
	if !b.is(`document.getElementById("doubt-file").hidden`) {
		t.Error("the doubt stays where the numbers are taken as probabilities")
	}

	// Of this target's zero the page says once what it makes infinite, and has a button for the
	// cure.
	if got := b.value(`[...document.querySelectorAll("#notes li")].map((n) => n.textContent).join("|")`); strings.Count(
		got,
		"+Inf",
	) != 1 ||
		strings.Count(got, "later distribution") != 1 {
		t.Errorf("the notes are %q", got)
	}
	b.click("#cure")
	if s := b.solved(); b.question().Get("initial") != "tempered:0.1" || math.IsInf(s.J, 0) ||
		math.IsInf(s.B, 0) ||
		!b.is(`document.getElementById("cure").hidden`) {
		t.Errorf("J is %v and B %v, from %s", s.J, s.B, b.question().Get("initial"))
	}
	b.quiet("400")
}
