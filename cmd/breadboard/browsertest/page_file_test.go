package browsertest

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"breadboard/grid/longtest"
)

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

// TestPageFiles: files of numbers become the target, dropped or chosen, and of those that do not the page says what is wrong with them.
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
		"bad.csv": {"0,1,2\n3,x,5\n", "line 2, column 2"}, "junk.npy": {"junk", "junk.npy"}, "wrong.exe": {"0", "endings"}, "long.csv": {strings.Repeat("1,", 700) + "1\n", "625"},
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
		for (const name of ["dragenter", "drop"]) document.getElementById("drop").dispatchEvent(new DragEvent(name, {dataTransfer: data, bubbles: true, cancelable: true})) })()`, nil)
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

	// Of this target's zero the page says once what it makes infinite, and has a button for the cure.
	if got := b.value(`[...document.querySelectorAll("#notes li")].map((n) => n.textContent).join("|")`); strings.Count(got, "+Inf") != 1 || strings.Count(got, "later distribution") != 1 {
		t.Errorf("the notes are %q", got)
	}
	b.click("#cure")
	if s := b.solved(); b.question().Get("initial") != "tempered:0.1" || math.IsInf(s.J, 0) || math.IsInf(s.B, 0) || !b.is(`document.getElementById("cure").hidden`) {
		t.Errorf("J is %v and B %v, from %s", s.J, s.B, b.question().Get("initial"))
	}
	b.quiet("400")
}
